/* The node with the least memory first: another column than most-free reads. */
#include "quern.h"

QUERN_MANIFEST({
  "name": "uneven", "version": "1.0.0", "abi": "1.0",
  "points": {"node.score": {"columns": ["capacity:vcore", "free:*"], "keys": 1, "depends": "siblings"}}
})
QUERN_NO_PARAMETERS

QUERN_POINT(node_score, 1, frame) {
  quern_column size = quern_column_at(frame, 0);
  QUERN_EACH(frame, row) quern_answer(frame, row, 0, -quern_value(size, row));
  return QUERN_OK;
}
