/* rank_newest.c: where no period is asked for, the newest report of a company comes before the older ones.
 *
 * A 10-K repeats most of what the one before it says, with other figures.  The two passages score alike, and which is
 * first would be chance; a reader who names no period wants today's figure.
 */
#include "filing/form.h"
#include "search/rank_internal.h"

static int ends_later(const struct store_doc *newer, const struct store_doc *older) {
  if (newer->reported != STORE_NO_DAY && older->reported != STORE_NO_DAY)
    return newer->reported > older->reported;
  if (newer->fiscal_year == 0 || older->fiscal_year == 0)
    return 0;
  return newer->fiscal_year > older->fiscal_year ||
         (newer->fiscal_year == older->fiscal_year && newer->fiscal_period > older->fiscal_period);
}

/* Whether `newer` is a later annual or quarterly report of the company, of the same kind. */
static int follows(const struct rank_asking *a, const struct store_doc *newer,
                   const struct store_doc *older) {
  enum form_kind kind = form_kind_of(slice_str(a->forms[newer->form]));
  return newer->company == older->company && (kind == FORM_ANNUAL || kind == FORM_QUARTERLY) &&
         kind == form_kind_of(slice_str(a->forms[older->form])) && ends_later(newer, older);
}

static const struct store_doc *document_of(const struct rank_candidate *c) {
  return &c->hit.at.seg->doc[c->hit.at.doc];
}

void rank_demote_older(const struct rank_asking *a, struct rank_candidate *const *order, size_t count,
                       float penalty) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < count; k++)
      if (follows(a, document_of(order[k]), document_of(order[i]))) {
        order[i]->hit.sum -= penalty;
        break;
      }
}
