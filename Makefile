# mdpredict. `make` builds ./mdpredict; `make test` also installs what is missing and runs every test
# (scripts/checks.mk: tests, lint, coverage, fuzzing, benchmarks).
#   SAN=1 adds ASan and UBSan, COV=1 counts lines, WERROR=1 stops at warnings; B=DIR is the build folder.
# SAN: -g1 is what their reports name, functions and lines, in half the bytes to link a hundred times. Checks of pointer
# arithmetic would be a third of all code, and of its time: what uses such a pointer, ASan sees.
VERSION = 0.1
ABI     = 0
CC  = gcc
B  ?= build$(if $(SAN),/san,$(if $(COV),/cov))
SANITIZE = -fsanitize=address,undefined -fno-sanitize=pointer-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer
OPT = $(if $(SAN),-O1 -g1 $(SANITIZE),\
      $(if $(COV),-Og -g --coverage -fprofile-update=atomic,-O3 -g))
WARN     = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla $(if $(WERROR),-Werror)
GENWARN  = -Wno-unused-function -Wno-unused-but-set-variable -Wno-sign-compare -Wno-shadow -Wno-missing-prototypes -Wno-undef
CFLAGS   = -std=gnu17 -D_GNU_SOURCE $(OPT) $(WARN) -fPIC -fvisibility=hidden -fno-math-errno -fno-trapping-math -ffp-contract=off
CPPFLAGS = -I. -I$B/gen
LDLIBS   = -lconfig -ljansson -lcsv -lsqlite3 -lgsl -lgslcblas -lzstd -llz4 -lm -lpthread -ldl
HW       = main driver measure
ROOMS    = $(wildcard base model sim sampler fitter program figure cli)

# Sources, and what is generated: a lexer and a parser a .l and .y, the list of bundled workloads.
WORKLOADS := $(sort $(foreach d,$(wildcard data/workloads/*),$(if $(wildcard $d/$(notdir $d).c),$(notdir $d))))
SRC  := $(filter-out cli/main.c,$(sort $(shell find $(ROOMS) -name '*.c') $(wildcard data/workloads/*.c) $(foreach w,$(WORKLOADS),data/workloads/$w/$w.c)))
LEX  := $(patsubst %.l,$B/gen/%.lex.c,$(shell find $(ROOMS) -name '*.l'))
YACC := $(patsubst %.y,$B/gen/%.tab.c,$(shell find $(ROOMS) -name '*.y'))
GEN  := $(LEX) $(YACC) $B/gen/revision.c $B/gen/report.c $(if $(WORKLOADS),$B/gen/workloads.c)
OBJ  := $(SRC:%.c=$B/%.o) $(GEN:.c=.o)
# The library that stands in for libcudart and libcuda: one file, several names, put into place whole: programs
# may be starting with the old one.
CUDA_OBJ := $(patsubst %.c,$B/%.o,$(wildcard cudart/*.c)) $B/gen/unsupported.o
CU_OBJ   := $(patsubst %.c,$B/%.o,$(wildcard sim/frontend/cu_*.c))
CUDA_DRIVER := $(patsubst %.c,$B/%.o,$(wildcard cudart/driver*.c))
CUDA_LIB := $B/cuda/libcudart.so.13
# libmdpredict.so: what include/mdpredict.h declares, and nothing else.
SHARED_OBJ := $(patsubst %.c,$B/%.o,$(wildcard library/*.c))
SHARED_LIB := $B/libmdpredict.so.$(VERSION)
# The simulator proper is optimised as one piece: a cycle calls small functions of many files. Its
# loops are short: vectors only cost there.
WHOLE = -flto -fno-tree-loop-vectorize
SIM   := $(filter $(addprefix $B/sim/,sm/% gpu/% mem/% icnt/% cta/% func/run.o func/warp.o func/simt.o func/barrier.o func/access.o func/memory.o),$(OBJ))
ONE   := $(if $(SAN)$(COV)$(filter-out gcc,$(CC)),,$(SIM))
# With sanitizers the one piece is slower than its files, and -O2 a tenth faster than -O1; elsewhere -O2 only
# takes longer to compile. Likewise tests: what takes their time is in the library, and with sanitizers to compile.
SIM_SAN  = $(if $(SAN),-O2)
TEST_OPT = $(if $(COV),,$(if $(SAN),-O0,-O1))

all: mdpredict $(SHARED_LIB)
mdpredict: $(CUDA_LIB)
mdpredict mdpredict-hw: %: $B/%
	cp -f $< $@
$B/mdpredict: $B/cli/main.o $B/libmdpredict.a
	$(CC) $(OPT) -o $@ $^ $(LDLIBS)
$B/libmdpredict.a: $(filter-out $(ONE),$(OBJ)) $(if $(ONE),$B/sim.o)
	rm -f $@ && ar rcs $@ $^
$(ONE): CFLAGS += $(WHOLE)
$(SIM): CFLAGS += $(SIM_SAN)
$B/sim.o: $(ONE)
	$(CC) $(OPT) -fPIC -flto=auto -flinker-output=nolto-rel -r -o $@ $^
$(CUDA_LIB): $(CUDA_OBJ) $(CU_OBJ) $B/libmdpredict.a cudart/exports.map
	@mkdir -p $(@D)
	$(CC) $(OPT) -shared -Wl,-z,initfirst -Wl,-soname,$(@F) -Wl,--version-script=cudart/exports.map -Wl,--as-needed -o $@.tmp $(CUDA_OBJ) $(CU_OBJ) $B/libmdpredict.a $(LDLIBS) && mv $@.tmp $@
	cd $(@D) && for n in libcudart.so.12 libcudart.so.11.0 libcudart.so.10.2 libcudart.so libcuda.so.1 libcuda.so libcublas.so.11 libcublas.so.12 libcublas.so.13 libcublasLt.so.11 libcublasLt.so.12 libcublasLt.so.13 libcurand.so.10; do ln -sf $(@F) $$n; done
$(SHARED_LIB): $(SHARED_OBJ) $B/libmdpredict.a library/exports.map
	$(CC) $(OPT) -shared -Wl,-soname,libmdpredict.so.$(ABI) -Wl,--version-script=library/exports.map -Wl,--as-needed -o $@ $(SHARED_OBJ) $B/libmdpredict.a $(LDLIBS)
	cd $(@D) && ln -sf $(@F) libmdpredict.so.$(ABI) && ln -sf $(@F) libmdpredict.so
$B/gen/unsupported.c: scripts/gen_cudart.sh $(wildcard cudart/*.c cudart/*.list) $(CU_OBJ) $(CUDA_DRIVER)
	@mkdir -p $(@D)
	scripts/gen_cudart.sh $(CU_OBJ) $(CUDA_DRIVER) >$@.tmp && mv $@.tmp $@
# Other flags, other objects.
FLAGS := $(CC) $(CPPFLAGS) $(CFLAGS) $(if $(ONE),$(WHOLE)) $(SIM_SAN) $(TEST_OPT)
$(shell mkdir -p $B && echo '$(FLAGS)' | cmp -s - $B/flags || echo '$(FLAGS)' >$B/flags)
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
# The page of --html: what it is made of, in order.
PAGE := $(addprefix report/,head.html page.css body.html $(addprefix vendor/,d3.min.js plot.umd.min.js $(sort $(notdir $(wildcard report/vendor/LICENSE.*)))) $(addsuffix .js,dom data charts timeline hot sections schedulers page))
$B/gen/report.c: scripts/gen_report.sh Makefile
	@mkdir -p $(@D)
	scripts/gen_report.sh $(PAGE) >$@.tmp && mv $@.tmp $@
$B/gen/report.o: $(PAGE)
# Written anew only when it is another one.
REVISION := $(shell git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)
$B/gen/revision.c: $(if $(findstring "$(VERSION) ($(REVISION))",$(shell cat $B/gen/revision.c 2>/dev/null)),,FORCE)
	@mkdir -p $(@D)
	printf '#include "base/revision.h"\nconst char mdpredict_revision[] = "%s";\nconst char mdpredict_full_version[] = "%s";\n' '$(REVISION)' '$(VERSION) ($(REVISION))' >$@
$B/gen/workloads.o: $(foreach w,$(WORKLOADS),data/workloads/$w/$w.ptx)

# hw: the workloads on a real GPU, or, behind `mdpredict run --`, on a simulated one.
hw: mdpredict-hw mdpredict
$B/mdpredict-hw: $(HW:%=$B/hw/%.o) $B/libmdpredict.a
	$(CC) $(OPT) -o $@ $^ $(LDLIBS)
# install, uninstall: the program, libmdpredict, the stand-in CUDA libraries, data; below DESTDIR. docs/install.md
PREFIX ?= /usr/local
install: mdpredict $(SHARED_LIB) man
	scripts/install.sh $B $(VERSION) '$(PREFIX)' '$(DESTDIR)'
# man: build/man/, from what --help says, by help2man; without that there is none.
man: $B/mdpredict
	scripts/man.sh $B $(VERSION)
# deb: build/mdpredict_VERSION_ARCHITECTURE.deb
deb: mdpredict $(SHARED_LIB) man
	scripts/deb.sh $B $(VERSION)
uninstall:
	scripts/install.sh --remove $B $(VERSION) '$(PREFIX)' '$(DESTDIR)'
# demo: on a machine where nothing is installed yet.
demo:
	scripts/deps.sh build
	$(MAKE) --no-print-directory -j$$(nproc) mdpredict
	./mdpredict compare vecadd nbf
clean:
	rm -rf build mdpredict mdpredict-hw

include scripts/checks.mk
-include $(OBJ:.o=.d) $(CUDA_OBJ:.o=.d) $(SHARED_OBJ:.o=.d) $B/cli/main.d $(HW:%=$B/hw/%.d)
.PHONY: FORCE all hw install man deb uninstall demo clean
.DELETE_ON_ERROR .SECONDARY:
