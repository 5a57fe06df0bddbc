/* The rack that the most asks of this shape fit first. */
#define QUERN_MINOR 2
#include "quern.h"

QUERN_MANIFEST({
  "name": "rack-fits", "version": "1.0.0", "abi": "1.2",
  "points": {"node.score": {"columns": ["domain_fits=-1"], "keys": 1, "depends": "ask", "fallback": "binpacking"}}
})

QUERN_CONFIGURE(name, value) {
  (void)name, (void)value;
  return QUERN_OK;
}

QUERN_POINT(node_score, 1, frame) {
  quern_column fits = quern_column_at(frame, 0);
  QUERN_EACH(frame, row) quern_answer(frame, row, 0, quern_value(fits, row));
  return QUERN_OK;
}
