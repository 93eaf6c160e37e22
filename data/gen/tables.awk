# tables.awk: a table of data/tables as a header of C.
#
#   awk -f data/gen/tables.awk data/tables/NAME.tsv >.build/tables/NAME.h
#
# Columns are separated by tabs; the last comment line above the rows names them.  The first column names the lists that contain
# the row, separated by blanks: list L of the table NAME becomes the macro NAME_L, which initialises an array: {NAME_L} or
# {NAME_L, NULL}.
# If the only other column is `words` or `phrases`, each word (separated by blanks) or phrase (separated by ';') is an element; '_'
# stands for a blank.  Otherwise each row is an element: {"a", "b"}.  A column with a name in capitals holds a number or a constant of
# C and is not quoted; a cell of '-' is NULL.  Blank lines are ignored; a table may have several headers.
function quoted(text) {
  if (text == "-") return "NULL"
  gsub(/\\/, "\\\\", text)
  gsub(/"/, "\\\"", text)
  return "\"" text "\""
}
function add(element,   i) {
  for (i = 1; i <= list_count; i++) {
    if (!(lists[i] in elements))
      order[++orders] = lists[i]
    elements[lists[i]] = elements[lists[i]] (elements[lists[i]] == "" ? "" : ",") " \\\n  " element
  }
}
function fail(why) {
  printf "%s:%d: %s\n", FILENAME, FNR, why >"/dev/stderr"
  failed = 1
  exit 1
}
BEGIN { FS = "\t" }
/^#/ { columns = split(substr($0, 3), column, "\t"); next }
/^$/ { next }
NF != columns { fail("not " columns " columns") }
{
  list_count = split($1, lists, " ")
  if (columns == 2 && column[2] ~ /^(words|phrases)$/) {
    parts = split($2, part, column[2] == "words" ? " " : " *; *")
    for (p = 1; p <= parts; p++) {
      if (part[p] == "") fail("an empty " column[2])
      gsub(/_/, " ", part[p])
      add(quoted(part[p]))
    }
    next
  }
  row = ""
  for (c = 2; c <= columns; c++)
    row = row (c > 2 ? ", " : "") (column[c] ~ /^[A-Z_]+$/ ? $c : quoted($c))
  add(columns > 2 ? "{" row "}" : row)
}
END {
  if (failed) exit 1
  name = FILENAME
  gsub(/.*\/|\.tsv$/, "", name)
  printf "/* %s.h: made from data/tables/%s.tsv by data/gen/tables.awk; do not edit. */\n", name, name
  for (i = 1; i <= orders; i++)
    printf "#define %s_%s%s\n", toupper(name), toupper(order[i]), elements[order[i]]
}
