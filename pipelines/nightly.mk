# nightly.mk: one target a task, a line of the watch list and one of its sources, so that make -j works.
# Run by bid-nightly(1), which takes the lock, names the tasks, keeps the stamps and writes the report.
#
# Names of folders, files and companies come in the environment and in files, and are read by the shell alone, between
# quotes: make would expand a '$' in them and split them at blanks.  Names of tasks are letters, digits, '.', '-' and '_'.
#
#   BID_NIGHTLY            the bid-nightly to call back
#   BID_NIGHTLY_FOLDER     of the stamps, with the names of the tasks in the file tasks
#   BID_NIGHTLY_WATCHLIST  the watch list
#   BID_NIGHTLY_FIRST      how far back the first run of a task looks

WATCHLIST ?= data/watchlist.tsv
NIGHTLY ?= pipelines/bid-nightly

# `value` takes the name as it was given; otherwise make would hand it on to its children, expanded.
unexport WATCHLIST NIGHTLY
MAKEOVERRIDES =
nightly: export BID_NIGHTLY_WATCHLIST := $(value WATCHLIST)
nightly: export BID_NIGHTLY := $(value NIGHTLY)
nightly:
	@"$$BID_NIGHTLY" --watchlist "$$BID_NIGHTLY_WATCHLIST"

TASKS := $(shell test -z "$$BID_NIGHTLY_FOLDER" || cat "$$BID_NIGHTLY_FOLDER/tasks")

tasks: $(TASKS:%=%.tonight)

# The mark says in the report that a task is done; it is taken away when the next night begins.
$(TASKS:%=%.tonight): %.tonight:
	@"$$BID_NIGHTLY" --task '$*' --watchlist "$$BID_NIGHTLY_WATCHLIST" --first "$$BID_NIGHTLY_FIRST"
	@: >"$$BID_NIGHTLY_FOLDER/$@"

.PHONY: nightly tasks $(TASKS:%=%.tonight)
