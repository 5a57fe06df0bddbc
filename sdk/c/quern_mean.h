/* quern_mean.h: the weighted mean of columns about types, such as share:*. For a row it is the sum of weight * value over
 * the sum of weights, rounded down, exact for values below 2^53. Values below 0 do not count, nor do types without a
 * weight. Weights count in thousandths. The scheduler's own fair and binpacking orders of nodes go by this mean.
 *
 * Configure it with a parameter of type weights, hand it all texts, and open it for each frame. */
#ifndef QUERN_MEAN_H
#define QUERN_MEAN_H
#include "quern.h"

enum { QUERN_MOST_WEIGHTS = 64, QUERN_MOST_NAME_BYTES = 4096 };

typedef struct {
  const unsigned char *base;
  uint32_t stride, weight;
} quern_weighted;

typedef struct {
  uint32_t n, bytes, columns;
  uint32_t code[QUERN_MOST_WEIGHTS], weight[QUERN_MOST_WEIGHTS]; /* weights in thousandths; a code of 0 has not come up */
  quern_text name[QUERN_MOST_WEIGHTS];
  quern_weighted column[QUERN_MOST_WEIGHTS]; /* those of the open frame that count */
  char names[QUERN_MOST_NAME_BYTES];
} quern_mean;

QUERN_ONCE uint32_t quern_mean_configure(quern_mean *m, quern_json weights) {
  quern_items items = quern_items_of(weights);
  m->n = m->bytes = 0;
  while (quern_next(&items)) {
    double thousandths = quern_number(items.value) * 1000 + 0.5;
    if (!(thousandths >= 0 && thousandths < (1 << 30)))
      return quern_fail(QUERN_BAD_CONFIG, "weights: expected 0 to 1000000");
    if (thousandths < 1) continue;
    if (m->n == QUERN_MOST_WEIGHTS || m->bytes + items.name.bytes >= QUERN_MOST_NAME_BYTES)
      return quern_fail(QUERN_BAD_CONFIG, "weights: expected at most 64, with 4095 bytes of names");
    char *name = m->names + m->bytes;
    for (uint32_t i = 0; i < items.name.bytes; i++) name[i] = items.name.start[i];
    m->name[m->n] = (quern_text){name, items.name.bytes};
    m->code[m->n] = 0;
    m->weight[m->n++] = (uint32_t)thousandths;
    m->bytes += items.name.bytes;
  }
  return QUERN_OK;
}

QUERN_INLINE void quern_mean_text(quern_mean *m, uint32_t code, quern_text text) {
  for (uint32_t i = 0; i < m->n; i++)
    if (quern_equal(m->name[i], text)) m->code[i] = code;
}

/* quern_mean_open takes a frame whose columns from first on are the ones that the mean is of. */
static __attribute__((unused)) void quern_mean_open(quern_mean *m, const quern_frame *f, uint32_t first) {
  m->columns = 0;
  for (uint32_t i = first; i < f->ncols; i++) {
    quern_column c = quern_column_at(f, i);
    for (uint32_t w = 0; w < m->n; w++)
      if (c.argument && c.argument == m->code[w] && m->columns < QUERN_MOST_WEIGHTS)
        m->column[m->columns++] = (quern_weighted){c.base, c.stride, m->weight[w]};
  }
}

/* Values that may be as large as they get: weights are below 2^36 together and values below 2^53, so that sums of the
 * upper 27 bits and of the lower 26 bits of values are below 2^63. */
QUERN_ONCE uint64_t quern_mean_large(const quern_mean *m, uint32_t row, uint64_t weights) {
  uint64_t high = 0, low = 0;
  for (uint32_t i = 0; i < m->columns; i++) {
    int64_t v = (int64_t)*(const double *)(m->column[i].base + row * m->column[i].stride);
    if (v < 0) continue;
    high += ((uint64_t)v >> 26) * m->column[i].weight;
    low += ((uint64_t)v & 0x3ffffff) * m->column[i].weight;
  }
  return (high / weights << 26) + ((high % weights << 26) + low) / weights;
}

/* quern_mean_at is the mean for a row, 0 where nothing counts. */
QUERN_INLINE double quern_mean_at(const quern_mean *m, uint32_t row) {
  uint64_t sum = 0, weights = 0, all = 0;
  for (uint32_t i = 0; i < m->columns; i++) {
    int64_t v = (int64_t)*(const double *)(m->column[i].base + row * m->column[i].stride);
    if (v < 0) continue;
    sum += (uint64_t)v * m->column[i].weight;
    weights += m->column[i].weight;
    all |= (uint64_t)v;
  }
  if (weights == 0) return 0;
  if ((all | weights) >> 32) return (double)quern_mean_large(m, row, weights);
  return (double)(sum / weights); /* below 2^64, since weights and values are below 2^32 */
}

#endif
