//! The weighted mean that the scheduler's own orders of nodes go by.

use crate::{Column, Failure, Frame, Result, Value};

const MOST_WEIGHTS: usize = 64;
const MOST_NAME_BYTES: usize = 4096;

/// The weighted mean of columns about types, such as `share:*`: for a row, the sum of weight * value over the sum of
/// weights, rounded down, exact for values below 2^53. Values below 0 do not count, nor do types without a weight.
/// Weights count in thousandths.
///
/// Configure it with a parameter of type weights, hand it all texts, and open it for each frame.
pub struct WeightedMean {
    weights: [Weight; MOST_WEIGHTS],
    count: usize,
    names: [u8; MOST_NAME_BYTES],
    named: usize,
    columns: [Weighted; MOST_WEIGHTS], // those of the open frame that count
    open: usize,
}

#[derive(Clone, Copy)]
struct Weight {
    code: u32, // 0: the text has not come up
    thousandths: u32,
    start: u16, // of the name
    end: u16,
}

#[derive(Clone, Copy)]
struct Weighted {
    column: Column,
    weight: u32,
}

impl WeightedMean {
    /// A mean without weights.
    pub const NEW: WeightedMean = WeightedMean {
        weights: [Weight { code: 0, thousandths: 0, start: 0, end: 0 }; MOST_WEIGHTS],
        count: 0,
        names: [0; MOST_NAME_BYTES],
        named: 0,
        columns: [Weighted { column: Column::NONE, weight: 0 }; MOST_WEIGHTS],
        open: 0,
    };

    /// Sets the weights. Fails where one is below 0 or above a million, and where there are more than 64.
    #[inline(never)]
    pub fn configure(&mut self, weights: Value) -> Result {
        self.count = 0;
        self.named = 0;
        for (name, value) in weights.items() {
            let thousandths = value.number() * 1000.0 + 0.5;
            if !(thousandths >= 0.0 && thousandths < (1u64 << 30) as f64) {
                return Err(Failure::BadConfig("weights: expected 0 to 1000000"));
            }
            if thousandths < 1.0 {
                continue;
            }
            let room = &mut self.names[self.named..];
            let size = name.text(room).len();
            if self.count == MOST_WEIGHTS || self.named + size == MOST_NAME_BYTES {
                return Err(Failure::BadConfig("weights: expected at most 64, with 4095 bytes of names"));
            }
            let (start, end) = (self.named as u16, (self.named + size) as u16);
            self.weights[self.count] = Weight { code: 0, thousandths: thousandths as u32, start, end };
            self.count += 1;
            self.named += size;
        }
        Ok(())
    }

    /// Takes a text, which may be a type's name.
    pub fn text(&mut self, code: u32, text: &str) {
        for w in &mut self.weights[..self.count] {
            if &self.names[w.start as usize..w.end as usize] == text.as_bytes() {
                w.code = code;
            }
        }
    }

    /// Takes a frame whose columns from `first` on are the ones that the mean is of.
    pub fn open(&mut self, frame: &Frame, first: u32) {
        self.open = 0;
        for i in first..frame.columns() {
            let column = frame.column(i);
            for w in &self.weights[..self.count] {
                if column.argument() != 0 && column.argument() == w.code && self.open < MOST_WEIGHTS {
                    self.columns[self.open] = Weighted { column, weight: w.thousandths };
                    self.open += 1;
                }
            }
        }
    }

    /// The mean for a row, 0 where nothing counts.
    #[inline(always)]
    pub fn at(&self, row: u32) -> f64 {
        let (mut sum, mut weights, mut all) = (0u64, 0u64, 0u64);
        for c in &self.columns[..self.open] {
            let v = c.column.at(row) as i64;
            if v >= 0 {
                sum = sum.wrapping_add((v as u64).wrapping_mul(c.weight as u64));
                weights += c.weight as u64;
                all |= v as u64;
            }
        }
        if weights == 0 {
            0.0
        } else if (all | weights) >> 32 != 0 {
            self.large(row, weights) as f64
        } else {
            (sum / weights) as f64 // below 2^64, since weights and values are below 2^32
        }
    }

    /// The mean of values that may be as large as they get: weights are below 2^36 together and values below 2^53, so
    /// that sums of the upper 27 bits and of the lower 26 bits of values are below 2^63.
    #[inline(never)]
    fn large(&self, row: u32, weights: u64) -> u64 {
        const LOWER: u32 = 26;
        let (mut high, mut low) = (0u64, 0u64);
        for c in &self.columns[..self.open] {
            let v = c.column.at(row) as i64;
            if v >= 0 {
                high += (v as u64 >> LOWER) * c.weight as u64;
                low += (v as u64 & ((1 << LOWER) - 1)) * c.weight as u64;
            }
        }
        (high / weights << LOWER) + ((high % weights << LOWER) + low) / weights
    }
}
