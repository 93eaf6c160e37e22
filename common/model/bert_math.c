#include "model/bert_math.h"

#include "base/cpu.h"

#include <stddef.h>
#include <string.h>

const struct bert_math *bert_math_best(const char *name) {
  static const struct {
    const struct bert_math *math;
    unsigned features;
  } kinds[] = {
#if defined(__x86_64__)
    {&bert_math_amx, CPU_AMX},
    {&bert_math_vnni, CPU_AVX512_VNNI},
    {&bert_math_avxvnni, CPU_AVXVNNI},
    {&bert_math_avx2, CPU_AVX2},
#endif
    {&bert_math_base, 0}
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if ((name == NULL || strcmp(name, kinds[i].math->name) == 0) && cpu_has(kinds[i].features))
      return kinds[i].math;
  return NULL;
}
