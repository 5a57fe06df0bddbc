package csvfile

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

// amount reads an amount of a resource, rounded up to whole stored units. An empty column is none.
func (r *row) amount(f *bound) int64 {
	text := r.text(f)
	if text == "" {
		return 0
	}
	var value *big.Rat
	if f.factor != nil {
		n, ok := decimal(text)
		if !ok {
			r.fail(f, f.at, "a number of zero or more", text)
			return 0
		}
		value = n.Mul(n, f.factor)
	} else {
		stored, err := resource.ParseUp(f.typ, f.suffixed(text))
		if err != nil {
			r.because(f, err)
			return 0
		}
		if f.timesAt < 0 && f.perAt < 0 {
			return stored
		}
		value = new(big.Rat).SetInt64(stored)
	}
	if n := r.factor(f, f.timesAt, false); n != nil {
		value.Mul(value, n)
	}
	if n := r.factor(f, f.perAt, true); n != nil {
		value.Quo(value, n)
	}
	up := new(big.Int).Add(value.Num(), new(big.Int).Sub(value.Denom(), big.NewInt(1)))
	up.Quo(up, value.Denom())
	if !up.IsInt64() {
		r.fail(f, f.at, "an amount below 2^63", fmt.Sprintf("%s of the unit", text))
		return 0
	}
	return up.Int64()
}

// factor reads what an amount is multiplied with or divided by; nil: by nothing.
func (r *row) factor(f *bound, at int, divides bool) *big.Rat {
	if at < 0 {
		return nil
	}
	text := r.cell(at)
	n, ok := decimal(text)
	switch {
	case !ok:
		r.fail(f, at, "a number of zero or more", text)
		return nil
	case divides && n.Sign() == 0:
		r.fail(f, at, "a number above zero", text)
		return nil
	}
	return n
}

// suffixed is a quantity in the syntax of Kubernetes.
func (f *field) suffixed(text string) string {
	if !f.binary {
		return text
	}
	text = strings.TrimSuffix(text, "B")
	for _, suffix := range []string{"K", "M", "G", "T", "P"} {
		if strings.HasSuffix(text, suffix) {
			return text + "i"
		}
	}
	return text
}
