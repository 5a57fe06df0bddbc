/* It answers by how often it was asked, which is no function of what it is asked about. */
#include "quern.h"

QUERN_MANIFEST({
  "name": "counting", "version": "1.0.0", "abi": "1.0",
  "points": {"node.score": {"columns": ["free:vcore"], "keys": 1, "depends": "row", "fallback": "binpacking"}}
})
QUERN_NO_PARAMETERS

QUERN_POINT(node_score, 1, frame) {
  static double asked;
  QUERN_EACH(frame, row) quern_answer(frame, row, 0, ++asked);
  return QUERN_OK;
}
