/* Every order at once: queues by weight, applications by rank, asks by size, victims by age. */
#include "quern.h"

QUERN_MANIFEST({
  "name": "orders", "version": "1.0.0", "abi": "1.0",
  "points": {
    "queue.order": {"columns": ["property:weight=1", "allocations"], "keys": 1, "depends": "row"},
    "app.order": {"columns": ["tag:rank=100"], "keys": 1, "depends": "row"},
    "ask.order": {"columns": ["ask:vcore"], "keys": 1, "depends": "row"}
  }
})
QUERN_NO_PARAMETERS

QUERN_POINT(queue_order, 1, frame) {
  quern_column weight = quern_column_at(frame, 0), held = quern_column_at(frame, 1);
  QUERN_EACH(frame, row) {
    double w = quern_value(weight, row);
    quern_answer(frame, row, 0, quern_value(held, row) / (w > 0 ? w : 1));
  }
  return QUERN_OK;
}

QUERN_POINT(app_order, 1, frame) {
  quern_column rank = quern_column_at(frame, 0);
  QUERN_EACH(frame, row) quern_answer(frame, row, 0, quern_value(rank, row));
  return QUERN_OK;
}

/* The largest first. */
QUERN_POINT(ask_order, 1, frame) {
  quern_column size = quern_column_at(frame, 0);
  QUERN_EACH(frame, row) quern_answer(frame, row, 0, -quern_value(size, row));
  return QUERN_OK;
}
