# tables.awk: a table of data/tables as a header of C.
#
#   awk -f data/gen/tables.awk data/tables/NAME.tsv >.build/tables/NAME.h
#
# Columns are separated by tabs; the last comment line above the rows names them.  The first column names the lists that contain
# the row, separated by blanks: list L of the table NAME becomes the macro NAME_L, which initialises an array: {NAME_L} or
# {NAME_L, NULL}.
# If the only other column is `words` or `phrases`, each word (separated by blanks) or phrase (separated by ';') is an element; '_'
# stands for a blank.  Otherwise each row is an element: {"a", "b"}.  A column with a name in capitals holds a number or a constant of
# C and is not quoted; a cell of '-' is NULL.  A list with a name in capitals becomes a macro of its rows: X(A, "a", 1) X(B, …).  Blank lines are ignored; a table may have several headers.
#
# A table whose first column is CHARACTERS says what Unicode characters become: first, last (hexadecimal), and one of the classes that
# its third header names, or the characters that replace each, as UTF-8.  It becomes a table of two stages: the class of c is
# NAME_VALUES[NAME_BLOCKS[c >> NAME_SHIFT] << NAME_SHIFT | c % (1 << NAME_SHIFT)].  NAME_KEEP is 0; from NAME_MAPPED on, class i is
# replaced by the bytes of NAME_POOL from NAME_OFFSETS[i] on.
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
    elements[lists[i]] = elements[lists[i]] (elements[lists[i]] == "" || lists[i] ~ /^[A-Z]/ ? "" : ",") " \\\n  " \
      (lists[i] ~ /^[A-Z]/ ? "X(" substr(element, 2, length(element) - 2) ")" : element)
  }
}
function fail(why) {
  printf "%s:%d: %s\n", FILENAME, FNR, why >"/dev/stderr"
  failed = 1
  exit 1
}
function hex(text,   i, n) {
  for (i = 1; i <= length(text); i++)
    n = 16 * n + index("0123456789ABCDEF", substr(text, i, 1)) - 1
  return n
}
function utf8(c) {
  if (c < 128) return c
  if (c < 2048) return int(192 + c / 64) "," 128 + c % 64
  if (c < 65536) return int(224 + c / 4096) "," int(128 + c / 64 % 64) "," 128 + c % 64
  return int(240 + c / 262144) "," int(128 + c / 4096 % 64) "," int(128 + c / 64 % 64) "," 128 + c % 64
}
# The class of the characters of a row: one of the classes, or a number for the text that replaces them.
function character_class(text,   i, n, part, bytes) {
  if (text in class) return class[text]
  n = split(text, part, " ")
  for (i = 1; i <= n; i++)
    bytes = bytes (i > 1 ? "," : "") utf8(hex(part[i]))
  class[text] = classes + 1 + texts++
  offset += split(bytes, part, ",")
  offsets = offsets "," offset
  pool = pool (pool == "" ? "" : ",") bytes
  return class[text]
}
function characters(   name, b, c, key, row, seen, blocks, values, count) {
  for (b = 0; b < 8704; b++) {
    key = row = ""
    if (b in touched)
      for (c = 128 * b; c < 128 * b + 128; c++)
        row = row "," (c in become ? become[c] : 0)
    else
      row = b in whole ? whole[b] : ""
    if (!(row in seen)) {
      seen[row] = count++
      if (row !~ /,/) {
        key = row == "" ? 0 : row
        for (c = 0; c < 128; c++)
          values = values "," key
      } else
        values = values row
    }
    blocks = blocks (b % 64 == 0 ? (b ? ", \\\n  " : "") : ",") seen[row]
  }
  name = toupper(name_of_table())
  printf "enum { %s_SHIFT = 7 };\nenum { %s_KEEP", name, name
  for (c = 1; c <= classes; c++)
    printf ", %s_%s", name, toupper(class_name[c])
  printf ", %s_MAPPED };\n#define %s_BLOCKS %s\n#define %s_VALUES %s\n#define %s_OFFSETS 0%s\n#define %s_POOL %s\n", \
    name, name, blocks, name, substr(values, 2), name, offsets, name, pool
}
function name_of_table(   name) {
  name = FILENAME
  gsub(/.*\/|\.tsv$/, "", name)
  return name
}
BEGIN { FS = "\t" }
/^#/ { columns = split(substr($0, 3), column, "\t"); next }
/^$/ { next }
column[1] == "CHARACTERS" && !classes {
  classes = split(column[3], class_name, " ")
  for (i = 1; i <= classes; i++) class[class_name[i]] = i
}
column[1] == "CHARACTERS" {
  if (NF != columns) fail("not " columns " columns")
  first = hex($1)
  last = hex($2)
  becomes = character_class($3)
  for (c = first; c <= last; c++) {
    if (c % 128 == 0 && c + 127 <= last) {
      whole[c / 128] = becomes
      c += 127
      continue
    }
    touched[int(c / 128)] = 1
    become[c] = becomes
  }
  next
}
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
  name = name_of_table()
  printf "/* %s.h: made from data/tables/%s.tsv by data/gen/tables.awk; do not edit. */\n", name, name
  if (classes) characters()
  for (i = 1; i <= orders; i++)
    printf "#define %s_%s%s%s\n", toupper(name), toupper(order[i]), order[i] ~ /^[A-Z]/ ? "(X)" : "", elements[order[i]]
}
