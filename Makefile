# mdpredict. `make` builds ./mdpredict, `make test` runs every suite. B=DIR changes the build folder; SAN=1 adds ASan and UBSan.
CC      = gcc
B       ?= build$(if $(SAN),/san)
WARN     = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla $(if $(WERROR),-Werror)
OPT      = $(if $(SAN),-O1 -g -fsanitize=address$(,)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer,-O2 -g)
,       := ,
CFLAGS   = -std=gnu17 -D_GNU_SOURCE $(OPT) $(WARN) -fno-math-errno -ffp-contract=off
CPPFLAGS = -I. -I$B/gen
LDLIBS   = -lconfig -ljansson -lgsl -lgslcblas -lm -lpthread

SRC := $(filter-out cli/main.c,$(shell find base model sim sampler fitter cli data/workloads -name '*.c' | sort))
OBJ := $(SRC:%.c=$B/%.o)
TESTS := $(shell find tests -name 't_*.c' | sort)
TESTBIN := $(TESTS:%.c=$B/%)

all: mdpredict
mdpredict: $B/cli/main.o $B/libmdpredict.a
	$(CC) $(OPT) -o $@ $^ $(LDLIBS)
$B/libmdpredict.a: $(OBJ)
	rm -f $@ && ar rcs $@ $^
$B/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -MMD -MP $(CFLAGS) -c -o $@ $<
$B/tests/%: tests/%.c $B/libmdpredict.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -MMD -MP $(CFLAGS) -o $@ $< $B/libmdpredict.a -lcunit $(LDLIBS)
check: $(TESTBIN)
	@for t in $(TESTBIN); do $$t || exit 1; done
clean:
	rm -rf build mdpredict
-include $(OBJ:.o=.d)
.PHONY: all check clean
