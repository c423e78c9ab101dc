# mdpredict. `make` builds ./mdpredict; `make test` also installs what is missing and runs every test.
#   SAN=1 adds ASan and UBSan, COV=1 counts lines, WERROR=1 stops at warnings; B=DIR is the build folder.
CC  = gcc
,  := ,
B  ?= build$(if $(SAN),/san,$(if $(COV),/cov))
OPT = $(if $(SAN),-O1 -g -fsanitize=address$(,)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer,\
      $(if $(COV),-Og -g --coverage -fprofile-update=atomic,-O3 -g))
WARN     = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla $(if $(WERROR),-Werror)
GENWARN  = -Wno-unused-function -Wno-unused-but-set-variable -Wno-sign-compare -Wno-shadow -Wno-missing-prototypes -Wno-undef
CFLAGS   = -std=gnu17 -D_GNU_SOURCE $(OPT) $(WARN) -fPIC -fvisibility=hidden -fno-math-errno -fno-trapping-math -ffp-contract=off
CPPFLAGS = -I. -I$B/gen
LDLIBS   = -lconfig -ljansson -lcsv -lsqlite3 -lgsl -lgslcblas -lzstd -llz4 -lm -lpthread -ldl
HW       = main driver measure
ROOMS    = $(wildcard base model sim sampler fitter program cli)

# Sources, and what is generated: a lexer and a parser a .l and .y, the list of bundled workloads.
WORKLOADS := $(sort $(foreach d,$(wildcard data/workloads/*),$(if $(wildcard $d/$(notdir $d).c),$(notdir $d))))
SRC  := $(filter-out cli/main.c,$(sort $(shell find $(ROOMS) -name '*.c') $(wildcard data/workloads/*.c) $(foreach w,$(WORKLOADS),data/workloads/$w/$w.c)))
LEX  := $(patsubst %.l,$B/gen/%.lex.c,$(shell find $(ROOMS) -name '*.l'))
YACC := $(patsubst %.y,$B/gen/%.tab.c,$(shell find $(ROOMS) -name '*.y'))
GEN  := $(LEX) $(YACC) $B/gen/revision.c $(if $(WORKLOADS),$B/gen/workloads.c)
OBJ  := $(SRC:%.c=$B/%.o) $(GEN:.c=.o)
TESTS := $(patsubst %.c,$B/%,$(sort $(shell find tests -name 't_*.c')))
# The library that stands in for libcudart and libcuda: one file, several names.
CUDA_OBJ := $(patsubst %.c,$B/%.o,$(wildcard cudart/*.c)) $B/gen/unsupported.o
CU_OBJ   := $(patsubst %.c,$B/%.o,$(wildcard sim/frontend/cu_*.c))
CUDA_LIB := $B/cuda/libcudart.so.13
# The simulator proper is optimised as one piece: a cycle calls small functions of many files. Its
# loops are short: vectors only cost there.
WHOLE = -flto -fno-tree-loop-vectorize
ONE   := $(if $(SAN)$(COV)$(filter-out gcc,$(CC)),,$(filter $(addprefix $B/sim/,sm/% gpu/% mem/% icnt/% cta/% func/warp.o func/simt.o func/barrier.o func/access.o),$(OBJ)))
FUZZ  := $(sort $(basename $(notdir $(wildcard fuzz/fuzz_*.c))))

all: mdpredict
mdpredict: $B/mdpredict $(CUDA_LIB)
	cp -f $< $@
$B/mdpredict: $B/cli/main.o $B/libmdpredict.a
	$(CC) $(OPT) -o $@ $^ $(LDLIBS)
$B/libmdpredict.a: $(filter-out $(ONE),$(OBJ)) $(if $(ONE),$B/sim.o)
	rm -f $@ && ar rcs $@ $^
$(ONE): CFLAGS += $(WHOLE)
$B/sim.o: $(ONE)
	$(CC) $(OPT) -fPIC -flto=auto -flinker-output=nolto-rel -r -o $@ $^
$(CUDA_LIB): $(CUDA_OBJ) $(CU_OBJ) $B/libmdpredict.a cudart/exports.map
	@mkdir -p $(@D)
	$(CC) $(OPT) -shared -Wl,-soname,$(@F) -Wl,--version-script=cudart/exports.map -Wl,--as-needed -o $@ $(CUDA_OBJ) $(CU_OBJ) $B/libmdpredict.a $(LDLIBS)
	cd $(@D) && for n in libcudart.so.12 libcudart.so.11.0 libcuda.so.1; do ln -sf $(@F) $$n; done
$B/gen/unsupported.c: scripts/gen_cudart.sh $(wildcard cudart/*.c cudart/*.list) $(CU_OBJ) $B/cudart/driver.o
	@mkdir -p $(@D)
	scripts/gen_cudart.sh $(CU_OBJ) $B/cudart/driver.o >$@.tmp && mv $@.tmp $@
# Other flags, other objects.
$(shell mkdir -p $B && echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(if $(ONE),$(WHOLE))' | cmp -s - $B/flags || echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(if $(ONE),$(WHOLE))' >$B/flags)
$B/%.o: %.c $B/flags | $(LEX) $(YACC)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -MMD -MP $(CFLAGS) -c -o $@ $<
$B/gen/%.o: $B/gen/%.c $B/flags | $(LEX) $(YACC)
	$(CC) $(CPPFLAGS) -MMD -MP $(CFLAGS) $(GENWARN) -c -o $@ $<
$B/gen/%.lex.c: %.l
	@mkdir -p $(@D)
	flex -o $@ --header-file=$(@:.c=.h) $<
$B/gen/%.tab.c: %.y
	@mkdir -p $(@D)
	bison -Wall -o $@ --defines=$(@:.c=.h) $<
$B/gen/workloads.c: scripts/gen_workloads.sh $(wildcard data/workloads data/workloads/*)
	@mkdir -p $(@D)
	scripts/gen_workloads.sh $(WORKLOADS) >$@.tmp && mv $@.tmp $@
# Written anew only when it is another one.
REVISION := $(shell git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)
$B/gen/revision.c: $(if $(findstring "$(REVISION)",$(shell cat $B/gen/revision.c 2>/dev/null)),,FORCE)
	@mkdir -p $(@D)
	printf '#include "base/revision.h"\nconst char mdpredict_revision[] = "%s";\n' '$(REVISION)' >$@
$B/gen/workloads.o: $(foreach w,$(WORKLOADS),data/workloads/$w/$w.ptx)
$B/tests/%: tests/%.c $B/libmdpredict.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -MMD -MP $(CFLAGS) -o $@ $< $B/libmdpredict.a -lcunit -lmpfr -lgmp $(LDLIBS)

# hw: the workloads on a real GPU, or, behind `mdpredict run --`, on a simulated one.
hw: mdpredict-hw mdpredict
mdpredict-hw: $B/mdpredict-hw
	cp -f $< $@
$B/mdpredict-hw: $(HW:%=$B/hw/%.o) $B/libmdpredict.a
	$(CC) $(OPT) -o $@ $^ $(LDLIBS) -ldl

# check: the tests alone; test and demo: on a machine where nothing is installed yet.
check: $(TESTS) $(if $(wildcard cli/main.c),$B/mdpredict $(CUDA_LIB)) $B/mdpredict-hw $B/bench/workloads_table
	scripts/run_tests.sh $B $(TESTS) $(sort $(wildcard tests/*/*.sh))
test:
	scripts/deps.sh build test
	$(MAKE) --no-print-directory -j$$(nproc) check
demo:
	scripts/deps.sh build
	$(MAKE) --no-print-directory -j$$(nproc) mdpredict
	./mdpredict compare vecadd nbf
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
# Longer than tests: accuracy and speed against the reference runs.
REFERENCE = ../shared/oracle/gpgpusim
EVERY = $(filter $B/tests/workloads/%,$(TESTS))
workloads-table:
	scripts/deps.sh build
	$(MAKE) --no-print-directory -j$$(nproc) mdpredict $B/bench/workloads_table
	scripts/workloads_table.sh
bench:
	scripts/deps.sh build bench
	$(MAKE) --no-print-directory -j$$(nproc) $B/mdpredict $B/bench/speed
	$B/bench/speed $(REFERENCE) data; bars=$$?; scripts/bench_memory.sh $B/mdpredict && \
	    scripts/bench_functional.sh $B/mdpredict && scripts/bench_instructions.sh $B/mdpredict $(REFERENCE) && exit $$bars
validate:
	scripts/deps.sh build test
	$(MAKE) --no-print-directory -j$$(nproc) $B/bench/validate $(EVERY)
	$B/bench/validate $(REFERENCE) data; bars=$$?; CONFIGS=10 scripts/run_tests.sh $B $(EVERY) && exit $$bars
$B/bench/%: bench/%.c $B/bench/reference.o $B/bench/simulate.o $B/libmdpredict.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -MMD -MP $(CFLAGS) -o $@ $^ $(LDLIBS)
$B/fuzz/%: fuzz/%.c $B/libmdpredict.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -MMD -MP $(CFLAGS) -fsanitize=fuzzer -o $@ $< $B/libmdpredict.a $(LDLIBS)
clean:
	rm -rf build mdpredict mdpredict-hw

-include $(OBJ:.o=.d) $(CUDA_OBJ:.o=.d) $(TESTS:=.d) $B/cli/main.d $(HW:%=$B/hw/%.d) $B/bench/reference.d $B/bench/simulate.d $B/bench/workloads_table.d $(FUZZ:%=$B/fuzz/%.d)
.PHONY: FORCE all hw check test demo lint coverage fuzz validate bench workloads-table clean
.DELETE_ON_ERROR:
.SECONDARY:
