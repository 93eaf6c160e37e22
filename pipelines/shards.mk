# shards.mk: indexes files of records as stores in parallel, here or on several hosts, and merges them into one.
#
#   make -j4 -f shards.mk STORE=whole PARTS='part-1.ndjson part-2.ndjson ...'
#   make -j12 -f shards.mk STORE=whole HOSTS=': alpha beta'
#
#   PARTS  files of records from bid-fetch, default part-*.ndjson.  No blanks in their names
#   STORE  the store that the shards are merged into
#   HOSTS  hosts to use, in turn; ":" is this machine.  BID must be installed on each; a part is sent to ssh's
#   standard
#          input, and its shard comes back on standard output
#   SSH    command to reach a host: $(SSH) HOST COMMAND
#
# A finished part is not repeated: NAME.shard is kept, and NAME.said with its receipts and errors.  Failed records
# don't fail a shard, any other error does.
PARTS ?= $(sort $(wildcard part-*.ndjson))
STORE ?= whole
HOSTS ?= :
SSH ?= ssh

# Passed in the environment to the shell of any host, so that this machine's shell doesn't interpret it.
define BID_SHARD
bash -c 'set -u
t=$$(mktemp -d) || exit 73
trap "rm -rf \"$$t\"" EXIT
bid-strip -q | bid-chunk -q | bid-embed -q | BID_STORE=$$t/store bid-index -q >&2
for s in "$${PIPESTATUS[@]}"; do [ "$$s" -le 1 ] || exit "$$s"; done
cat "$$t/store"'
endef
export BID_SHARD

SHARDS := $(PARTS:.ndjson=.shard)

$(STORE).merged: $(SHARDS)
	bid-store merge '$(STORE)' $?
	@: >'$@'

# PART, HOST
define shard
$(1:.ndjson=.shard): $(1)
	$(if $(filter :,$(2)),sh -c,$(SSH) $(2)) "$$$$BID_SHARD" <'$$<' >'$$@.part' 2>'$(1:.ndjson=.said)'
	@mv '$$@.part' '$$@'
endef
$(foreach n,$(shell seq $(words $(PARTS))),$(eval $(call shard,$(word $n,$(PARTS)),$(word $(shell expr \( $n - 1 \) % $(words $(HOSTS)) + 1),$(HOSTS)))))

.DELETE_ON_ERROR:
