/* office_part.c: what an office file lacks is said, and the rest read. */
#include "reader/office_part.h"

int office_part(const struct office_reader_options *o, const struct package *p, const char *name,
                int optional, struct xml *x) {
  struct error_text why;
  int status = package_xml(p, name, x, &why);
  if (status != 0 && !o->lost->text[0] && !(optional && package_part(p, name).len == 0))
    *o->lost = why;
  return status;
}

void office_part_absent(const struct office_reader_options *o, const char *what, int number) {
  if (!o->lost->text[0])
    error_set(o->lost, "%s %d is not there", what, number);
}
