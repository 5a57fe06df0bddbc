/* quern_number.h: the f64 nearest to a decimal number, ties to even, as every other SDK reads it. Part of quern.h. The
 * decimal is doubled and halved digit by digit: slow (configurations are read once), small and exact. */
#ifndef QUERN_NUMBER_H
#define QUERN_NUMBER_H

enum { QUERN_DIGITS = 1200 }; /* the longest decimal that any halving of 17 digits to the least f64 comes by */

/* 0.d0d1d2… * 10^point */
typedef struct {
  unsigned char d[QUERN_DIGITS + 1];
  int32_t n, point;
} quern_digits;

QUERN_ONCE void quern_trim(quern_digits *x) {
  int32_t zeros = 0;
  while (zeros < x->n && x->d[zeros] == 0) zeros++;
  for (int32_t i = zeros; zeros && i < x->n; i++) x->d[i - zeros] = x->d[i];
  x->n -= zeros;
  x->point -= zeros;
  while (x->n > 0 && x->d[x->n - 1] == 0) x->n--;
}

QUERN_ONCE void quern_halve(quern_digits *x) {
  uint32_t rest = 0;
  for (int32_t i = 0; i < x->n; i++) {
    uint32_t v = rest * 10 + x->d[i];
    x->d[i] = (unsigned char)(v / 2);
    rest = v % 2;
  }
  if (rest && x->n < QUERN_DIGITS) x->d[x->n++] = 5;
  quern_trim(x);
}

QUERN_ONCE void quern_double(quern_digits *x) {
  uint32_t carry = 0;
  if (x->n == QUERN_DIGITS) x->n--;
  for (int32_t i = x->n; i-- > 0;) {
    uint32_t v = x->d[i] * 2u + carry;
    x->d[i + 1] = (unsigned char)(v % 10);
    carry = v / 10;
  }
  x->d[0] = (unsigned char)carry;
  x->n++;
  x->point++;
  quern_trim(x);
}

QUERN_ONCE void quern_read_digits(quern_digits *x, const char *at, const char *end) {
  bool fraction = false;
  x->n = x->point = 0;
  for (; at < end && (*at == '.' || (*at >= '0' && *at <= '9')); at++) {
    if (*at == '.') {
      fraction = true;
      continue;
    }
    if (x->n < QUERN_DIGITS) x->d[x->n++] = (unsigned char)(*at - '0');
    if (!fraction) x->point++;
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    int32_t power = 0;
    bool below = ++at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    for (; at < end && *at >= '0' && *at <= '9'; at++)
      if (power < 10000) power = power * 10 + (*at - '0');
    x->point += below ? -power : power;
  }
  quern_trim(x);
}

/* quern_rounded is the whole number nearest to x, below 2^54. */
QUERN_ONCE uint64_t quern_rounded(const quern_digits *x) {
  uint64_t whole = 0;
  for (int32_t i = 0; i < x->point; i++) whole = whole * 10 + (i < x->n ? x->d[i] : 0);
  if (x->point < 0 || x->point >= x->n) return whole;
  uint32_t next = x->d[x->point];
  bool half = next == 5 && x->point + 1 == x->n;
  return whole + (half ? (whole & 1) : next >= 5);
}

/* quern_short reads 15 digits or fewer with a small power of ten: both are exact, so one operation rounds once. */
QUERN_ONCE bool quern_short(const quern_digits *x, double *v) {
  int32_t power = x->point - x->n;
  if (x->n > 15 || power > 22 || power < -22) return false;
  double whole = 0, ten = 1;
  for (int32_t i = 0; i < x->n; i++) whole = whole * 10 + x->d[i];
  for (int32_t i = power < 0 ? -power : power; i > 0; i--) ten *= 10;
  *v = power < 0 ? whole / ten : whole * ten;
  return true;
}

QUERN_ONCE double quern_decimal(const char *at, const char *end) {
  static quern_digits x;
  bool negative = at < end && *at == '-';
  quern_read_digits(&x, at + negative, end);
  double v = 0;
  if (quern_short(&x, &v)) return negative ? -v : v;
  if (x.n && x.point > 310) {
    v = __builtin_inf();
  } else if (x.n && x.point > -330) {
    int32_t power = 0, bits = 53;
    for (; x.point > 0; power++) quern_halve(&x);
    for (; x.point < 0 || x.d[0] < 5; power--) quern_double(&x); /* from 1/2 to below 1 */
    if (power < -1021) bits += power + 1021;                     /* what is tiny has fewer bits */
    for (int32_t i = 0; i < bits; i++) quern_double(&x);
    for (int32_t i = 0; i > bits; i--) quern_halve(&x);
    v = (double)quern_rounded(&x);
    for (int32_t p = power - bits; p > 0; p--) v *= 2;
    for (int32_t p = power - bits; p < 0; p++) v /= 2;
  }
  return negative ? -v : v;
}

#endif
