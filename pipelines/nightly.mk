# nightly.mk: one target a company, so that make -j works.
# Run by bid-nightly(1), which takes the lock, names the companies, keeps the stamps and writes the report.
#
#   COMPANIES   their names (letters, digits, '.', '-', '_')
#
# Names of folders and files come in the environment and are read by the shell alone, between quotes: make would expand
# a '$' in them and split them at blanks.
#
#   BID_NIGHTLY            the bid-nightly to call back
#   BID_NIGHTLY_FOLDER     of the stamps
#   BID_NIGHTLY_WATCHLIST  the watch list

WATCHLIST ?= data/watchlist.tsv
NIGHTLY ?= pipelines/bid-nightly

# `value` takes the name as it was given; otherwise make would hand it on to its children, expanded.
unexport WATCHLIST NIGHTLY
MAKEOVERRIDES =
nightly: export BID_NIGHTLY_WATCHLIST := $(value WATCHLIST)
nightly: export BID_NIGHTLY := $(value NIGHTLY)
nightly:
	@"$$BID_NIGHTLY" --watchlist "$$BID_NIGHTLY_WATCHLIST"

companies: $(COMPANIES:%=%.tonight)

# The mark says in the report that a company is done; it is taken away when the next night begins.
$(COMPANIES:%=%.tonight): %.tonight:
	@"$$BID_NIGHTLY" --company '$*' --watchlist "$$BID_NIGHTLY_WATCHLIST"
	@: >"$$BID_NIGHTLY_FOLDER/$@"

.PHONY: nightly companies $(COMPANIES:%=%.tonight)
