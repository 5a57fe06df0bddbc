/* quern.h: what a policy module of Quern written in C is made of. C11, freestanding, for clang and wasm-ld:
 *
 *   #include "quern.h"
 *
 *   QUERN_MANIFEST({
 *     "name": "biggest", "version": "1.0.0", "abi": "1.0",
 *     "points": {"node.score": {"columns": ["free:vcore"], "keys": 1, "depends": "row"}}
 *   })
 *
 *   QUERN_POINT(node_score, 1, frame) {
 *     quern_column free = quern_column_at(frame, 0);
 *     QUERN_EACH(frame, row) quern_answer(frame, row, 0, quern_value(free, row));
 *     return QUERN_OK;
 *   }
 *
 * A module is one file that includes this header once. README.md beside it says the rest; sdk/abi is the contract. */
#ifndef QUERN_H
#define QUERN_H

#if !defined(__wasm32__)
#error "quern.h: expected the target wasm32: clang --target=wasm32 -nostdlib -O2 -c"
#endif
#if !defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L
#error "quern.h: expected C11 or later: clang -std=c11"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The minor version of the contract, as "abi" in the manifest has it: #define QUERN_MINOR 3 before the include where it says "1.3". */
#ifndef QUERN_MINOR
#define QUERN_MINOR 0
#endif
#define QUERN_VERSION (1u << 16 | QUERN_MINOR)
#define QUERN_MAX_KEYS 8

enum {
  QUERN_OK = 0,
  QUERN_BAD_FRAME = 1,   /* the frame is of a version or shape that the module does not understand */
  QUERN_BAD_CONFIG = 2,  /* the configuration cannot be used */
  QUERN_CANNOT_SERVE = 3 /* the module cannot answer */
};

#define QUERN_EXPORT(name) __attribute__((export_name(#name), used))
#define QUERN_INLINE static inline __attribute__((always_inline, unused))
#define QUERN_ONCE static __attribute__((noinline, minsize, unused)) /* done once: small rather than fast */

/* ---- The manifest. Written as it is, in JSON; a module without one does not link. */

extern const char quern_expected_a_QUERN_MANIFEST_in_this_module[];
#define QUERN_MANIFEST(...)                                                                    \
  const char quern_expected_a_QUERN_MANIFEST_in_this_module[] = #__VA_ARGS__;                  \
  _Static_assert(sizeof #__VA_ARGS__ <= 65536, "a manifest has at most 64 KiB, its NUL too");  \
  _Static_assert(sizeof #__VA_ARGS__ > 2, "expected a manifest: a JSON object, found nothing");

QUERN_EXPORT(quern_abi) uint32_t quern_abi(void) { return QUERN_VERSION; }
QUERN_EXPORT(quern_manifest) const char *quern_manifest(void) {
  return quern_expected_a_QUERN_MANIFEST_in_this_module;
}

/* ---- Failures. quern_fail keeps a text for the operator and returns the code. */

static const char *quern_failure = "";
QUERN_EXPORT(quern_error) const char *quern_error(void) { return quern_failure; }
QUERN_INLINE uint32_t quern_fail(uint32_t code, const char *text) {
  quern_failure = text;
  return code;
}

/* ---- The arena: everything behind the module's own data. The host writes configuration, texts and frames there. */

extern unsigned char __heap_base;
QUERN_EXPORT(quern_reserve) uint32_t quern_reserve(uint32_t bytes) {
  uint32_t start = ((uint32_t)&__heap_base + 63) & ~63u;
  uint32_t have = (uint32_t)__builtin_wasm_memory_size(0) << 16;
  if (bytes > 0x7fff0000u - start) return 0;
  if (start + bytes > have &&
      __builtin_wasm_memory_grow(0, (start + bytes - have + 0xffff) >> 16) == (size_t)-1)
    return 0;
  return start;
}

/* ---- Frames. */

typedef struct {
  uint32_t size, version, n, k, epoch, flags, keys, ncols, off_idx, off_out, desc_size, reserved;
} quern_header;
_Static_assert(sizeof(quern_header) == 48, "the header of version 1.0 has 48 bytes");

typedef struct {
  uint32_t column, argument, offset, stride;
} quern_descriptor;
_Static_assert(sizeof(quern_descriptor) == 16, "a descriptor of version 1.0 has 16 bytes");
_Static_assert(sizeof(double) == 8, "numbers are f64");

/* A frame of the point that is asked about: n rows, of which k are to be answered. */
typedef struct {
  const unsigned char *bytes;
  const uint32_t *idx; /* the rows to answer; null: all, 0 to n-1 */
  double *out;
  uint32_t n, k, keys, ncols;
} quern_frame;

/* A column: the number of a row is at base + row * stride. */
typedef struct {
  const unsigned char *base;
  uint32_t stride;
  uint32_t argument; /* code of what stands behind the colon, in the dictionary; 0 where nothing does */
} quern_column;

QUERN_INLINE uint32_t quern_open(const void *address, uint32_t keys, quern_frame *f) {
  const quern_header *h = address;
  const unsigned char *bytes = address;
  if (h->version >> 16 != QUERN_VERSION >> 16)
    return quern_fail(QUERN_BAD_FRAME, "expected a frame of version 1, found one of another");
  if (h->keys != keys)
    return quern_fail(QUERN_BAD_FRAME, "expected frames with as many keys as QUERN_POINT has: the manifest differs");
  bool dense = h->flags & 1 && h->k == h->n;
  f->bytes = bytes;
  f->idx = dense ? 0 : (const uint32_t *)(bytes + h->off_idx);
  f->out = (double *)(bytes + h->off_out);
  f->n = h->n;
  f->k = h->k;
  f->keys = keys;
  f->ncols = h->ncols;
  return QUERN_OK;
}

/* quern_column_at is column i, in the order of the manifest; a column about * stands for several. i must be below
 * frame->ncols: the module stops otherwise. */
QUERN_INLINE quern_column quern_column_at(const quern_frame *f, uint32_t i) {
  const quern_header *h = (const quern_header *)f->bytes;
  if (i >= f->ncols) __builtin_trap();
  const quern_descriptor *d = (const quern_descriptor *)(f->bytes + h->size + i * h->desc_size);
  return (quern_column){f->bytes + d->offset, d->stride, d->argument};
}

QUERN_INLINE double quern_value(quern_column c, uint32_t row) {
  return *(const double *)(c.base + row * c.stride);
}

/* quern_answer writes number j of a row's answer; j counts from 0, and is below the keys of the point. */
QUERN_INLINE void quern_answer(const quern_frame *f, uint32_t row, uint32_t j, double value) {
  f->out[row * f->keys + j] = value;
}

QUERN_INLINE uint32_t quern_row(const quern_frame *f, uint32_t i) { return f->idx ? f->idx[i] : i; }

/* QUERN_EACH(frame, row) does what follows for each row to answer. */
#define QUERN_EACH(f, row)                                                                     \
  for (uint32_t quern_i = 0, row; quern_i < (f)->k && (row = quern_row(f, quern_i), 1); quern_i++)

/* ---- Points. QUERN_POINT(node_score, KEYS, frame) { …; return QUERN_OK; } defines a point of the manifest; frame is a
 * const quern_frame *. */

enum {
  quern_point_queue_order = QUERN_MAX_KEYS,
  quern_point_app_order = QUERN_MAX_KEYS,
  quern_point_ask_order = QUERN_MAX_KEYS,
  quern_point_node_score = 1,
  quern_point_node_filter = 1,
  quern_point_victim_rank = QUERN_MAX_KEYS
};

#define QUERN_POINT(name, K, frame)                                                            \
  _Static_assert((K) >= 1, "QUERN_POINT: an answer of " #name " has one key at least");        \
  _Static_assert((K) <= quern_point_##name,                                                    \
                 "QUERN_POINT: " #name ": too many keys: at most 8, and 1 for node_score and node_filter"); \
  QUERN_INLINE uint32_t quern_answer_##name(const quern_frame *frame);                         \
  QUERN_EXPORT(name) uint32_t name(const void *address) {                                      \
    quern_frame f;                                                                             \
    uint32_t code = quern_open(address, (K), &f);                                              \
    return code ? code : quern_answer_##name(&f);                                              \
  }                                                                                            \
  QUERN_INLINE uint32_t quern_answer_##name(const quern_frame *frame)

/* ---- Texts. QUERN_TEXT(code, text) { … } is done once for each text that comes up; text lives no longer than that. */

typedef struct {
  const char *start; /* UTF-8, without a NUL at its end */
  uint32_t bytes;
} quern_text;

QUERN_INLINE bool quern_equal(quern_text a, quern_text b) {
  if (a.bytes != b.bytes) return false;
  for (uint32_t i = 0; i < a.bytes; i++)
    if (a.start[i] != b.start[i]) return false;
  return true;
}

/* quern_is compares with a text that ends with a NUL. */
QUERN_INLINE bool quern_is(quern_text t, const char *other) {
  uint32_t i = 0;
  while (i < t.bytes && other[i] && t.start[i] == other[i]) i++;
  return i == t.bytes && !other[i];
}

#define QUERN_TEXT(code, text)                                                                 \
  static void quern_each_text(uint32_t code, quern_text text);                                 \
  QUERN_EXPORT(quern_dictionary) uint32_t quern_dictionary(const uint32_t *data, uint32_t bytes) { \
    if (bytes < 8 || data[1] > (bytes - 8) / 4) return quern_fail(QUERN_BAD_FRAME, "expected texts, found too few bytes"); \
    const char *body = (const char *)(data + 2 + data[1]);                                     \
    uint32_t most = bytes - 8 - 4 * data[1];                                                   \
    for (uint32_t i = 0, start = 0, end; i < data[1]; i++, start = end) {                      \
      end = data[2 + i];                                                                       \
      if (end < start || end > most) return quern_fail(QUERN_BAD_FRAME, "expected texts one behind the other"); \
      quern_each_text(data[0] + i, (quern_text){body + start, end - start});                   \
    }                                                                                          \
    return QUERN_OK;                                                                           \
  }                                                                                            \
  static void quern_each_text(uint32_t code, quern_text text)

#include "quern_parameters.h"

#endif
