# grammar.awk: a table of patterns as a header of C, which common/text/grammar.c runs.
#
#   awk -f data/gen/grammar.awk data/tables/NAME_grammar.tsv >.build/tables/NAME_grammar.h
#
# period_grammar.tsv explains the notation.  Words are numbered in ascending order; a set of words is a row of bits.
function fail(why) {
  printf "%s:%d: %s\n", FILENAME, FNR, why >"/dev/stderr"
  failed = 1
  exit 1
}
function define(list, element) { output[list] = output[list] (output[list] == "" ? "" : ",") " \\\n  " element }
function word_of(word) {
  if (!(word in seen)) {
    seen[word] = 1
    for (w = words++; w > 0 && sorted[w] > word; w--)
      sorted[w + 1] = sorted[w]
    sorted[w + 1] = word
  }
}
# The number of a set: "a|b|@class".
function set_of(text,   part, parts, i) {
  if (text in set_number) return set_number[text]
  parts = split(text, part, "|")
  for (i = 1; i <= parts; i++)
    if (part[i] ~ /^@/) {
      if (!(part[i] in set_number)) fail("no class " part[i])
      set_words[text] = set_words[text] " " set_words[part[i]]
    } else {
      if (part[i] !~ /^([a-z]+|&)$/) fail("no word: " part[i])
      word_of(part[i])
      set_words[text] = set_words[text] " " part[i]
    }
  set_text[sets] = text
  return set_number[text] = sets++
}
function rule_of(name) {
  if (!(name in rule_number)) {
    rule_number[name] = rules
    rule_name[rules++] = name
  }
  return rule_number[name]
}
function slot_of(name) { return name == "" ? "SLOT_NONE" : "SLOT_" toupper(name) }
# An element: {type, gap, flags, number, low, high, slot}
function add_element(text,   flags, gap, body, low, high, slot, type, number, at) {
  flags = "0"
  gap = "0"
  if (text == "(" || text == ")" || text == ")=") {
    define("element", "{" (text == "(" ? "ELEMENT_FROM" : text == ")" ? "ELEMENT_TO" : "ELEMENT_TO_KEPT") ", 0, 0, 0, 0, 0, 0}")
    elements++
    return
  }
  if (text ~ /^\[.*\]$/) { flags = flags " | FLAG_OPTIONAL"; text = substr(text, 2, length(text) - 2) }
  if (text ~ /.\*$/) { flags = flags " | FLAG_OPTIONAL | FLAG_REPEATED"; text = substr(text, 1, length(text) - 1) }
  for (;;) {
    at = substr(text, 1, 1)
    if (at == "!") flags = flags " | FLAG_NOT"
    else if (at == "<") flags = flags " | FLAG_BEHIND"
    else if (at == "^") flags = flags " | FLAG_CAPITAL"
    else if (index("+-/.,'~_%", at) && at != "") gap = "'" (at == "'" ? "\\" : "") at "'"
    else break
    text = substr(text, 2)
  }
  low = high = 0
  slot = ""
  if (text ~ /^\{.*\}$/) {
    body = substr(text, 2, length(text) - 2)
    if (body ~ /^#?[0-9]/) {
      type = body ~ /^#/ ? "ELEMENT_COUNT" : "ELEMENT_NUMBER"
      sub(/^#/, "", body)
      at = index(body, ">")
      if (at) { slot = substr(body, at + 1); body = substr(body, 1, at - 1) }
      low = high = body
      if (split(body, range, "-") == 2) { low = range[1]; high = range[2] }
      number = 0
    } else if (body ~ /^[A-Z]/) {
      type = "ELEMENT_" body
      number = 0
    } else {
      type = "ELEMENT_RULE"
      at = index(body, ":")
      if (at) {
        split(substr(body, at + 1), range, "=")
        slot = range[1]
        low = range[2]
        body = substr(body, 1, at - 1)
      }
      number = rule_of(body)
      used[body] = FNR
    }
  } else {
    type = "ELEMENT_WORD"
    number = set_of(text)
  }
  define("element", "{" type ", " gap ", " flags ", " number ", " low ", " high ", " slot_of(slot) "}")
  elements++
}
# A setting: month=3, how=FISCAL, part=nth, months*count, months%count
function add_setting(text,   op, side) {
  op = text ~ /\*/ ? "OP_TIMES" : text ~ /%/ ? "OP_WEEKS" : text ~ /=[a-z_]+$/ ? "OP_COPY" : "OP_SET"
  if (split(text, side, "[=*%]") != 2) fail("no setting: " text)
  define("setting", "{" slot_of(side[1]) ", " op ", " (op == "OP_SET" ? side[2] : slot_of(side[2])) "}")
  settings++
}
FNR == 1 { prefix = FILENAME; gsub(/.*\/|_grammar\.tsv$/, "", prefix); prefix = toupper(prefix) }
BEGIN { FS = "\t"; words = sets = rules = elements = settings = rows = 0 }
/^#/ || /^$/ { next }
/^@/ {
  n = split($2, part, " ")
  for (i = 1; i <= n; i++) {
    word_of(part[i])
    set_words[$1] = set_words[$1] " " part[i]
  }
  if (!($1 in set_number)) { set_text[sets] = $1; set_number[$1] = sets++ }
  next
}
NF < 2 || NF > 3 { fail("not a rule, a pattern, and perhaps settings") }
{
  if ($1 != last && ($1 in row_first)) fail("the rows of " $1 " are apart")
  rule_of($1)
  if (!($1 in row_first)) row_first[$1] = rows
  last = $1
  row_count[$1]++
  first_element = elements
  first_setting = settings
  condition = "0"
  n = split($2, part, " ")
  for (i = 1; i <= n; i++) add_element(part[i])
  n = split($3, part, " ")
  for (i = 1; i <= n; i++)
    if (part[i] ~ /^if=/) condition = prefix "_IF_" substr(part[i], 4)
    else add_setting(part[i])
  define("row", "{" first_element ", " elements - first_element ", " first_setting ", " settings - first_setting ", " condition "}")
  rows++
}
END {
  if (failed) exit 1
  for (name in used) if (!(name in row_first)) { FNR = used[name]; fail("no rule " name) }
  printf "/* %s_grammar.h: made from data/tables/%s_grammar.tsv by data/gen/grammar.awk; do not edit. */\n", tolower(prefix), tolower(prefix)
  groups = int(words / 32) + 1
  for (w = 1; w <= words; w++) { define("word", "\"" sorted[w] "\""); position[sorted[w]] = w }
  for (s = 0; s < sets; s++) {
    split("", bits)
    split("", has)
    n = split(set_words[set_text[s]], part, " ")
    for (i = 1; i <= n; i++) {
      w = position[part[i]]
      if (!(w in has)) bits[int(w / 32)] += 2 ^ (w % 32)
      has[w] = 1
    }
    row = ""
    for (g = 0; g < groups; g++) row = row (g ? ", " : "") sprintf("%.0fu", bits[g] + 0)
    define("set", row)
    if (set_text[s] ~ /^@/) printf "#define %s_CLASS_%s %d\n", prefix, toupper(substr(set_text[s], 2)), s
  }
  for (r = 0; r < rules; r++) {
    define("rule", "{" row_first[rule_name[r]] ", " row_count[rule_name[r]] "}")
    printf "#define %s_RULE_%s %d\n", prefix, toupper(rule_name[r]), r
  }
  printf "#define %s_GRAMMAR_GROUPS %d\n", prefix, groups
  for (list in output) printf "#define %s_GRAMMAR_%s%s\n", prefix, toupper(list), output[list]
}
