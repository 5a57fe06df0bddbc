/* Applications by what their users and groups use of their limits. README.md has the formula. */
#define QUERN_MINOR 1
#include "quern.h"

QUERN_MANIFEST({
  "name": "user-fair",
  "version": "1.0.0",
  "abi": "1.1",
  "description": "Applications of the users and groups first that use the least of their limits",
  "parameters": {
    "groups": {"type": "boolean", "default": true, "description": "the limit of the group counts as well"},
    "unlimited": {"type": "number", "default": 1, "min": 0, "max": 1000000,
                  "description": "the share that counts as used where no limit names a type"}
  },
  "points": {
    "app.order": {"columns": ["user_limit_share=-1", "group_limit_share=-1"], "keys": 2, "depends": "row", "fallback": "fair"}
  }
})

static bool groups = true;
static double unlimited = 1e9;

QUERN_CONFIGURE(name, value) {
  if (quern_is(name, "groups")) groups = quern_boolean(value);
  if (quern_is(name, "unlimited")) unlimited = 1e9 * quern_number(value);
  return QUERN_OK;
}

/* The fuller of the two limits first; of equals, the other. Shares are -1 where there is no limit. */
QUERN_POINT(app_order, 2, frame) {
  quern_column user = quern_column_at(frame, 0), group = quern_column_at(frame, 1);
  QUERN_EACH(frame, row) {
    double a = quern_value(user, row), b = groups ? quern_value(group, row) : -1;
    double fuller = a > b ? a : b, other = a > b ? b : a;
    quern_answer(frame, row, 0, fuller < 0 ? unlimited : fuller);
    quern_answer(frame, row, 1, other);
  }
  return QUERN_OK;
}
