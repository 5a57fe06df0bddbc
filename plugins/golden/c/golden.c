/* The golden policy in C: every SDK has it in its language, and all answer with the same bytes. */
#define QUERN_MINOR 3
#include "quern.h"

QUERN_MANIFEST({
  "name": "golden",
  "version": "1.0.0",
  "abi": "1.3",
  "description": "The policy that every SDK is tested with",
  "parameters": {"weight": {"type": "number", "default": 1}},
  "points": {
    "app.order": {"columns": ["used:vcore", "tag:rank=-1", "tag_code:team"], "keys": 2, "depends": "row"},
    "ask.order": {"columns": ["gang_size", "gang_min", "user_code", "placeholder"], "keys": 3, "depends": "row"},
    "node.filter": {"columns": ["domain:rack", "domain_free:rack:vcore=-1", "domain_fits"], "keys": 1, "depends": "ask"},
    "node.score": {"columns": ["free:vcore", "ask:vcore"], "keys": 1, "depends": "ask"},
    "queue.order": {"columns": ["pending_share"], "keys": 1, "depends": "siblings"},
    "victim.rank": {"columns": ["walltime=-1", "ask_priority"], "keys": 2, "depends": "row"}
  }
})

static double weight = 1;
static uint32_t gold; /* code of the text, 0 where it has not come up */

QUERN_CONFIGURE(name, value) {
  if (quern_is(name, "weight")) weight = quern_number(value);
  return QUERN_OK;
}

QUERN_TEXT(code, text) {
  if (quern_is(text, "gold")) gold = code;
}

/* The least used and lowest ranked first, and of equals the team "gold". */
QUERN_POINT(app_order, 2, frame) {
  quern_column used = quern_column_at(frame, 0), rank = quern_column_at(frame, 1), team = quern_column_at(frame, 2);
  QUERN_EACH(frame, row) {
    double code = quern_value(team, row);
    quern_answer(frame, row, 0, quern_value(used, row) * weight + quern_value(rank, row));
    quern_answer(frame, row, 1, code == 0 ? 0 : code == gold ? -1 : 1);
  }
  return QUERN_OK;
}

/* Gangs that need more members than they have last, placeholders before others, and of equals the user "gold". */
QUERN_POINT(ask_order, 3, frame) {
  quern_column size = quern_column_at(frame, 0), min = quern_column_at(frame, 1), user = quern_column_at(frame, 2);
  quern_column placeholder = quern_column_at(frame, 3);
  QUERN_EACH(frame, row) {
    double code = quern_value(user, row), lacking = quern_value(min, row) - quern_value(size, row);
    quern_answer(frame, row, 0, lacking > 0 ? lacking : 0);
    quern_answer(frame, row, 1, -quern_value(placeholder, row));
    quern_answer(frame, row, 2, code != 0 && code == gold ? 0 : 1);
  }
  return QUERN_OK;
}

/* Racks without room for more asks than the weight are refused, but not the one named "gold". */
QUERN_POINT(node_filter, 1, frame) {
  quern_column rack = quern_column_at(frame, 0), left = quern_column_at(frame, 1), fits = quern_column_at(frame, 2);
  QUERN_EACH(frame, row) {
    double code = quern_value(rack, row), refused = quern_value(left, row) > 0 ? 1 : 2;
    bool named = code != 0 && code == gold;
    quern_answer(frame, row, 0, named || quern_value(fits, row) > weight ? 0 : refused);
  }
  return QUERN_OK;
}

/* Those are best that have most left beside the ask. */
QUERN_POINT(node_score, 1, frame) {
  quern_column left = quern_column_at(frame, 0), ask = quern_column_at(frame, 1);
  QUERN_EACH(frame, row) quern_answer(frame, row, 0, (quern_value(left, row) - quern_value(ask, row)) * weight);
  return QUERN_OK;
}

/* The smallest part of what is pending first. */
QUERN_POINT(queue_order, 1, frame) {
  quern_column share = quern_column_at(frame, 0);
  double sum = 0;
  QUERN_EACH(frame, row) sum += quern_value(share, row);
  QUERN_EACH(frame, row) quern_answer(frame, row, 0, sum != 0 ? quern_value(share, row) / sum : 0);
  return QUERN_OK;
}

/* The longest walltime first, an ask without one before all others; of equals the lowest priority. */
QUERN_POINT(victim_rank, 2, frame) {
  quern_column walltime = quern_column_at(frame, 0), priority = quern_column_at(frame, 1);
  QUERN_EACH(frame, row) {
    double limit = quern_value(walltime, row);
    quern_answer(frame, row, 0, limit < 0 ? -__builtin_inf() : -limit * weight);
    quern_answer(frame, row, 1, quern_value(priority, row));
  }
  return QUERN_OK;
}
