# shards.mk: files of records made into stores side by side, here or on a handful of hosts, and merged into one.
#
#   make -j4 -f shards.mk STORE=whole PARTS='part-1.ndjson part-2.ndjson ...'
#   make -j12 -f shards.mk STORE=whole HOSTS=': alpha beta'
#
#   PARTS  files of records as bid-fetch writes them; all part-*.ndjson without it.  No blanks in their names
#   STORE  the store that the shards are merged into
#   HOSTS  where to work, in turn; ":" is this machine.  Each has BID installed; a part is sent to ssh's standard
#          input, and its shard comes back on standard output
#   SSH    what reaches a host: $(SSH) HOST COMMAND
#
# A part that is done is not done again: NAME.shard stays beside it, and with it NAME.said: receipts, and errors.  Records
# that fail don't end a shard, whatever else goes wrong does.
PARTS ?= $(sort $(wildcard part-*.ndjson))
STORE ?= whole
HOSTS ?= :
SSH ?= ssh

# For the shell of any host, in the environment: nothing of it is for this machine's shell to read.
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
