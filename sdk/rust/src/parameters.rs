//! Parameters: the values that an operator set, read from the JSON that a host writes.

use crate::number;

/// The value of a parameter, or an item of one: a piece of JSON. Which of the methods fits is what the manifest says.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    json: &'a [u8],
}

impl<'a> Value<'a> {
    #[doc(hidden)]
    pub fn new(json: &'a [u8]) -> Value<'a> {
        Value { json }
    }

    /// A number, or an integer.
    pub fn number(&self) -> f64 {
        number::decimal(self.json)
    }

    pub fn boolean(&self) -> bool {
        self.json.first() == Some(&b't')
    }

    /// A text, with its escapes undone in `room`; the part of it that was needed. Cut where the room is too small.
    #[inline(never)]
    pub fn text<'b>(&self, room: &'b mut [u8]) -> &'b str {
        let n = unescape(self.json, room);
        utf8(&room[..n])
    }

    /// The numbers of a list, or the weights by name.
    pub fn items(&self) -> Items<'a> {
        Items { rest: self.json, object: false, started: false }
    }
}

/// The members of an object, or the items of a list (whose names are empty texts), in the order of the text.
pub struct Items<'a> {
    rest: &'a [u8],
    object: bool,
    started: bool,
}

impl<'a> Items<'a> {
    #[inline(never)]
    fn take(&mut self, c: u8) -> bool {
        while let [b' ' | b'\n' | b'\t' | b'\r', rest @ ..] = self.rest {
            self.rest = rest;
        }
        match self.rest {
            [first, rest @ ..] if *first == c => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// The value that comes next.
    #[inline(never)]
    fn skip(&mut self) -> &'a [u8] {
        self.take(0); // blanks
        let (mut i, mut depth, mut quoted) = (0, 0u32, false);
        while let Some(&c) = self.rest.get(i) {
            match c {
                b'\\' if quoted => i += 1,
                b'"' => quoted = !quoted,
                _ if quoted => {}
                b'{' | b'[' => depth += 1,
                b',' | b':' | b'}' | b']' if depth == 0 => break,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            i += 1;
        }
        let (value, rest) = self.rest.split_at(i.min(self.rest.len()));
        self.rest = rest;
        value
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = (Value<'a>, Value<'a>);

    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        if !self.started {
            self.started = true;
            self.object = self.take(b'{');
            if !self.object && !self.take(b'[') {
                return None;
            }
        } else if !self.take(b',') {
            return None;
        }
        if self.take(if self.object { b'}' } else { b']' }) {
            return None;
        }
        let mut name = Value { json: b"" };
        if self.object {
            name = Value { json: self.skip() };
            if !self.take(b':') {
                return None;
            }
        }
        match self.skip() {
            [] => None,
            json => Some((name, Value { json })),
        }
    }
}

/// Hosts write UTF-8; this does not check it again.
pub fn utf8(bytes: &[u8]) -> &str {
    unsafe { core::str::from_utf8_unchecked(bytes) }
}

fn unescape(json: &[u8], room: &mut [u8]) -> usize {
    let inner = match json {
        [b'"', inner @ .., b'"'] => inner,
        _ => return 0,
    };
    let (mut i, mut n) = (0, 0);
    while let Some(&c) = inner.get(i) {
        let mut bytes = [c, 0, 0, 0];
        let mut used = 1;
        i += 1;
        if c == b'\\' {
            let code = escaped(inner, &mut i);
            used = code.encode_utf8(&mut bytes).len();
        }
        if n + used > room.len() {
            break;
        }
        room[n..n + used].copy_from_slice(&bytes[..used]);
        n += used;
    }
    while n < room.len() && core::str::from_utf8(&room[..n]).is_err() {
        n -= 1; // a character that was cut
    }
    n
}

/// The character of an escape; `i` is behind its backslash.
#[inline(never)]
fn escaped(text: &[u8], i: &mut usize) -> char {
    let c = text.get(*i).copied().unwrap_or(b'\\');
    *i += 1;
    match c {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'u' => {
            let mut code = four(text, i);
            if code >> 10 == 0x36 && text.get(*i + 1) == Some(&b'u') {
                *i += 2;
                code = 0x10000 + ((code & 0x3ff) << 10) + (four(text, i) & 0x3ff);
            }
            char::from_u32(code).unwrap_or('\u{fffd}')
        }
        other => other as char,
    }
}

#[inline(never)]
fn four(text: &[u8], i: &mut usize) -> u32 {
    let mut code = 0;
    for _ in 0..4 {
        let c = text.get(*i).copied().unwrap_or(b'0');
        code = code << 4 | (c as char).to_digit(16).unwrap_or(0);
        *i += 1;
    }
    code
}
