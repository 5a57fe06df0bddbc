package resource

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// QuantityError is the reason why a text is not a quantity.
type QuantityError struct {
	Expected string
	Found    string
}

func (e *QuantityError) Error() string { return "expected " + e.Expected + ", found " + e.Found }

// Parse parses a quantity of a type, in the syntax of Kubernetes, into stored units: thousandths of a core for vcore, whole units for
// other types. A quantity that is not a whole number of stored units is an error; it is never rounded.
func Parse(typ, text string) (int64, error) { return parse(typ, typ == VCore, text, false) }

// ParseUp is Parse, but rounds up to stored units, as Kubernetes does with requests of pods.
func ParseUp(typ, text string) (int64, error) { return parse(typ, typ == VCore, text, true) }

// ParseMilli is Parse for a type of devices, of which it returns thousandths.
func ParseMilli(typ, text string) (int64, error) { return parse(typ, true, text, false) }

func parse(typ string, milli bool, text string, up bool) (int64, error) {
	if value, ok := parsePlain(milli, text); ok {
		return value, nil
	}
	n, ok := split(text)
	if !ok {
		return 0, &QuantityError{"a quantity such as 4, 1.5, 500m or 64Gi", quote(text)}
	}
	scale, ok := scaleOf(n.suffix)
	if !ok {
		return 0, &QuantityError{"a quantity with one of the suffixes n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei, " +
			"or an exponent such as e3", quote(text)}
	}
	if milli {
		scale.ten += 3
	}
	value, fault := n.stored(scale, up)
	switch {
	case n.digits == "":
		return 0, nil
	case n.negative:
		return 0, &QuantityError{"a quantity of zero or more", quote(text)}
	case fault == faultTooLarge:
		return 0, &QuantityError{"a quantity of at most " + Quantity{typ, math.MaxInt64, milli}.Format(), quote(text)}
	case fault == faultFraction:
		return 0, &QuantityError{"a whole number of " + unit(typ, milli), quote(text)}
	}
	return value, nil
}

// Format formats a stored amount in the syntax of Parse: "1500m" for vcore, a plain integer for other types without devices.
func Format(typ string, stored int64) string { return Quantity{Type: typ, Value: stored}.Format() }

// Format formats the amount in the syntax of Parse and ParseMilli: "1500m" for vcore and types of devices, a plain integer for other types.
func (q Quantity) Format() string {
	if q.InThousandths() {
		return strconv.FormatInt(q.Value, 10) + "m"
	}
	return strconv.FormatInt(q.Value, 10)
}

// InThousandths reports whether the amount is stored in thousandths of a unit, which its text says.
func (q Quantity) InThousandths() bool { return q.Milli || q.Type == VCore }

// parsePlain is a fast path for quantities of only a few digits.
func parsePlain(milli bool, text string) (int64, bool) {
	if text == "" || len(text) > 15 {
		return 0, false
	}
	var value int64
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c < '0' || c > '9' {
			return 0, false
		}
		value = value*10 + int64(c-'0')
	}
	if milli {
		value *= 1000
	}
	return value, true
}

// number is a parsed quantity: digits x 10^-fraction, and a suffix. Digits neither begin nor end with 0; they are empty for zero.
type number struct {
	negative bool
	digits   string
	fraction int
	suffix   string
}

func split(text string) (number, bool) {
	var n number
	rest := text
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		n.negative = rest[0] == '-'
		rest = rest[1:]
	}
	whole := digitsAt(rest)
	rest = rest[len(whole):]
	var part string
	if strings.HasPrefix(rest, ".") {
		part = digitsAt(rest[1:])
		rest = rest[1+len(part):]
	}
	if whole == "" && part == "" {
		return n, false
	}
	n.suffix = rest
	n.digits = strings.TrimLeft(whole+part, "0")
	n.fraction = len(part)
	short := strings.TrimRight(n.digits, "0")
	n.fraction -= len(n.digits) - len(short)
	n.digits = short
	return n, true
}

func digitsAt(s string) string {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i]
}

// scale is the factor of a suffix: 10^ten x 2^two.
type scale struct{ ten, two int }

func scaleOf(suffix string) (scale, bool) {
	switch suffix {
	case "":
		return scale{}, true
	case "n":
		return scale{ten: -9}, true
	case "u":
		return scale{ten: -6}, true
	case "m":
		return scale{ten: -3}, true
	case "k":
		return scale{ten: 3}, true
	case "Ki":
		return scale{two: 10}, true
	}
	if i := strings.IndexByte("MGTPE", suffix[0]); i >= 0 {
		switch suffix[1:] {
		case "":
			return scale{ten: 6 + 3*i}, true
		case "i":
			return scale{two: 20 + 10*i}, true
		}
	}
	if suffix[0] == 'e' || suffix[0] == 'E' {
		return exponent(suffix[1:])
	}
	return scale{}, false
}

// exponentCap replaces all larger exponents. With any digits that a text can hold, the number is too large or too small anyway.
const exponentCap = math.MaxInt32

func exponent(text string) (scale, bool) {
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) > 1 || digits == "" || digitsAt(digits) != digits {
		return scale{}, false
	}
	ten, err := strconv.Atoi(text)
	if err != nil || ten > exponentCap || ten < -exponentCap {
		ten = exponentCap
		if text[0] == '-' {
			ten = -exponentCap
		}
	}
	return scale{ten: ten}, true
}

type fault uint8

const (
	faultNone fault = iota
	faultFraction
	faultTooLarge
)

const (
	mostDigits   = 19 // of an int64
	mostFraction = 70 // the largest scale, 1000 x 2^60, can remove at most 63 fractional digits
)

// stored returns the absolute value in stored units. Since digits do not end with 0, only a binary suffix can turn a fraction into a
// whole number, and only if it has a bounded number of digits. If up is set, fractions are rounded up.
func (n number) stored(by scale, up bool) (int64, fault) {
	ten := by.ten - n.fraction
	switch {
	case len(n.digits)+ten > mostDigits:
		return 0, faultTooLarge
	case !up && (ten < -mostFraction || (ten < 0 && by.two == 0)):
		return 0, faultFraction
	case ten < 0:
		return n.binaryFraction(-ten, by.two, up)
	}
	var value uint64 // mostDigits digits fit
	for i := 0; i < len(n.digits); i++ {
		value = value*10 + uint64(n.digits[i]-'0')
	}
	for range ten {
		value *= 10
	}
	if bits.Len64(value)+by.two > 63 {
		return 0, faultTooLarge
	}
	return int64(value << by.two), faultNone
}

// binaryFraction returns digits x 2^two / 10^ten, as for 1.5Gi. It doubles the decimal number once for each power of two. The last
// ten digits of the result must be zeros, unless up is set.
func (n number) binaryFraction(ten, two int, up bool) (int64, fault) {
	doubled := []byte(strings.Repeat("0", two) + n.digits) // leading zeros leave space for the carries
	for range two {
		carry := byte(0)
		for i := len(doubled) - 1; i >= 0; i-- {
			twice := 2*(doubled[i]-'0') + carry
			doubled[i], carry = '0'+twice%10, twice/10
		}
	}
	whole := max(0, len(doubled)-ten)
	rest := strings.Trim(string(doubled[whole:]), "0") != ""
	if rest && !up {
		return 0, faultFraction
	}
	value, err := strconv.ParseInt("0"+string(doubled[:whole]), 10, 64)
	switch {
	case err != nil, rest && value == math.MaxInt64:
		return 0, faultTooLarge
	case rest:
		value++
	}
	return value, faultNone
}

func unit(typ string, milli bool) string {
	switch {
	case typ == VCore:
		return "thousandths of a core"
	case typ == "memory":
		return "bytes"
	case milli:
		return "thousandths of a device"
	}
	return "units"
}

const longestQuote = 80 // maximum bytes of a text that an error quotes

func quote(text string) string {
	switch {
	case text == "":
		return "nothing"
	case len(text) > longestQuote:
		return strconv.Quote(text[:longestQuote]) + "…"
	}
	return strconv.Quote(text)
}

// String returns the type and the stored amount, for messages of tests.
func (q Quantity) String() string {
	return "{" + q.Type + " " + strconv.FormatInt(q.Value, 10) + "}"
}
