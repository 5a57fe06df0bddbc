/* A filter: nodes of the rack that the settings name, and no others. */
#define QUERN_MINOR 2
#include "quern.h"

QUERN_MANIFEST({
  "name": "one-rack", "version": "1.0.0", "abi": "1.2",
  "parameters": {"rack": {"type": "text", "default": "z1/r2"}},
  "points": {"node.filter": {"columns": ["domain:rack"], "keys": 1, "depends": "ask"}}
})

static char wanted[64];
static uint32_t code_of_wanted;

QUERN_CONFIGURE(name, value) {
  if (quern_is(name, "rack")) {
    quern_text text = quern_string(value);
    for (uint32_t i = 0; i < text.bytes && i < sizeof wanted - 1; i++) wanted[i] = text.start[i];
  }
  return QUERN_OK;
}

QUERN_TEXT(code, text) {
  if (quern_is(text, wanted)) code_of_wanted = code;
}

QUERN_POINT(node_filter, 1, frame) {
  quern_column rack = quern_column_at(frame, 0);
  QUERN_EACH(frame, row) quern_answer(frame, row, 0, quern_value(rack, row) != 0 && quern_value(rack, row) == code_of_wanted ? 0 : 1);
  return QUERN_OK;
}
