/* Applications by a priority that grows while they wait. README.md has the formula. */
#define QUERN_MINOR 3
#include "quern.h"

QUERN_MANIFEST({
  "name": "aging",
  "version": "1.0.0",
  "abi": "1.3",
  "description": "Applications by a priority that grows with the time that they wait",
  "parameters": {
    "interval": {"type": "number", "default": 300, "min": 1, "max": 1000000,
                 "description": "seconds of waiting that raise the priority by 1"}
  },
  "points": {
    "app.order": {"columns": ["priority", "submitted_at"], "keys": 2, "depends": "row", "fallback": "fifo"}
  }
})

static double interval = 300;

QUERN_CONFIGURE(name, value) {
  if (quern_is(name, "interval")) interval = quern_number(value);
  return QUERN_OK;
}

/* All gain alike by waiting, so the instant at which the priority would have been 0 says it all: the earlier, the higher. */
QUERN_POINT(app_order, 2, frame) {
  quern_column priority = quern_column_at(frame, 0), submitted = quern_column_at(frame, 1);
  QUERN_EACH(frame, row) {
    double own = quern_value(priority, row);
    quern_answer(frame, row, 0, quern_value(submitted, row) - own * interval);
    quern_answer(frame, row, 1, -own);
  }
  return QUERN_OK;
}
