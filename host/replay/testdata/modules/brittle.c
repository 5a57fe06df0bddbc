/* Like most-free, but it cannot bear a node with exactly 7 vcore left. */
#include "quern.h"

QUERN_MANIFEST({
  "name": "brittle", "version": "1.0.0", "abi": "1.0",
  "points": {"node.score": {"columns": ["free:vcore"], "keys": 1, "depends": "row", "fallback": "binpacking"}}
})
QUERN_NO_PARAMETERS

QUERN_POINT(node_score, 1, frame) {
  quern_column left = quern_column_at(frame, 0);
  QUERN_EACH(frame, row) {
    if (quern_value(left, row) == 7000) __builtin_trap();
    quern_answer(frame, row, 0, quern_value(left, row));
  }
  return QUERN_OK;
}
