package policy

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/sdk/abi"
)

// resolved is a module as an operator set it up: what it declares, with parameters given.
type resolved struct {
	manifest *policy.Manifest
	text     string // of the manifest, as it is announced
	config   []byte // the values of all parameters, as the module gets them
}

// resolve gives a module its parameters, fallbacks and limits. Errors name the line of NAME.toml where that is to blame.
func resolve(name string, m *abi.Manifest, s *Settings, file string, text []byte, impure bool) (*resolved, error) {
	values, key, err := parameters(m, s.Parameters)
	if err != nil {
		return nil, at(file, text, append(toml.Key{"parameters"}, key), err)
	}
	out := &policy.Manifest{Name: name, Version: m.Version, ABI: m.ABI, Impure: impure, Round: s.Process.Round, Points: map[policy.Point]*policy.PointSpec{}}
	for point := range s.Fallback {
		if _, served := m.Points[point]; !served {
			return nil, at(file, text, toml.Key{"fallback", point}, fmt.Errorf("the module does not serve this point"))
		}
	}
	for _, point := range slices.Sorted(maps.Keys(m.Points)) {
		spec, err := resolvePoint(point, m.Points[point], s.Fallback[point], values)
		if err != nil {
			return nil, fmt.Errorf("manifest: points: %s: %w", point, err)
		}
		out.Points[policy.Point(point)] = spec
	}
	config, err := json.Marshal(values) // keys of maps come in order
	if err != nil {
		return nil, fmt.Errorf("parameters: %w", err)
	}
	if len(config) > abi.MaxConfig {
		return nil, fmt.Errorf("%s: parameters: expected at most %d bytes, found %d", file, abi.MaxConfig, len(config))
	}
	out.Configuration = config
	if out.Limits, err = limitsText(s); err != nil {
		return nil, err
	}
	announced, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	checked, err := policy.ParseManifest(string(announced))
	if err != nil {
		return nil, err
	}
	return &resolved{checked, string(announced), config}, nil
}

// limitsText puts what bounds the calls into the manifest, since answers may depend on it: a call that runs out of fuel
// fails. Nothing where everything is left to defaults.
func limitsText(s *Settings) (json.RawMessage, error) {
	l := announcedLimits{Memory: s.Limits.Memory, Fuel: s.Limits.Fuel, FuelPerItem: s.Limits.FuelPerItem}
	if l == (announcedLimits{}) {
		return nil, nil
	}
	return json.Marshal(l)
}

// announcedLimits are the limits that a manifest holds.
type announcedLimits struct {
	Memory      string `json:"memory,omitempty"`
	Fuel        int64  `json:"fuel,omitempty"`
	FuelPerItem int64  `json:"fuel_per_item,omitempty"`
}

// parameters gives every declared parameter its value. An error comes with the key to blame.
func parameters(m *abi.Manifest, given map[string]any) (values map[string]any, key string, err error) {
	values = map[string]any{}
	for name, p := range m.Parameters {
		values[name] = p.Default
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		p, declared := m.Parameters[name]
		if !declared {
			return nil, name, fmt.Errorf("expected one of %s, found %q", listed(slices.Sorted(maps.Keys(m.Parameters))), name)
		}
		v := number(given[name])
		if err := p.Check(v); err != nil {
			return nil, name, err
		}
		values[name] = v
	}
	return values, "", nil
}

func listed(names []string) string {
	if len(names) == 0 {
		return "no parameter, since the module declares none"
	}
	return strings.Join(names, ", ")
}

// number makes the numbers of a TOML value those of JSON.
func number(v any) any {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = number(v[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for name := range v {
			out[name] = number(v[name])
		}
		return out
	}
	return v
}

func resolvePoint(point string, s abi.Spec, fallback string, values map[string]any) (*policy.PointSpec, error) {
	out := &policy.PointSpec{Keys: s.Keys, Depends: policy.Dependence(s.Depends), Fallback: s.Fallback, Columns: []policy.Column{}}
	if fallback != "" {
		out.Fallback = fallback
	}
	if out.Fallback != "" {
		if err := checkFallback(point, out.Fallback); err != nil {
			return nil, fmt.Errorf("fallback: %w", err)
		}
	}
	for _, text := range s.Columns {
		named, err := substitute(text, values)
		if err != nil {
			return nil, fmt.Errorf("columns: %q: %w", text, err)
		}
		c, err := policy.ParseColumn(named)
		if err != nil {
			return nil, err
		}
		out.Columns = append(out.Columns, c)
	}
	return out, nil
}

// substitute puts the text of a parameter in the place of $NAME, where a column's argument is that.
func substitute(column string, values map[string]any) (string, error) {
	kind, arg, _ := strings.Cut(column, ":")
	body, otherwise, hasDefault := strings.Cut(arg, "=")
	name, isParameter := strings.CutPrefix(body, "$")
	if !isParameter {
		return column, nil
	}
	text, ok := values[name].(string)
	if !ok || text == "" || strings.ContainsAny(text, "=$") {
		return "", fmt.Errorf("expected parameter %q to be a text without = and $, found %v", name, values[name])
	}
	if hasDefault {
		text += "=" + otherwise
	}
	return kind + ":" + text, nil
}
