//! The f64 nearest to a decimal number, ties to even, as every SDK reads it. The decimal is doubled and halved digit by
//! digit: slow (configurations are read once), a tenth of the size of the standard library's way, and exact.

const DIGITS: usize = 1200; // the longest decimal that any halving of 17 digits to the least f64 comes by

/// 0.d0d1d2… * 10^point
struct Digits {
    d: [u8; DIGITS + 1],
    n: usize,
    point: i32,
}

impl Digits {
    #[inline(never)]
    fn read(text: &[u8]) -> Digits {
        let mut x = Digits { d: [0; DIGITS + 1], n: 0, point: 0 };
        let (mut i, mut fraction) = (0, false);
        while i < text.len() && (text[i] == b'.' || text[i].is_ascii_digit()) {
            if text[i] == b'.' {
                fraction = true;
            } else {
                if x.n < DIGITS {
                    x.d[x.n] = text[i] - b'0';
                    x.n += 1;
                }
                x.point += !fraction as i32;
            }
            i += 1;
        }
        x.point += power(text.get(i..).unwrap_or(&[]));
        x.trim();
        x
    }

    #[inline(never)]
    fn trim(&mut self) {
        let mut zeros = 0;
        while zeros < self.n && self.d[zeros] == 0 {
            zeros += 1;
        }
        for i in zeros..self.n {
            self.d[i - zeros] = self.d[i];
        }
        self.n -= zeros;
        self.point -= zeros as i32;
        while self.n > 0 && self.d[self.n - 1] == 0 {
            self.n -= 1;
        }
    }

    #[inline(never)]
    fn halve(&mut self) {
        let mut rest = 0;
        for d in &mut self.d[..self.n] {
            let v = rest * 10 + *d;
            *d = v / 2;
            rest = v % 2;
        }
        if rest != 0 && self.n < DIGITS {
            self.d[self.n] = 5;
            self.n += 1;
        }
        self.trim();
    }

    #[inline(never)]
    fn double(&mut self) {
        let mut carry = 0;
        if self.n == DIGITS {
            self.n -= 1;
        }
        for i in (0..self.n).rev() {
            let v = self.d[i] * 2 + carry;
            self.d[i + 1] = v % 10;
            carry = v / 10;
        }
        self.d[0] = carry;
        self.n += 1;
        self.point += 1;
        self.trim();
    }

    /// The nearest whole number, below 2^54.
    #[inline(never)]
    fn rounded(&self) -> u64 {
        let mut whole = 0;
        for i in 0..self.point.max(0) as usize {
            whole = whole * 10 + if i < self.n { self.d[i] as u64 } else { 0 };
        }
        if self.point < 0 || self.point as usize >= self.n {
            return whole;
        }
        let next = self.d[self.point as usize];
        let half = next == 5 && self.point as usize + 1 == self.n;
        whole + if half { whole & 1 } else { (next >= 5) as u64 }
    }
}

/// The exponent behind the digits, 0 where there is none.
#[inline(never)]
fn power(text: &[u8]) -> i32 {
    let mut power = 0;
    for c in text {
        if c.is_ascii_digit() && power < 10000 {
            power = power * 10 + (c - b'0') as i32;
        }
    }
    if text.get(1) == Some(&b'-') { -power } else { power }
}

#[inline(never)]
pub fn decimal(text: &[u8]) -> f64 {
    let negative = text.first() == Some(&b'-');
    let mut x = Digits::read(&text[negative as usize..]);
    let mut v = 0.0;
    if let Some(exact) = short(&x) {
        v = exact;
    } else if x.n > 0 && x.point > 310 {
        v = f64::INFINITY;
    } else if x.n > 0 && x.point > -330 {
        v = scaled(&mut x);
    }
    if negative { -v } else { v }
}

/// 15 digits or fewer with a small power of ten: both are exact, so one operation rounds once.
#[inline(never)]
fn short(x: &Digits) -> Option<f64> {
    let power = x.point - x.n as i32;
    if x.n > 15 || power > 22 || power < -22 {
        return None;
    }
    let (mut whole, mut ten) = (0.0, 1.0);
    for i in 0..x.n as usize {
        whole = whole * 10.0 + x.d[i] as f64;
    }
    let mut left = if power < 0 { -power } else { power };
    while left > 0 {
        ten *= 10.0;
        left -= 1;
    }
    Some(if power < 0 { whole / ten } else { whole * ten })
}

#[inline(never)]
fn scaled(x: &mut Digits) -> f64 {
    let (mut power, mut bits) = (0, 53);
    while x.point > 0 {
        x.halve();
        power += 1;
    }
    while x.point < 0 || x.d[0] < 5 {
        x.double(); // until it is from 1/2 to below 1
        power -= 1;
    }
    if power < -1021 {
        bits += power + 1021; // what is tiny has fewer bits
    }
    for _ in 0..bits {
        x.double();
    }
    for _ in bits..0 {
        x.halve();
    }
    let mut v = x.rounded() as f64;
    for _ in 0..power - bits {
        v *= 2.0;
    }
    for _ in power - bits..0 {
        v /= 2.0;
    }
    v
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn reads_as_the_standard_library_does() {
        let mut seed = 7u64;
        let mut check = |text: &str| assert_eq!(decimal(text.as_bytes()).to_bits(), text.parse::<f64>().unwrap().to_bits(), "{}", text);
        for text in ["0", "-0", "1", "2.5", "-0.001", "1e+21", "1e-7", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
            "1.7976931348623157e308", "1.7976931348623159e308", "9007199254740991", "9007199254740993", "1e400", "1e-400"] {
            check(text);
        }
        for _ in 0..500 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let v = f64::from_bits(seed ^ seed >> 29);
            if v.is_finite() {
                check(&std::format!("{:e}", v));
            }
        }
    }
}
