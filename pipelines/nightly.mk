# nightly.mk: one stamp a company, so that make -j works and what failed is tried again next night.
# Run by bid-nightly(1), which takes the lock, names the companies and writes the report.
#
#   STAMPS     folder of the stamps
#   COMPANIES  their names (letters, digits, '.', '-', '_')
#   NIGHTLY    the bid-nightly to call back

WATCHLIST ?= data/watchlist.tsv
NIGHTLY ?= pipelines/bid-nightly

nightly:
	@$(NIGHTLY) --watchlist '$(WATCHLIST)'

companies: $(COMPANIES:%=$(STAMPS)/%.tonight)

# A stamp of tonight is made at the end of a company's work and taken away when the next night begins.
$(STAMPS)/%.tonight:
	@$(NIGHTLY) --company '$*' --watchlist '$(WATCHLIST)'
	@touch '$@'

.PHONY: nightly companies
