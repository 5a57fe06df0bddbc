package abi_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/quern-project/quern/sdk/abi"
)

func TestTextsAreReadAsTheyWereWritten(t *testing.T) {
	cases := map[string][]string{
		"none":              nil,
		"one":               {"vcore"},
		"several":           {"silver", "gold", "Zürich"},
		"empty ones":        {"", "a", "", ""},
		"the same one":      {"a", "a"},
		"not in UTF-8":      {"\xff\x00"},
		"a NUL in a text":   {"a\x00b"},
		"more than a block": {string(make([]byte, 70_000)), "end"},
	}
	for name, texts := range cases {
		t.Run(name, func(t *testing.T) {
			first, got, err := abi.ReadTexts(abi.Texts(17, texts))
			if err != nil || first != 17 || !slices.Equal(got, texts) {
				t.Errorf("expected %q from 17, found %q from %d, %v", texts, got, first, err)
			}
		})
	}
}

func TestTextsThatCannotBeAreRefused(t *testing.T) {
	cases := []struct {
		name string
		data []byte
	}{
		{"nothing", nil},
		{"half a header", make([]byte, 7)},
		{"more ends than bytes", words(1, 2, 3)},
		{"so many that their number wraps around", words(1, 1<<30)},
		{"an end behind the bytes", append(words(1, 1, 3), "ab"...)},
		{"an end before the one before", append(words(1, 2, 2, 1), "ab"...)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if first, texts, err := abi.ReadTexts(c.data); err == nil {
				t.Errorf("expected them to be refused, found %q from %d", texts, first)
			}
		})
	}
}

func words(all ...uint32) (data []byte) {
	for _, w := range all {
		data = binary.LittleEndian.AppendUint32(data, w)
	}
	return data
}
