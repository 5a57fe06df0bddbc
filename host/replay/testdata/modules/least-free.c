/* The node with the least free vcore first: what an operator may put in the place of most-free. */
#include "quern.h"

QUERN_MANIFEST({
  "name": "least-free", "version": "2.0.0", "abi": "1.0",
  "points": {"node.score": {"columns": ["free:vcore"], "keys": 1, "depends": "row"}}
})
QUERN_NO_PARAMETERS

QUERN_POINT(node_score, 1, frame) {
  quern_column left = quern_column_at(frame, 0);
  QUERN_EACH(frame, row) quern_answer(frame, row, 0, -quern_value(left, row));
  return QUERN_OK;
}
