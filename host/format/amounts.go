package format

import (
	"fmt"
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
func Grouped(n int) string { return resource.Readable("", int64(n)) }

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
