package format

import (
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
)

// Duration is a time span in its two largest units.
func Duration(d time.Duration) string { return instant.Readable(d) }

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
