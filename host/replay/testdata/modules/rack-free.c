/* The domain with the most free vcore first, or with sign -1 the one with the least. */
#define QUERN_MINOR 2
#include "quern.h"

QUERN_MANIFEST({
  "name": "rack-free", "version": "1.0.0", "abi": "1.2",
  "parameters": {
    "sign": {"type": "number", "default": 1, "min": -1, "max": 1},
    "level": {"type": "text", "default": "rack"}
  },
  "points": {"node.score": {"columns": ["domain_free:$level:vcore"], "keys": 1, "depends": "row", "fallback": "binpacking"}}
})

static double sign = 1;

QUERN_CONFIGURE(name, value) {
  if (quern_is(name, "sign")) sign = quern_number(value);
  return QUERN_OK;
}

QUERN_POINT(node_score, 1, frame) {
  quern_column left = quern_column_at(frame, 0);
  QUERN_EACH(frame, row) quern_answer(frame, row, 0, sign * quern_value(left, row));
  return QUERN_OK;
}
