#include "source/jq_flatten.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/bid-jq_flatten-XXXXXX";
static struct buf out;

static void put(const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  if (f) {
    fputs(text, f);
    fclose(f);
  }
}

/* The flat text of a program, or "-" where it is not plain. */
static const char *flat(const char *text) {
  static const char *const roots[] = {"declare", "step", NULL};
  const char *folders[] = {folder, NULL};
  char path[256];
  put("main.jq", text);
  snprintf(path, sizeof path, "%s/main.jq", folder);
  buf_clear(&out);
  return jq_flatten(path, folders, roots, &out) == 0 ? (out.data ? out.data : "") : "-";
}

TEST(what_is_not_needed_is_left_out) {
  CHECK_STR(flat("def unused: 1;\ndef helper($x; f): $x | f;\ndef declare: {a: 1};\ndef step: helper(1; .);"),
            "def helper($x; f): $x | f;\ndef declare: {a: 1};\ndef step: helper(1; .);\n");
}

TEST(strings_comments_and_inner_definitions_do_not_end_one) {
  CHECK_STR(flat("def declare: 1; def step: def g(a; b): a; g(\"x;\\(\"y\" + (1|tostring))\"; 2) | .def;"),
            "def declare: 1;\ndef step: def g(a; b): a; g(\"x;\\(\"y\" + (1|tostring))\"; 2) | .def;\n");
  CHECK_STR(flat("def declare: # def x: \"\n  def i: \"a)\\\"\\\\\"; [i; 1] | \"\\(\"\\(2)\" | "
                 "f(\")\"))\";def step: 1;"),
            "def declare: # def x: \"\n  def i: \"a)\\\"\\\\\"; [i; 1] | \"\\(\"\\(2)\" | f(\")\"))\";\ndef "
            "step: 1;\n");
}

TEST(libraries_come_first_and_once) {
  put("a.jq", "include \"b\";\ndef fa: fb;\n");
  put("b.jq", "def fb: \"b\";\ndef never: 0;\n");
  CHECK_STR(flat("include \"b\"; include \"a\";\ndef declare: fa; def step: fb;"),
            "def fb: \"b\";\ndef fa: fb;\ndef declare: fa;\ndef step: fb;\n");
}

TEST(arity_parts_names) {
  CHECK_STR(flat("def f: 1; def f(x): x; def declare: f; def step: f(2);"),
            "def f: 1;\ndef f(x): x;\ndef declare: f;\ndef step: f(2);\n");
}

TEST(its_own_definition_hides_a_librarys) {
  put("shadow.jq", "def days: 1;\ndef far: days;\n");
  CHECK_STR(flat("include \"shadow\"; def declare: days; def days: 2; def step: [days, far];"),
            "def days: 1;\ndef far: days;\ndef declare: days;\ndef days: 2;\ndef step: [days, far];\n");
}

TEST(what_is_not_plain_is_left_to_libjq) {
  put("again.jq", "include \"b\";\ndef fb: 2;\n");
  static const char *const other[] = {"include \"again\"; def declare: fb;",
                                      "def declare: 1; .",
                                      "import \"b\" as b; def declare: 1;",
                                      "include \"nowhere\"; def declare: 1;",
                                      "include \"b\" {search: \"./\"}; def declare: 1;",
                                      "def declare: \"unclosed;",
                                      "def declare: 1",
                                      "def declare: \"\\(1\";"};
  for (size_t i = 0; i < sizeof other / sizeof *other; i++)
    CHECK_STR(flat(other[i]), "-");
}

int main(void) {
  char command[64];
  if (!mkdtemp(folder))
    return 1;
  buf_init(&out, 1 << 20);
  RUN(what_is_not_needed_is_left_out);
  RUN(strings_comments_and_inner_definitions_do_not_end_one);
  RUN(libraries_come_first_and_once);
  RUN(arity_parts_names);
  RUN(its_own_definition_hides_a_librarys);
  RUN(what_is_not_plain_is_left_to_libjq);
  buf_release(&out);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command) == 0 ? test_done() : 1;
}
