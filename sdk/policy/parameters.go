package policy

import (
	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/internal/errfmt"
)

// Parameters are the values that an operator set, and the defaults of what was not set. Each method panics where the
// manifest declares no such parameter of that type: that is a mistake in the policy, which its first call shows.
type Parameters struct {
	declared map[string]abi.Parameter
	values   map[string]any
}

// Weight is a number with a name, an item of a parameter of type weights.
type Weight struct {
	Name  string
	Value float64
}

// ReadParameters reads the JSON object of quern_configure, and checks it against what the manifest declares.
func ReadParameters(declared map[string]abi.Parameter, text []byte) (Parameters, error) {
	p := Parameters{declared: declared}
	var err error
	if p.values, err = object(text); err != nil {
		return p, errfmt.Errorf("expected a JSON object of parameters: %w", err)
	}
	for _, name := range sorted(p.values) {
		d, ok := declared[name]
		if !ok {
			return p, errfmt.Errorf("%s: expected one of %s", name, list(sorted(declared)))
		}
		if err := d.Check(p.values[name]); err != nil {
			return p, errfmt.Errorf("%s: %w", name, err)
		}
	}
	return p, p.setDefaults()
}

func (p *Parameters) setDefaults() error {
	for _, name := range sorted(p.declared) {
		if _, ok := p.values[name]; ok {
			continue
		}
		value, err := plainValue(p.declared[name].Default)
		if err == nil {
			err = p.declared[name].Check(value)
		}
		if err != nil {
			return errfmt.Errorf("%s: default: %w", name, err)
		}
		p.values[name] = value
	}
	return nil
}

// Number is the value of a parameter of type number.
func (p Parameters) Number(name string) float64 { return value[float64](p, name, abi.Number) }

// Integer is the value of a parameter of type integer.
func (p Parameters) Integer(name string) int64 { return int64(value[float64](p, name, abi.Integer)) }

// Boolean is the value of a parameter of type boolean.
func (p Parameters) Boolean(name string) bool { return value[bool](p, name, abi.Boolean) }

// Text is the value of a parameter of type text.
func (p Parameters) Text(name string) string { return value[string](p, name, abi.Text) }

// Numbers is the value of a parameter of type numbers.
func (p Parameters) Numbers(name string) []float64 {
	items := value[[]any](p, name, abi.Numbers)
	out := make([]float64, len(items))
	for i, v := range items {
		out[i] = v.(float64)
	}
	return out
}

// Weights is the value of a parameter of type weights, in the order of the names (bytewise).
func (p Parameters) Weights(name string) []Weight {
	table := value[map[string]any](p, name, abi.Weights)
	out := make([]Weight, 0, len(table))
	for _, n := range sorted(table) {
		out = append(out, Weight{n, table[n].(float64)})
	}
	return out
}

func value[T any](p Parameters, name, kind string) T {
	if d, ok := p.declared[name]; !ok || d.Type != kind {
		panic(errfmt.Textf("policy: expected a parameter %q of type %s in the manifest, found type %q", name, kind, d.Type))
	}
	return p.values[name].(T)
}
