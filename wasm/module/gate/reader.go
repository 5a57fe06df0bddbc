package gate

import (
	"fmt"
	"unicode/utf8"
)

// A reader walks over bytes of a module. The first failure stays and ends the reader: later reads return zero, more()
// is false. So code that reads may check for the failure once, at its end, as long as every loop asks more or has
// a bounded count.
type reader struct {
	file     []byte
	at, end  int    // next byte; first byte beyond the section or body
	section  string // for errors
	function int    // for errors; -1 outside of bodies
	err      *Error
}

func (r *reader) more() bool { return r.err == nil && r.at < r.end }

// fail records a refusal at offset, unless there was one before.
func (r *reader) fail(offset int, code Code, format string, args ...any) {
	if r.err == nil {
		r.err = &Error{Code: code, Offset: offset, Section: r.section, Function: r.function, Text: fmt.Sprintf(format, args...)}
	}
	r.at = r.end
}

func (r *reader) byte(what string) byte {
	if r.at >= r.end || r.err != nil {
		r.fail(r.end, CodeTruncated, "ended before %s", what)
		return 0
	}
	b := r.file[r.at]
	r.at++
	return b
}

// bytes returns the next n bytes without a copy.
func (r *reader) bytes(n int, what string) []byte {
	if n < 0 || n > r.end-r.at || r.err != nil {
		r.fail(r.at, CodeTruncated, "%s needs %d bytes, %d are left", what, n, r.end-r.at)
		return nil
	}
	r.at += n
	return r.file[r.at-n : r.at]
}

func (r *reader) u32(what string) uint32 {
	if r.at < r.end && r.file[r.at] < 0x80 && r.err == nil { // most numbers are small
		r.at++
		return uint32(r.file[r.at-1])
	}
	return uint32(r.leb(32, false, what))
}

// signed reads a signed LEB128 number of the given width in bits.
func (r *reader) signed(bits int, what string) int64 { return int64(r.leb(bits, true, what)) }

// leb reads a LEB128 number. The last byte that the width allows must hold no bits beyond it: zeros, or for a
// signed number copies of its sign.
func (r *reader) leb(bits int, signed bool, what string) uint64 {
	start := r.at
	var v uint64
	for shift := 0; shift < bits; shift += 7 {
		b := r.byte(what)
		v |= uint64(b&0x7f) << shift
		if left := bits - shift; left < 7 && !fits(b, left, signed) {
			r.fail(start, CodeBadNumber, "%s does not fit %d bits", what, bits)
			return 0
		}
		if b < 0x80 {
			if signed && b&0x40 != 0 && shift+7 < 64 {
				v |= ^uint64(0) << (shift + 7)
			}
			return v
		}
	}
	r.fail(start, CodeBadNumber, "%s is a number longer than %d bits need", what, bits)
	return 0
}

// fits tells whether the last byte of a number uses only the left lowest bits.
func fits(b byte, left int, signed bool) bool {
	if !signed {
		return b&0x7f < 1<<left
	}
	high := b & 0x7f >> (left - 1) // the sign bit and all above it
	return high == 0 || high == 0x7f>>(left-1)
}

// count reads how many items follow, at most limit; each needs at least one byte.
func (r *reader) count(what string, limit int, code Code) int {
	start := r.at
	n := r.u32(what)
	switch {
	case uint64(n) > uint64(limit):
		r.fail(start, code, "%d %s, at most %d are allowed", n, what, limit)
	case uint64(n) > uint64(r.end-r.at):
		r.fail(start, CodeTruncated, "%d %s do not fit the %d bytes left", n, what, r.end-r.at)
	default:
		return int(n)
	}
	return 0
}

// index reads the index of something of which there are n.
func (r *reader) index(what string, n int) uint32 {
	start := r.at
	i := r.u32(what)
	if uint64(i) >= uint64(n) {
		r.fail(start, CodeBadIndex, "%s %d is named, there are %d", what, i, n)
		return 0
	}
	return i
}

func (r *reader) name(what string) string {
	n := r.u32("the length of " + what)
	start := r.at
	b := r.bytes(int(n), what)
	if !utf8.Valid(b) {
		r.fail(start, CodeBadName, "%s is not UTF-8", what)
		return ""
	}
	return string(b)
}

// done checks that the section or body was read to its end.
func (r *reader) done() {
	if r.err == nil && r.at != r.end {
		r.fail(r.at, CodeSectionSize, "%d bytes are left over", r.end-r.at)
	}
}
