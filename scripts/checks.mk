# What checks the program, included by the Makefile: tests, lint, coverage, fuzzing, and, longer
# than those, accuracy and speed against the reference runs.
TESTS := $(patsubst %.c,$B/%,$(sort $(shell find tests -name 't_*.c')))
FUZZ  := $(sort $(basename $(notdir $(wildcard fuzz/fuzz_*.c))))
REFERENCE = data/reference
EVERY = $(filter $B/tests/workloads/%,$(TESTS))

# check: the tests alone; all others here also install what they need.
check: $(TESTS) $B/tests/tools/json $(if $(wildcard cli/main.c),$B/mdpredict $(CUDA_LIB) $(SHARED_LIB)) $B/mdpredict-hw $B/bench/workloads_table $B/bench/kernels_table $B/bench/speed
	scripts/run_tests.sh $B $(TESTS) $(sort $(wildcard tests/*/*.sh))
test:
	scripts/deps.sh build test
	scripts/browser.sh || echo "without a browser: the test of the page will say NOT RUN"
	$(MAKE) --no-print-directory -j$$(nproc) check
notebooks:
	scripts/deps.sh build notebooks
	$(MAKE) --no-print-directory -j$$(nproc) mdpredict
	scripts/notebooks.sh
lint:
	scripts/deps.sh build lint
	scripts/lint.sh
coverage:
	scripts/deps.sh build test coverage
	scripts/coverage.sh
fuzz:
	scripts/deps.sh build fuzz
	$(MAKE) --no-print-directory -j$$(nproc) B=build/fuzz CC=clang WARN=-w OPT='-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all' $(FUZZ:%=build/fuzz/fuzz/%)
	scripts/fuzz.sh $(FUZZ:%=build/fuzz/fuzz/%)
leaks: mdpredict
	scripts/deps.sh build bench
	scripts/leaks.sh ./mdpredict
threads:
	TEST_TIMEOUT=3600 COMMAND_TIMEOUT=1200 \
	    $(MAKE) --no-print-directory -j$$(nproc) B=build/tsan OPT='-O1 -g -fsanitize=thread' ONE= check
workloads-table:
	scripts/deps.sh build
	$(MAKE) --no-print-directory -j$$(nproc) mdpredict $B/bench/workloads_table $B/bench/kernels_table
	scripts/workloads_table.sh
bench:
	scripts/deps.sh build bench
	$(MAKE) --no-print-directory -j$$(nproc) $B/mdpredict $B/bench/speed
	$B/bench/speed $(REFERENCE) $B/mdpredict; bars=$$?; scripts/bench_memory.sh $B/mdpredict && \
	    scripts/bench_functional.sh $B/mdpredict && scripts/bench_schedulers.sh $B/mdpredict && \
	    scripts/bench_instructions.sh $B/mdpredict $(REFERENCE) && exit $$bars
validate:
	scripts/deps.sh build test
	$(MAKE) --no-print-directory -j$$(nproc) mdpredict $B/bench/validate $B/bench/degrees $(EVERY)
	$B/bench/validate $(REFERENCE) data; bars=$$?; $B/bench/degrees $(REFERENCE) data || bars=1; \
	    ./mdpredict compare --all || bars=1; \
	    scripts/held_out.sh || bars=1; \
	    MDPREDICT=./mdpredict MOST_INSTS=1e15 tests/cli/profiles.sh || bars=1; \
	    TEST_TIMEOUT=3600 CONFIGS=10 scripts/run_tests.sh $B $(EVERY) && exit $$bars
docs:
	scripts/deps.sh build
	$(MAKE) --no-print-directory -j$$(nproc) mdpredict
	scripts/docs.sh
schedulers:
	scripts/deps.sh build
	$(MAKE) --no-print-directory -j$$(nproc) mdpredict
	scripts/schedulers.sh
profile:
	scripts/deps.sh build
	scripts/profile.sh

$B/tests/%: tests/%.c $B/libmdpredict.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -MMD -MP $(CFLAGS) $(TEST_OPT) -o $@ $(filter %.c %.o,$^) $B/libmdpredict.a -lcunit -lmpfr -lgmp $(LDLIBS)
$(filter $B/tests/bench/%,$(TESTS)): $B/bench/reference.o $B/bench/simulate.o
$B/bench/%: bench/%.c $B/bench/bar.o $B/bench/reference.o $B/bench/simulate.o $B/bench/held_out.o $B/libmdpredict.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -MMD -MP $(CFLAGS) -o $@ $(filter %.c %.o %.a,$^) $(LDLIBS)
$B/fuzz/%: fuzz/%.c $B/libmdpredict.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -MMD -MP $(CFLAGS) -fsanitize=fuzzer -o $@ $< $B/libmdpredict.a $(LDLIBS)

-include $(TESTS:=.d) $(patsubst %.c,$B/%.d,$(wildcard bench/*.c)) $(FUZZ:%=$B/fuzz/%.d)
.PHONY: check test docs notebooks lint coverage fuzz validate leaks threads bench workloads-table profile schedulers
