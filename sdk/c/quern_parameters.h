/* quern_parameters.h: the values that an operator set, read from the JSON that a host writes (keys in bytewise order, no
 * blanks). Part of quern.h. Nothing is copied: what a policy keeps of a text it must copy, since the arena is reused. */
#ifndef QUERN_PARAMETERS_H
#define QUERN_PARAMETERS_H

/* A piece of JSON; null where there is none. */
typedef struct {
  const char *at, *end;
} quern_json;

QUERN_ONCE void quern_blanks(quern_json *j) {
  while (j->at < j->end && (*j->at == ' ' || *j->at == '\n' || *j->at == '\t' || *j->at == '\r')) j->at++;
}

/* quern_take takes one character, if it comes next. */
QUERN_ONCE bool quern_take(quern_json *j, char c) {
  quern_blanks(j);
  if (j->at >= j->end || *j->at != c) return false;
  j->at++;
  return true;
}

/* quern_skip takes one value, and is that value. */
QUERN_ONCE quern_json quern_skip(quern_json *j) {
  quern_blanks(j);
  const char *start = j->at;
  uint32_t depth = 0;
  bool quoted = false;
  for (; j->at < j->end; j->at++) {
    char c = *j->at;
    if (quoted) {
      if (c == '\\') j->at++;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      depth++;
    } else if (depth == 0 && (c == ',' || c == '}' || c == ']' || c == ':')) {
      break;
    } else if (c == '}' || c == ']') {
      depth--;
    }
  }
  if (j->at > j->end) j->at = j->end;
  return (quern_json){start, j->at};
}

QUERN_ONCE uint32_t quern_hex(char c) {
  return c <= '9' ? (uint32_t)(c - '0') : (uint32_t)((c | 32) - 'a' + 10);
}

QUERN_ONCE char quern_unescaped(char c) {
  return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'b' ? '\b' : c == 'f' ? '\f' : c;
}

QUERN_ONCE char *quern_utf8(char *to, uint32_t c) {
  if (c < 0x80) {
    *to++ = (char)c;
  } else if (c < 0x800) {
    *to++ = (char)(0xc0 | c >> 6);
    *to++ = (char)(0x80 | (c & 63));
  } else if (c < 0x10000) {
    *to++ = (char)(0xe0 | c >> 12);
    *to++ = (char)(0x80 | (c >> 6 & 63));
    *to++ = (char)(0x80 | (c & 63));
  } else {
    *to++ = (char)(0xf0 | c >> 18);
    *to++ = (char)(0x80 | (c >> 12 & 63));
    *to++ = (char)(0x80 | (c >> 6 & 63));
    *to++ = (char)(0x80 | (c & 63));
  }
  return to;
}

QUERN_ONCE uint32_t quern_four(const char *at) {
  return quern_hex(at[0]) << 12 | quern_hex(at[1]) << 8 | quern_hex(at[2]) << 4 | quern_hex(at[3]);
}

/* quern_string is a string's text. Escapes are undone in place, which is never longer: a value can be read once. */
QUERN_ONCE quern_text quern_string(quern_json j) {
  if (j.end - j.at < 2 || *j.at != '"') return (quern_text){0, 0};
  char *start = (char *)j.at + 1, *to = start;
  const char *end = j.end - 1;
  for (const char *at = start; at < end; at++) {
    if (*at != '\\' || at + 1 >= end) {
      *to++ = *at;
    } else if (*++at != 'u' || end - at < 5) {
      *to++ = quern_unescaped(*at);
    } else {
      uint32_t c = quern_four(at + 1);
      at += 4;
      if (c >> 10 == 0x36 && end - at > 6 && at[1] == '\\' && at[2] == 'u') {
        c = 0x10000 + ((c & 0x3ff) << 10) + (quern_four(at + 3) & 0x3ff);
        at += 6;
      }
      to = quern_utf8(to, c);
    }
  }
  return (quern_text){start, (uint32_t)(to - start)};
}

#include "quern_number.h"

/* The members of an object, or the items of a list or of weights: quern_next takes one after the other. */
typedef struct {
  quern_json rest;
  bool object, started;
  quern_text name; /* of the member; empty in a list */
  quern_json value;
} quern_items;

QUERN_INLINE quern_items quern_items_of(quern_json j) { return (quern_items){.rest = j}; }

/* quern_next is false at the end, and where there is no object or list. */
QUERN_ONCE bool quern_next(quern_items *i) {
  if (!i->started) {
    i->started = true;
    i->object = quern_take(&i->rest, '{');
    if (!i->object && !quern_take(&i->rest, '[')) return false;
  } else if (!quern_take(&i->rest, ',')) {
    return false;
  }
  if (quern_take(&i->rest, i->object ? '}' : ']')) return false;
  if (i->object) {
    i->name = quern_string(quern_skip(&i->rest));
    if (!quern_take(&i->rest, ':')) return false;
  }
  i->value = quern_skip(&i->rest);
  return i->value.end > i->value.at;
}

/* ---- Parameters. QUERN_CONFIGURE(name, value) { …; return QUERN_OK; } is done once for each parameter: quern_is(name,
 * "weight") says which it is. The host gives a value for every parameter of the manifest and checks its type and range. */

QUERN_INLINE double quern_number(quern_json j) { return quern_decimal(j.at, j.end); }
QUERN_INLINE bool quern_boolean(quern_json j) { return j.at < j.end && *j.at == 't'; }

#define QUERN_CONFIGURE(name, value)                                                           \
  static uint32_t quern_each_parameter(quern_text name, quern_json value);                     \
  QUERN_EXPORT(quern_configure) uint32_t quern_configure(const char *json, uint32_t bytes) {   \
    quern_items items = quern_items_of((quern_json){json, json + bytes});                      \
    while (quern_next(&items)) {                                                               \
      uint32_t code = quern_each_parameter(items.name, items.value);                           \
      if (code) return code;                                                                   \
    }                                                                                          \
    return QUERN_OK;                                                                           \
  }                                                                                            \
  static uint32_t quern_each_parameter(quern_text name, quern_json value)

/* QUERN_NO_PARAMETERS stands in the place of QUERN_CONFIGURE where the manifest has none. */
#define QUERN_NO_PARAMETERS                                                                    \
  QUERN_CONFIGURE(name, value) {                                                               \
    (void)name, (void)value;                                                                   \
    return quern_fail(QUERN_BAD_CONFIG, "expected no parameters");                             \
  }

#endif
