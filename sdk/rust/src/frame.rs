//! Frames: the rows that a point is asked about, and where its answers go.

use crate::{Failure, Result, MAJOR};

/// A frame: `rows` items there are, `asked` of them to be answered, in columns of numbers.
pub struct Frame {
    bytes: *const u8,
    index: *const u32, // null: the rows to answer are 0 to rows-1
    answers: *mut f64,
    rows: u32,
    asked: u32,
    keys: u32,
    columns: u32,
}

/// A column of a frame.
#[derive(Clone, Copy)]
pub struct Column {
    base: *const u8,
    stride: u32,
    argument: u32,
}

/// The rows to answer, in the order of the frame.
pub struct Rows {
    index: *const u32,
    next: u32,
    asked: u32,
}

unsafe fn field(bytes: *const u8, at: u32) -> u32 {
    *(bytes.add(at as usize) as *const u32)
}

impl Frame {
    /// The frame at an address.
    ///
    /// # Safety
    /// The address must be that of a frame, whole and aligned, as a host of the contract gives it, and no other Frame
    /// may be there.
    pub unsafe fn open(bytes: *const u8, keys: u32) -> core::result::Result<Frame, Failure> {
        if field(bytes, 4) >> 16 != MAJOR {
            return Err(Failure::BadFrame("expected a frame of version 1, found one of another"));
        }
        if field(bytes, 24) != keys {
            return Err(Failure::BadFrame("expected frames with as many keys as the point has: the manifest differs"));
        }
        let (rows, asked) = (field(bytes, 8), field(bytes, 12));
        let dense = field(bytes, 20) & 1 != 0 && rows == asked;
        let index = if dense { core::ptr::null() } else { bytes.add(field(bytes, 32) as usize) as *const u32 };
        let answers = bytes.add(field(bytes, 36) as usize) as *mut f64;
        Ok(Frame { bytes, index, answers, rows, asked, keys, columns: field(bytes, 28) })
    }

    /// How many rows there are.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// How many columns there are: a column about `*` stands for several.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Column `i`, in the order of the manifest. Stops the module where there is none.
    pub fn column(&self, i: u32) -> Column {
        if i >= self.columns {
            crate::module::stop();
        }
        unsafe {
            let d = self.bytes.add((field(self.bytes, 0) + i * field(self.bytes, 40)) as usize);
            Column { base: self.bytes.add(field(d, 8) as usize), stride: field(d, 12), argument: field(d, 4) }
        }
    }

    /// The rows to answer.
    pub fn asked(&self) -> Rows {
        Rows { index: self.index, next: 0, asked: self.asked }
    }

    /// Writes key `j`, from 0, of a row's answer.
    #[inline(always)]
    pub fn answer(&mut self, row: u32, j: u32, value: f64) {
        debug_assert!(row < self.rows && j < self.keys);
        unsafe { *self.answers.add((row * self.keys + j) as usize) = value }
    }

    /// Answers every row that is asked about with the keys that `keys` makes for it. K must be the keys of the point.
    #[inline(always)]
    pub fn answer_each<const K: usize>(&mut self, mut keys: impl FnMut(u32) -> [f64; K]) -> Result {
        if K != self.keys as usize {
            return Err(Failure::BadFrame("expected answers with as many keys as the point has"));
        }
        for row in self.asked() {
            let answer = keys(row);
            for (j, v) in answer.iter().enumerate() {
                unsafe { *self.answers.add(row as usize * K + j) = *v }
            }
        }
        Ok(())
    }
}

impl Column {
    pub(crate) const NONE: Column = Column { base: core::ptr::null(), stride: 0, argument: 0 };

    /// The number of a row. The row must be one that the frame has.
    #[inline(always)]
    pub fn at(&self, row: u32) -> f64 {
        unsafe { *(self.base.add((row * self.stride) as usize) as *const f64) }
    }

    /// The code, in the dictionary, of what the column is about; 0 where it takes no argument.
    pub fn argument(&self) -> u32 {
        self.argument
    }
}

impl Iterator for Rows {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        if self.next == self.asked {
            return None;
        }
        let i = self.next;
        self.next += 1;
        Some(if self.index.is_null() { i } else { unsafe { *self.index.add(i as usize) } })
    }
}
