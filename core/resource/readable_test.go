package resource

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAmountsReadAsPeopleWriteThem(t *testing.T) {
	for _, c := range []struct {
		typ     string
		stored  int64
		want    string
		rounded string
	}{
		{VCore, 0, "0", "0"},
		{VCore, 4000, "4", "4"},
		{VCore, 1500, "1.5", "1.5"},
		{VCore, 5, "0.005", "0.01"},
		{VCore, 1_234_567, "1,234.567", "1,235"},
		{VCore, -1500, "-1.5", "-1.5"},
		{"memory", 0, "0 B", "0 B"},
		{"memory", 1023, "1,023 B", "1,023 B"},
		{"memory", 1500, "1,500 B", "1.46 KiB"},
		{"memory", 4 << 30, "4 GiB", "4 GiB"},
		{"memory", 1 << 29, "512 MiB", "512 MiB"},
		{"memory", 3 << 29, "1.5 GiB", "1.5 GiB"},
		{"memory", 5 << 28, "1.25 GiB", "1.25 GiB"},
		{"memory", 1500 << 20, "1,500 MiB", "1.46 GiB"},
		{"memory", 301 << 29, "150.5 GiB", "151 GiB"},
		{"memory", 1_000_000_000, "954 MiB (1,000,000,000 bytes)", "954 MiB"},
		{"memory", 4<<30 + 1, "4 GiB (4,294,967,297 bytes)", "4 GiB"},
		{"memory", 32778140 << 10, "31.26 GiB (33,564,815,360 bytes)", "31.26 GiB"},
		{"memory", math.MaxInt64, "8 EiB (9,223,372,036,854,775,807 bytes)", "8 EiB"},
		{"memory", math.MinInt64, "-8 EiB", "-8 EiB"},
		{"pods", 110, "110", "110"},
		{"nvidia.com/gpu", 1_000_000, "1,000,000", "1,000,000"},
		{"nvidia.com/gpu", math.MinInt64, "-9,223,372,036,854,775,808", "-9,223,372,036,854,775,808"},
	} {
		if found := Readable(c.typ, c.stored); found != c.want {
			t.Errorf("%d %s: expected %q, found %q", c.stored, c.typ, c.want, found)
		}
		if found := Rounded(c.typ, c.stored); found != c.rounded {
			t.Errorf("%d %s, rounded: expected %q, found %q", c.stored, c.typ, c.rounded, found)
		}
	}
}

func TestAnAmountIsReadWithItsType(t *testing.T) {
	for want, s := range map[string]Set{
		"nothing":                      nil,
		"1 pod":                        {{Type: "pods", Value: 1}},
		"0 pods and 1.5 vcore":         {{Type: "pods", Value: 0}, {Type: VCore, Value: 1500}},
		"4 GiB memory, 2 pods and 2 x": {{Type: "memory", Value: 4 << 30}, {Type: "pods", Value: 2}, {Type: "x", Value: 2}},
	} {
		if found := s.Readable(); found != want {
			t.Errorf("expected %q, found %q", want, found)
		}
	}
}

// readableAmount prefers amounts near multiples of units, where rounding could give two of them the same text.
var readableAmount = rapid.Custom(func(t *rapid.T) int64 {
	shift := rapid.IntRange(0, 62).Draw(t, "shift")
	n := rapid.Int64Range(0, math.MaxInt64>>shift).Draw(t, "n") << shift
	return Add(n, rapid.Int64Range(-1100, 1100).Draw(t, "near"))
})

func TestDifferentAmountsNeverReadTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom([]string{VCore, "memory", "pods", "nvidia.com/gpu"}).Draw(t, "type")
		a := readableAmount.Draw(t, "a")
		b := rapid.OneOf(readableAmount, rapid.Map(rapid.Int64Range(-2000, 2000), func(d int64) int64 { return Add(a, d) })).Draw(t, "b")
		if x, y := Readable(typ, a), Readable(typ, b); (x == y) != (a == b) {
			t.Fatalf("%d and %d of %s read %q and %q", a, b, typ, x, y)
		}
	})
}

func TestAReadableAmountIsExact(t *testing.T) {
	suffixes := map[string]string{"B": "", "KiB": "Ki", "MiB": "Mi", "GiB": "Gi", "TiB": "Ti", "PiB": "Pi", "EiB": "Ei"}
	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom([]string{VCore, "memory", "pods"}).Draw(t, "type")
		stored := max(0, readableAmount.Draw(t, "amount"))
		text := strings.ReplaceAll(Readable(typ, stored), ",", "")
		if _, exact, found := strings.Cut(text, " ("); found {
			text = strings.TrimSuffix(exact, " bytes)")
		} else if number, unit, found := strings.Cut(text, " "); found {
			text = number + suffixes[unit]
		}
		if back, err := Parse(typ, text); err != nil || back != stored {
			t.Fatalf("%d of %s reads %q, which is %d, %v", stored, typ, text, back, err)
		}
	})
}
