/* Like most-free, but an instance bears three calls and no more, as one does that leaks. */
#include "quern.h"

QUERN_MANIFEST({
  "name": "weary", "version": "1.0.0", "abi": "1.0",
  "points": {"node.score": {"columns": ["free:vcore"], "keys": 1, "depends": "row", "fallback": "binpacking"}}
})
QUERN_NO_PARAMETERS

QUERN_POINT(node_score, 1, frame) {
  static int calls;
  if (++calls > 3) __builtin_trap();
  quern_column left = quern_column_at(frame, 0);
  QUERN_EACH(frame, row) quern_answer(frame, row, 0, quern_value(left, row));
  return QUERN_OK;
}
