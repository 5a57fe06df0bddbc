package resource

import (
	"math/bits"
	"strconv"
	"strings"
)

// Readable formats the amount for people, with its type: "1.5 vcore", "4 GiB memory", "1 pod".
func (q Quantity) Readable() string {
	name := q.Type
	if name == "pods" && q.Value == 1 {
		name = "pod"
	}
	return q.Amount() + " " + name
}

// Readable lists the amounts for people: "4 GiB memory, 1 pod and 1.5 vcore".
func (s Set) Readable() string {
	if len(s) == 0 {
		return "nothing"
	}
	var b strings.Builder
	for i, q := range s {
		switch {
		case i > 0 && i == len(s)-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(q.Readable())
	}
	return b.String()
}

// Readable formats a stored amount of a type for people: cores, binary multiples of bytes, plain numbers. Different amounts of a type
// have different texts: if a short text would be rounded, the exact number follows, as in "954 MiB (1,000,000,000 bytes)".
func Readable(typ string, stored int64) string { return Quantity{Type: typ, Value: stored}.Amount() }

// Amount formats the amount as Readable does, without its type. Amounts of devices are decimals of devices.
func (q Quantity) Amount() string {
	return signed(q.Value, func(n uint64) string {
		switch {
		case q.InThousandths():
			return decimal(n, 1000)
		case q.Type == "memory":
			if text, exact := bytesExactly(n); exact {
				return text
			}
			return bytesRounded(n) + " (" + grouped(n) + " bytes)"
		}
		return grouped(n)
	})
}

// Rounded is Readable with at most two decimals and without the exact number, for tables and figures.
func Rounded(typ string, stored int64) string { return Quantity{Type: typ, Value: stored}.Rounded() }

// Rounded formats the amount as Rounded does. Amounts of devices are decimals of devices.
func (q Quantity) Rounded() string {
	return signed(q.Value, func(n uint64) string {
		switch {
		case q.InThousandths():
			return rounded(float64(n) / 1000)
		case q.Type == "memory":
			return bytesRounded(n)
		}
		return grouped(n)
	})
}

func signed(stored int64, write func(uint64) string) string {
	if stored < 0 {
		return "-" + write(-uint64(stored))
	}
	return write(uint64(stored))
}

var byteUnits = [...]string{" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"}

// byteUnit returns the index of the largest unit that is at most a number of bytes.
func byteUnit(n uint64) int { return max(0, bits.Len64(n)-1) / 10 }

// bytesExactly formats a number of bytes that is a multiple of a quarter of its unit, or of the next smaller unit.
func bytesExactly(n uint64) (text string, exact bool) {
	unit := byteUnit(n)
	size := uint64(1) << (10 * unit)
	switch {
	case n%size*4%size == 0:
		return decimal(n/size*100+n%size*4/size*25, 100) + byteUnits[unit], true
	case n%(size>>10) == 0:
		return grouped(n/(size>>10)) + byteUnits[unit-1], true
	}
	return "", false
}

func bytesRounded(n uint64) string {
	unit := byteUnit(n)
	return rounded(float64(n)/float64(uint64(1)<<(10*unit))) + byteUnits[unit]
}

// decimal formats n/whole exactly. whole must be a power of ten.
func decimal(n, whole uint64) string {
	text := grouped(n / whole)
	if rest := n % whole; rest > 0 {
		text += "." + strings.TrimRight(strconv.FormatUint(whole+rest, 10)[1:], "0")
	}
	return text
}

// rounded formats a number with at most two decimals, and without decimals from 100 on.
func rounded(f float64) string {
	if f >= 100 {
		return grouped(uint64(f + 0.5))
	}
	text := strconv.FormatFloat(f, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// grouped formats a number with commas between thousands.
func grouped(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
