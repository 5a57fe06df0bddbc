/* Least used first: queues and applications by their shares, nodes by their utilisation. It decides as the scheduler's
 * own fair orders do. */
#include "quern.h"
#include "quern_mean.h"

QUERN_MANIFEST({
  "name": "fair-c",
  "version": "1.0.0",
  "abi": "1.0",
  "description": "Least used first: queues and applications by their shares, nodes by their utilisation",
  "parameters": {
    "weights": {
      "type": "weights", "default": {"memory": 1, "vcore": 1}, "min": 0,
      "description": "how much each type counts in the utilisation of a node, in thousandths at the finest"
    }
  },
  "points": {
    "node.score": {"columns": ["share:*"], "keys": 1, "depends": "row", "fallback": "fair"},
    "app.order": {
      "columns": ["top_share:1", "top_share:2", "top_share:3", "top_share:4",
                  "top_share:5", "top_share:6", "top_share:7", "top_share:8"],
      "keys": 8, "depends": "row", "fallback": "fair"
    },
    "queue.order": {"columns": ["fair_share", "pending_share"], "keys": 2, "depends": "row", "fallback": "fair"}
  }
})

static quern_mean used;

QUERN_CONFIGURE(name, value) {
  return quern_is(name, "weights") ? quern_mean_configure(&used, value) : QUERN_OK;
}

QUERN_TEXT(code, text) { quern_mean_text(&used, code, text); }

QUERN_POINT(node_score, 1, frame) {
  quern_mean_open(&used, frame, 0);
  QUERN_EACH(frame, row) quern_answer(frame, row, 0, -quern_mean_at(&used, row));
  return QUERN_OK;
}

/* The largest share first, then the next. */
QUERN_POINT(app_order, 8, frame) {
  for (uint32_t j = 0; j < 8; j++) {
    quern_column share = quern_column_at(frame, j);
    QUERN_EACH(frame, row) quern_answer(frame, row, j, quern_value(share, row));
  }
  return QUERN_OK;
}

/* The least used first, and of equals the one with more pending. */
QUERN_POINT(queue_order, 2, frame) {
  quern_column share = quern_column_at(frame, 0), pending = quern_column_at(frame, 1);
  QUERN_EACH(frame, row) {
    quern_answer(frame, row, 0, quern_value(share, row));
    quern_answer(frame, row, 1, -quern_value(pending, row));
  }
  return QUERN_OK;
}
