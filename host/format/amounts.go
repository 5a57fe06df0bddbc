package format

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core/resource"
)

// Duration is a time span in its two largest units.
func Duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return d.Round(time.Microsecond).String()
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(10 * time.Millisecond).String()
	}
	units := []struct {
		name string
		size time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}}
	for i, u := range units[:3] {
		if d >= u.size {
			small := units[i+1]
			d = d.Round(small.size)
			text := fmt.Sprintf("%d%s", d/u.size, u.name)
			if rest := d % u.size / small.size; rest > 0 {
				text += fmt.Sprintf("%d%s", rest, small.name)
			}
			return text
		}
	}
	return d.String()
}

// Grouped writes a number with commas between thousands.
func Grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Change writes how far b is from a, with its sign; = where it is not.
func Change(a, b int) string {
	switch {
	case a == b:
		return "="
	case b > a:
		return "+" + Grouped(b-a)
	}
	return Grouped(b - a)
}

// Amount writes stored units for people: cores, binary multiples of bytes, plain numbers.
func Amount(typ string, stored int64) string {
	switch typ {
	case resource.VCore:
		return trimmed(float64(stored) / 1000)
	case "memory":
		return byteSize(stored)
	}
	return Grouped(int(stored))
}

func byteSize(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	value, unit := float64(n), 0
	for value >= 1024 && unit < len(units)-1 {
		value /= 1024
		unit++
	}
	return trimmed(value) + " " + units[unit]
}

// trimmed writes at most two decimals, fewer where the number is large.
func trimmed(f float64) string {
	if f >= 100 {
		return Grouped(int(f + 0.5))
	}
	text := strconv.FormatFloat(f, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
