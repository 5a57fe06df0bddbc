/* It never answers about an application that uses anything. */
#include "quern.h"

QUERN_MANIFEST({
  "name": "endless", "version": "1.0.0", "abi": "1.0",
  "points": {"app.order": {"columns": ["submitted", "allocations"], "keys": 1, "depends": "row", "fallback": "fair"}}
})
QUERN_NO_PARAMETERS

QUERN_POINT(app_order, 1, frame) {
  quern_column place = quern_column_at(frame, 0), held = quern_column_at(frame, 1);
  QUERN_EACH(frame, row) {
    for (volatile double wait = 0; quern_value(held, row) > 2; wait = wait + 1) {
    }
    quern_answer(frame, row, 0, -quern_value(place, row));
  }
  return QUERN_OK;
}
