// The f64 nearest to a decimal number, ties to even, as every SDK reads it (the standard library's parseFloat is off by a
// bit at times). The decimal is doubled and halved digit by digit: slow (configurations are read once), small and exact.

const DIGITS: i32 = 1200; // the longest decimal that any halving of 17 digits to the least f64 comes by

// 0.d0d1d2… * 10^point
const d = memory.data(1201, 1);
let n: i32 = 0;
let point: i32 = 0;

function trim(): void {
  let zeros = 0;
  while (zeros < n && load<u8>(d + zeros) == 0) zeros++;
  n -= zeros;
  point -= zeros;
  if (zeros) memory.copy(d, d + zeros, n);
  while (n > 0 && load<u8>(d + n - 1) == 0) n--;
}

function halve(): void {
  let rest: u32 = 0;
  for (let i = 0; i < n; i++) {
    const v = rest * 10 + load<u8>(d + i);
    store<u8>(d + i, v / 2);
    rest = v % 2;
  }
  if (rest && n < DIGITS) store<u8>(d + n++, 5);
  trim();
}

function double(): void {
  let carry: u32 = 0;
  if (n == DIGITS) n--;
  for (let i = n - 1; i >= 0; i--) {
    const v = <u32>load<u8>(d + i) * 2 + carry;
    store<u8>(d + i + 1, v % 10);
    carry = v / 10;
  }
  store<u8>(d, carry);
  n++;
  point++;
  trim();
}

@inline
function isDigit(c: u8): bool {
  return c >= 0x30 && c <= 0x39;
}

function readDigits(at: usize, end: usize): void {
  let fraction = false;
  n = point = 0;
  for (; at < end && (load<u8>(at) == 0x2e || isDigit(load<u8>(at))); at++) {
    if (load<u8>(at) == 0x2e) {
      fraction = true;
      continue;
    }
    if (n < DIGITS) store<u8>(d + n++, load<u8>(at) - 0x30);
    if (!fraction) point++;
  }
  let power = 0;
  const below = at + 1 < end && load<u8>(at, 1) == 0x2d;
  for (; at < end; at++) {
    if (isDigit(load<u8>(at)) && power < 10000) power = power * 10 + load<u8>(at) - 0x30;
  }
  point += below ? -power : power;
  trim();
}

// The nearest whole number, below 2^54.
function rounded(): u64 {
  let whole: u64 = 0;
  for (let i = 0; i < point; i++) whole = whole * 10 + (i < n ? load<u8>(d + i) : 0);
  if (point < 0 || point >= n) return whole;
  const next = load<u8>(d + point);
  const half = next == 5 && point + 1 == n;
  return whole + (half ? whole & 1 : <u64>(next >= 5));
}

// 15 digits or fewer with a small power of ten: both are exact, so one operation rounds once. NaN where there are more.
function short(): f64 {
  const power = point - n;
  if (n > 15 || power > 22 || power < -22) return NaN;
  let whole: f64 = 0, ten: f64 = 1;
  for (let i = 0; i < n; i++) whole = whole * 10 + load<u8>(d + i);
  for (let i = power < 0 ? -power : power; i > 0; i--) ten *= 10;
  return power < 0 ? whole / ten : whole * ten;
}

function scaled(): f64 {
  let power = 0, bits = 53;
  for (; point > 0; power++) halve();
  for (; point < 0 || load<u8>(d) < 5; power--) double(); // until it is from 1/2 to below 1
  if (power < -1021) bits += power + 1021; // what is tiny has fewer bits
  for (let i = 0; i < bits; i++) double();
  for (let i = 0; i > bits; i--) halve();
  let v = <f64>rounded();
  for (let p = power - bits; p > 0; p--) v *= 2;
  for (let p = power - bits; p < 0; p++) v /= 2;
  return v;
}

export function decimal(start: usize, end: usize): f64 {
  const negative = start < end && load<u8>(start) == 0x2d;
  readDigits(negative ? start + 1 : start, end);
  let v: f64 = short();
  if (!isNaN(v)) return negative ? -v : v;
  v = 0;
  if (n && point > 310) v = Infinity;
  else if (n && point > -330) v = scaled();
  return negative ? -v : v;
}
