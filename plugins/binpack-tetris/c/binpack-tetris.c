/* Multi-resource packing: an ask goes where what it wants and what is left point the same way. README.md has the
 * formula. */
#include "quern.h"

QUERN_MANIFEST({
  "name": "binpack-tetris",
  "version": "1.0.0",
  "abi": "1.0",
  "description": "Nodes by alignment: the dot product of what the ask wants and what the node has free",
  "parameters": {
    "alignment": {
      "type": "text", "default": "dot", "values": ["dot", "cosine"],
      "description": "dot: amounts count, emptier nodes win; cosine: only proportions count"
    },
    "weights": {
      "type": "weights", "default": {}, "min": 0, "max": 1000,
      "description": "how much each type counts; a type that is not named counts 1, one with 0 not at all"
    }
  },
  "points": {
    "node.score": {"columns": ["ask:*", "capacity:*", "free:*"], "keys": 1, "depends": "ask", "fallback": "binpacking"}
  }
})

enum { MOST_WEIGHTS = 64, MOST_NAMES = 4096, MOST_TYPES = 21 /* of 64 columns */ };

/* The weights that were set. A code of 0 has not come up. */
static struct {
  uint32_t n, bytes;
  uint32_t code[MOST_WEIGHTS];
  double weight[MOST_WEIGHTS];
  quern_text name[MOST_WEIGHTS];
  char names[MOST_NAMES];
} given;

static bool cosine;

static uint32_t configure_weights(quern_json value) {
  quern_items items = quern_items_of(value);
  while (quern_next(&items)) {
    if (given.n == MOST_WEIGHTS || given.bytes + items.name.bytes > MOST_NAMES)
      return quern_fail(QUERN_BAD_CONFIG, "weights: expected at most 64, with 4096 bytes of names");
    char *name = given.names + given.bytes;
    for (uint32_t i = 0; i < items.name.bytes; i++) name[i] = items.name.start[i];
    given.name[given.n] = (quern_text){name, items.name.bytes};
    given.weight[given.n++] = quern_number(items.value);
    given.bytes += items.name.bytes;
  }
  return QUERN_OK;
}

QUERN_CONFIGURE(name, value) {
  if (quern_is(name, "alignment")) cosine = quern_is(quern_string(value), "cosine");
  return quern_is(name, "weights") ? configure_weights(value) : QUERN_OK;
}

QUERN_TEXT(code, text) {
  for (uint32_t i = 0; i < given.n; i++)
    if (quern_equal(given.name[i], text)) given.code[i] = code;
}

static double weight_of(uint32_t code) {
  for (uint32_t i = 0; i < given.n; i++)
    if (code && given.code[i] == code) return given.weight[i];
  return 1;
}

/* A type of the open frame. */
typedef struct {
  quern_column ask, capacity, free;
  double weight;
} type;

/* share is part of whole, 0 to 1, whatever the numbers are. */
static double share(double part, double whole) {
  double s = part / whole;
  if (!(whole > 0) || !(s > 0)) return 0;
  return s < 1 ? s : 1;
}

/* The score of a node: the alignment in billionths, and what it has used, below 1, to end ties. -1 where the node has none
 * of a type that the ask wants. */
static double score(const type *types, uint32_t n, uint32_t row) {
  double dot = 0, wants = 0, has = 0, used = 0, all = 0, weights = 0;
  for (uint32_t i = 0; i < n; i++) {
    double ask = quern_value(types[i].ask, row), capacity = quern_value(types[i].capacity, row), w = types[i].weight;
    if (ask > 0 && !(capacity > 0)) return -1;
    all += w;
    if (!(capacity > 0)) continue;
    double a = share(ask, capacity), f = share(quern_value(types[i].free, row), capacity);
    dot += w * a * f;
    wants += w * a * a;
    has += w * f * f;
    used += w * (1 - f);
    weights += w;
  }
  double most = cosine ? __builtin_sqrt(wants * has) : all;
  double full = weights > 0 ? used / weights : 0;
  return __builtin_floor(1e9 * share(dot, most)) + full * 0.5;
}

QUERN_POINT(node_score, 1, frame) {
  type types[MOST_TYPES];
  uint32_t n = frame->ncols / 3;
  if (n > MOST_TYPES) return quern_fail(QUERN_BAD_FRAME, "expected at most 21 types");
  for (uint32_t i = 0; i < n; i++) {
    types[i] = (type){quern_column_at(frame, i), quern_column_at(frame, n + i), quern_column_at(frame, 2 * n + i), 0};
    types[i].weight = weight_of(types[i].ask.argument);
  }
  QUERN_EACH(frame, row) quern_answer(frame, row, 0, score(types, n, row));
  return QUERN_OK;
}
