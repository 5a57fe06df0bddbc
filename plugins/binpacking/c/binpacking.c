/* The most utilised node first, so that others stay empty. It decides as the scheduler's own binpacking order does. */
#include "quern.h"
#include "quern_mean.h"

QUERN_MANIFEST({
  "name": "binpacking-c",
  "version": "1.0.0",
  "abi": "1.0",
  "description": "The most utilised node first",
  "parameters": {
    "weights": {
      "type": "weights", "default": {"memory": 1, "vcore": 1}, "min": 0,
      "description": "how much each type counts in the utilisation of a node, in thousandths at the finest"
    }
  },
  "points": {"node.score": {"columns": ["share:*"], "keys": 1, "depends": "row", "fallback": "binpacking"}}
})

static quern_mean used;

QUERN_CONFIGURE(name, value) {
  return quern_is(name, "weights") ? quern_mean_configure(&used, value) : QUERN_OK;
}

QUERN_TEXT(code, text) { quern_mean_text(&used, code, text); }

QUERN_POINT(node_score, 1, frame) {
  quern_mean_open(&used, frame, 0);
  QUERN_EACH(frame, row) quern_answer(frame, row, 0, quern_mean_at(&used, row));
  return QUERN_OK;
}
