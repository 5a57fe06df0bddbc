package resource

import (
	"errors"
	"math/big"
	"strings"
	"testing"
)

func TestParseReadsQuantitiesAsKubernetesDoes(t *testing.T) {
	for _, c := range []struct {
		typ, text string
		want      int64
	}{
		{VCore, "0", 0}, {VCore, "4", 4000}, {VCore, "1.5", 1500}, {VCore, "500m", 500}, {VCore, ".5", 500}, {VCore, "1.", 1000},
		{VCore, "+2", 2000}, {VCore, "1500000u", 1500}, {VCore, "2000000n", 2}, {VCore, "1e-3", 1}, {VCore, "2k", 2_000_000},
		{VCore, "1Ki", 1_024_000}, {VCore, "9223372036854775807m", 1<<63 - 1}, {VCore, "0.001", 1}, {VCore, "1.500", 1500},
		{"memory", "8", 8}, {"memory", "64Gi", 64 << 30}, {"memory", "10G", 10e9}, {"memory", "1Ki", 1 << 10}, {"memory", "1Mi", 1 << 20},
		{"memory", "1Ti", 1 << 40}, {"memory", "1Pi", 1 << 50}, {"memory", "7Ei", 7 << 60}, {"memory", "9E", 9e18},
		{"memory", "1k", 1e3}, {"memory", "1M", 1e6}, {"memory", "1T", 1e12}, {"memory", "1P", 1e15},
		{"memory", "1e3", 1e3}, {"memory", "12E6", 12e6}, {"memory", "1e+2", 100}, {"memory", "1500e-2", 15}, {"memory", "0.5Ki", 512},
		{"memory", "1.5Gi", 3 << 29}, {"memory", "1000m", 1}, {"memory", "3000000000n", 3}, {"memory", "007", 7}, {"memory", "-0", 0},
		{"memory", "0.000Ei", 0}, {"memory", "0e99999999999999999999", 0}, {"memory", "0.0009765625Ki", 1},
		{"memory", "9223372036854775807", 1<<63 - 1}, {"memory", "00000000000000000000000000000001", 1},
		{"memory", "1.00000000000000000000000000000000000", 1}, {"memory", "0." + tiny + "Ei", 1},
		{"gpu", "8", 8},
	} {
		if got, err := Parse(c.typ, c.text); err != nil || got != c.want {
			t.Errorf("%s %q: got %d, %v, want %d", c.typ, c.text, got, err, c.want)
		}
	}
}

// tiny is the decimals of 2^-60, so that tiny Ei is 1.
var tiny = strings.Repeat("0", 18) + "867361737988403547205962240695953369140625"

func TestParseSaysWhatItExpectedAndFound(t *testing.T) {
	const (
		syntax   = "a quantity such as"
		suffix   = "one of the suffixes"
		negative = "zero or more"
		large    = "at most 9223372036854775807"
	)
	for _, c := range []struct{ typ, text, want string }{
		{"memory", "", syntax}, {"memory", " 1", syntax}, {"memory", "junk", syntax}, {"memory", ".", syntax}, {"memory", "+", syntax},
		{"memory", "Gi", syntax}, {"memory", "--1", syntax}, {"memory", ".Gi", syntax},
		{"memory", "1x", suffix}, {"memory", "1 ", suffix}, {"memory", "1K", suffix}, {"memory", "1ki", suffix}, {"memory", "1mi", suffix},
		{"memory", "1e", suffix}, {"memory", "1e+", suffix}, {"memory", "1e1.5", suffix}, {"memory", "1e+-1", suffix}, {"memory", "1e3Gi", suffix},
		{"memory", "1.2.3", suffix}, {"memory", "0x10", suffix}, {"memory", "1_000", suffix}, {"memory", "1GiB", suffix}, {"memory", "1١", suffix},
		{"memory", "-1", negative}, {"memory", "-0.5", negative}, {VCore, "-1m", negative}, {"memory", "-1e99", negative},
		{"memory", "1.5", "a whole number of bytes"}, {"memory", "1m", "a whole number of bytes"}, {"gpu", "0.5", "a whole number of units"},
		{VCore, "0.0005", "a whole number of thousandths of a core"}, {VCore, "1u", "thousandths"}, {VCore, "1e-99999999999", "thousandths"},
		{"memory", "0.0001Ki", "bytes"}, {"memory", "0.1Ei", "bytes"}, {"memory", "1e-80Ki", suffix},
		{"memory", "9223372036854775808", large}, {"memory", "8Ei", large}, {"memory", "10E", large}, {"memory", "1e19", large},
		{"memory", "1e99999999999999999999", large}, {VCore, "9223372036854776", large + "m"}, {VCore, "9223372036854775808m", large + "m"},
	} {
		_, err := Parse(c.typ, c.text)
		var bad *QuantityError
		if !errors.As(err, &bad) || !strings.Contains(bad.Expected, c.want) {
			t.Errorf("%s %q: got %v, want %s", c.typ, c.text, err, c.want)
			continue
		}
		if found := quote(c.text); bad.Found != found || !strings.HasSuffix(err.Error(), ", found "+found) {
			t.Errorf("%s %q: %v", c.typ, c.text, err)
		}
	}
}

func TestParseUpRoundsUp(t *testing.T) {
	for _, c := range []struct {
		typ, text string
		want      int64
	}{
		{VCore, "0.0005", 1}, {VCore, "1n", 1}, {VCore, "1500001u", 1501}, {VCore, "100m", 100}, {VCore, "1e-99999999999", 1},
		{"memory", "100m", 1}, {"memory", "1.1Gi", 1181116007}, {"memory", "128974848", 128974848}, {"memory", "1e3", 1000}, {"memory", "0.0001Ki", 1},
		{"memory", "1e-80", 1}, {"memory", "9223372036854775806.5", 1<<63 - 1}, {"memory", "0.000", 0}, {"memory", "1." + tiny + "1", 2},
	} {
		if got, err := ParseUp(c.typ, c.text); err != nil || got != c.want {
			t.Errorf("%s %q: got %d, %v, want %d", c.typ, c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"9223372036854775807.5", "7.99999999999999999999999999999999Ei", "-1", "1x", ""} {
		if got, err := ParseUp("memory", text); err == nil {
			t.Errorf("%q: got %d, want an error", text, got)
		}
	}
}

func TestErrorsRepeatNoMoreThanTheBeginningOfALongText(t *testing.T) {
	if _, err := Parse("memory", strings.Repeat("x", 1<<20)); len(err.Error()) > 200 {
		t.Errorf("%d bytes", len(err.Error()))
	}
}

func TestFormatIsReadBack(t *testing.T) {
	for _, typ := range []string{VCore, "memory", "gpu"} {
		for _, v := range []int64{0, 1, 999, 1000, 1500, 1<<63 - 1} {
			if got, err := Parse(typ, Format(typ, v)); err != nil || got != v {
				t.Errorf("%s %d: %d, %v", typ, v, got, err)
			}
		}
	}
	if Format(VCore, 1500) != "1500m" || Format("memory", 1500) != "1500" {
		t.Error("vcore in thousandths, others plain")
	}
}

// exactly is an independent parser, with big integers. It returns nil unless the text is a quantity of at least 0 that is a whole number of
// stored units, possibly after rounding up, within an int64.
func exactly(typ, text string, up bool) *big.Int {
	number := strings.TrimLeft(text, "+-0123456789.")
	suffix := number
	number = strings.TrimSuffix(text, suffix)
	if strings.LastIndexAny(number, "+-") > 0 || strings.Count(number, ".") > 1 || !strings.ContainsAny(number, "0123456789") {
		return nil
	}
	value, ok := new(big.Rat).SetString(strings.TrimSuffix(strings.Replace(number, "+.", "+0.", 1), "."))
	if !ok {
		return nil
	}
	factor, ok := suffixes[suffix]
	if !ok {
		exponent := strings.TrimLeft(suffix, "eE")
		if len(suffix)-len(exponent) != 1 || len(exponent) > 4 || strings.Trim(strings.TrimLeft(exponent, "+-"), "0123456789") != "" {
			return nil
		}
		if factor, ok = new(big.Rat).SetString("1e" + exponent); !ok {
			return nil
		}
	}
	value.Mul(value, factor)
	if typ == VCore {
		value.Mul(value, big.NewRat(1000, 1))
	}
	if value.Sign() < 0 || !up && !value.IsInt() {
		return nil
	}
	whole, rest := new(big.Int).DivMod(value.Num(), value.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		whole.Add(whole, big.NewInt(1))
	}
	if !whole.IsInt64() {
		return nil
	}
	return whole
}

var suffixes = map[string]*big.Rat{
	"": big.NewRat(1, 1), "n": big.NewRat(1, 1e9), "u": big.NewRat(1, 1e6), "m": big.NewRat(1, 1e3),
	"k": big.NewRat(1e3, 1), "M": big.NewRat(1e6, 1), "G": big.NewRat(1e9, 1), "T": big.NewRat(1e12, 1), "P": big.NewRat(1e15, 1),
	"E": big.NewRat(1e18, 1), "Ki": big.NewRat(1<<10, 1), "Mi": big.NewRat(1<<20, 1), "Gi": big.NewRat(1<<30, 1),
	"Ti": big.NewRat(1<<40, 1), "Pi": big.NewRat(1<<50, 1), "Ei": big.NewRat(1<<60, 1),
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"1.5", "500m", "64Gi", "12E6", "1e-3", "-0", "0.5Ki", "9223372036854775807", "1e", ".", "+.5", "8Ei", "7.9999999999Ei", "1e-80"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, typ := range []string{VCore, "memory"} {
			got, err := Parse(typ, text)
			rounded, upErr := ParseUp(typ, text)
			if e := strings.LastIndexAny(text, "eE"); len(text) > 60 || e >= 0 && len(text)-e > 5 {
				continue // the independent parser would take too long for a large exponent
			}
			want, wantUp := exactly(typ, text, false), exactly(typ, text, true)
			if (upErr == nil) != (wantUp != nil) || wantUp != nil && rounded != wantUp.Int64() {
				t.Errorf("%s %q: got %d, %v, rounded up, want %v", typ, text, rounded, upErr, wantUp)
			}
			if (err == nil) != (want != nil) || want != nil && got != want.Int64() {
				t.Errorf("%s %q: got %d, %v, want %v", typ, text, got, err, want)
			}
			if err == nil {
				if again, err := Parse(typ, Format(typ, got)); err != nil || again != got {
					t.Errorf("%s %q: %d is read back as %d, %v", typ, text, got, again, err)
				}
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for _, text := range []string{"4", "500m", "64Gi", "1.5"} {
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(VCore, text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
