//! What `policy!` proves about a manifest while it is compiled.

const POINTS: [&str; 6] = ["queue.order", "app.order", "ask.order", "node.score", "node.filter", "victim.rank"];

/// Panics, and so fails the build, unless the manifest has just these points with just these keys.
pub const fn check(manifest: &str, points: &[(&str, u32)]) {
    let text = manifest.as_bytes();
    assert!(text.len() < 1 << 16, "the manifest has more than 64 KiB");
    assert!(find(text, b"\"points\"", 0) < text.len(), "the manifest has no \"points\"");
    let mut i = 0;
    while i < points.len() {
        let (name, keys) = points[i];
        assert!(keys >= 1 && keys <= 8, "a point has 1 to 8 keys");
        assert!(keys == 1 || !is_node(name), "node_score and node_filter have 1 key");
        let at = point(text, name);
        assert!(at < text.len(), "a point of policy! is not in the manifest");
        assert!(declared(text, at) == keys, "a point's \"keys\" in the manifest differ from those in policy!");
        i += 1;
    }
    i = 0;
    while i < POINTS.len() {
        let there = point(text, POINTS[i]) < text.len();
        assert!(!there || named(points, POINTS[i]), "a point of the manifest is not among the points of policy!");
        i += 1;
    }
}

/// The version that `"abi"` says, as `major << 16 | minor`. Panics, and so fails the build, where it is not of this major version.
pub const fn version(manifest: &str) -> u32 {
    let text = manifest.as_bytes();
    let at = find(text, b"\"abi\"", 0);
    assert!(at < text.len(), "the manifest has no \"abi\"");
    let start = find(text, b"\"1.", at + 5) + 3;
    assert!(start < text.len(), "\"abi\" in the manifest is not \"1.0\" or a later minor version");
    let (mut i, mut minor) = (start, 0);
    while i < text.len() && text[i].is_ascii_digit() {
        minor = minor * 10 + (text[i] - b'0') as u32;
        i += 1;
    }
    crate::MAJOR << 16 | minor
}

const fn named(points: &[(&str, u32)], name: &str) -> bool {
    let mut i = 0;
    while i < points.len() {
        if same(points[i].0.as_bytes(), name.as_bytes()) {
            return true;
        }
        i += 1;
    }
    false
}

/// Functions are named with `_` where points have a dot.
const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] && !(a[i] == b'_' && b[i] == b'.') {
            return false;
        }
        i += 1;
    }
    true
}

const fn is_node(name: &str) -> bool {
    named(&[("node_score", 1), ("node_filter", 1)], name)
}

/// Where the quoted name of a point stands, behind "points"; the length of the text where it does not.
const fn point(text: &[u8], name: &str) -> usize {
    let name = name.as_bytes();
    let mut at = find(text, b"\"points\"", 0);
    while at + name.len() + 2 <= text.len() {
        let mut i = 0;
        while i < name.len() && (text[at + 1 + i] == name[i] || (name[i] == b'_' && text[at + 1 + i] == b'.')) {
            i += 1;
        }
        if text[at] == b'"' && i == name.len() && text[at + 1 + i] == b'"' {
            return at;
        }
        at += 1;
    }
    text.len()
}

/// The number behind the next "keys".
const fn declared(text: &[u8], at: usize) -> u32 {
    let mut i = find(text, b"\"keys\"", at) + 6;
    while i < text.len() && !text[i].is_ascii_digit() {
        i += 1;
    }
    let mut keys = 0;
    while i < text.len() && text[i].is_ascii_digit() {
        keys = keys * 10 + (text[i] - b'0') as u32;
        i += 1;
    }
    keys
}

const fn find(text: &[u8], what: &[u8], from: usize) -> usize {
    let mut at = from;
    while at + what.len() <= text.len() {
        let mut i = 0;
        while i < what.len() && text[at + i] == what[i] {
            i += 1;
        }
        if i == what.len() {
            return at;
        }
        at += 1;
    }
    text.len()
}
