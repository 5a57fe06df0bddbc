package guest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/sdk/abi"
)

// Setup is what an operator says of a module. All of it may be left out.
type Setup struct {
	Parameters map[string]any    // by name, of the types that the module declares; numbers are float64
	Fallback   map[string]string // by point: the built-in that answers where the module fails
	Bounds     Bounds
	Impure     bool // its answers are recorded, since they cannot be computed again
	Round      int  // how many allocations the answers of one call hold for
}

// Resolved is a module as an operator set it up: what it declares, with parameters given.
type Resolved struct {
	Manifest *policy.Manifest
	Text     string // of the manifest, as it is announced
	Config   []byte // the values of all parameters, as the module gets them
}

// SetupError is an error that a Setup is to blame for.
type SetupError struct {
	Key []string // where: parameters, fallback or limits, and what in it
	Err error
}

func (e *SetupError) Error() string { return strings.Join(e.Key, ".") + ": " + e.Err.Error() }
func (e *SetupError) Unwrap() error { return e.Err }

// Resolve gives a module a name, its parameters, fallbacks and limits. An error is a SetupError where the setup is to blame.
func Resolve(name string, m *abi.Manifest, s Setup) (*Resolved, error) {
	values, err := parameters(m, s.Parameters)
	if err != nil {
		return nil, err
	}
	out := &policy.Manifest{Name: name, Version: m.Version, ABI: m.ABI, Impure: s.Impure, Round: s.Round}
	if out.Points, err = resolvePoints(m, s.Fallback, values); err != nil {
		return nil, err
	}
	config, err := json.Marshal(values) // keys of maps come in order
	if err != nil {
		return nil, fmt.Errorf("parameters: %w", err)
	}
	if len(config) > abi.MaxConfig {
		return nil, &SetupError{[]string{"parameters"}, fmt.Errorf("expected at most %d bytes, found %d", abi.MaxConfig, len(config))}
	}
	out.Configuration = config
	if out.Limits, err = s.Bounds.announced(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	checked, err := policy.ParseManifest(string(text))
	if err != nil {
		return nil, err
	}
	return &Resolved{checked, string(text), config}, nil
}

// announced puts what bounds the calls into the manifest, since answers may depend on it: a call that runs out of fuel
// fails. Nothing where everything is left to defaults.
func (b Bounds) announced() (json.RawMessage, error) {
	if b == (Bounds{}) {
		return nil, nil
	}
	if key, err := b.Check(); err != nil {
		return nil, &SetupError{[]string{"limits", key}, err}
	}
	return json.Marshal(b)
}

// parameters gives every declared parameter its value.
func parameters(m *abi.Manifest, given map[string]any) (map[string]any, error) {
	values := map[string]any{}
	for name, p := range m.Parameters {
		values[name] = p.Default
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		key := []string{"parameters", name}
		p, declared := m.Parameters[name]
		if !declared {
			return nil, &SetupError{key, fmt.Errorf("expected one of %s, found %q", listed(slices.Sorted(maps.Keys(m.Parameters))), name)}
		}
		if err := p.Check(given[name]); err != nil {
			return nil, &SetupError{key, err}
		}
		values[name] = given[name]
	}
	return values, nil
}

func listed(names []string) string {
	if len(names) == 0 {
		return "no parameter, since the module declares none"
	}
	return strings.Join(names, ", ")
}

// OwnPoints are the points that a module declares, with what it was configured with in its columns.
func OwnPoints(m *abi.Manifest, config []byte) (map[policy.Point]*policy.PointSpec, error) {
	values := map[string]any{}
	if len(config) > 0 {
		if err := json.Unmarshal(config, &values); err != nil {
			return nil, fmt.Errorf("manifest: configuration: %w", err)
		}
	}
	return resolvePoints(m, nil, values)
}

// resolvePoints gives the points of a module their fallbacks, and its columns what parameters say.
func resolvePoints(m *abi.Manifest, fallback map[string]string, values map[string]any) (map[policy.Point]*policy.PointSpec, error) {
	for _, point := range slices.Sorted(maps.Keys(fallback)) {
		if _, served := m.Points[point]; !served {
			return nil, &SetupError{[]string{"fallback", point}, fmt.Errorf("the module does not serve this point")}
		}
	}
	out := map[policy.Point]*policy.PointSpec{}
	for _, point := range slices.Sorted(maps.Keys(m.Points)) {
		spec, err := resolvePoint(point, m.Points[point], fallback[point], values)
		if err != nil {
			return nil, fmt.Errorf("manifest: points: %s: %w", point, err)
		}
		out[policy.Point(point)] = spec
	}
	return out, nil
}

func resolvePoint(point string, s abi.Spec, fallback string, values map[string]any) (*policy.PointSpec, error) {
	out := &policy.PointSpec{Keys: s.Keys, Depends: policy.Dependence(s.Depends), Fallback: s.Fallback, Columns: []policy.Column{}}
	if fallback != "" {
		out.Fallback = fallback
	}
	if out.Fallback != "" {
		if err := CheckFallback(point, out.Fallback); err != nil {
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

// substitute puts the text of a parameter in the place of $NAME, where a column's argument is that, or the level or type of domain_free.
func substitute(column string, values map[string]any) (string, error) {
	kind, arg, _ := strings.Cut(column, ":")
	body, otherwise, hasDefault := strings.Cut(arg, "=")
	parts := []string{body}
	if at := strings.LastIndexByte(body, ':'); at >= 0 && kind == policy.DomainFree.String() {
		parts = []string{body[:at], body[at+1:]}
	}
	if !slices.ContainsFunc(parts, isParameter) {
		return column, nil
	}
	for i, part := range parts {
		if !isParameter(part) {
			continue
		}
		text, ok := values[part[1:]].(string)
		if !ok || text == "" || strings.ContainsAny(text, "=$") {
			return "", fmt.Errorf("expected parameter %q to be a text without = and $, found %v", part[1:], values[part[1:]])
		}
		parts[i] = text
	}
	column = kind + ":" + strings.Join(parts, ":")
	if hasDefault {
		column += "=" + otherwise
	}
	return column, nil
}

func isParameter(text string) bool { return strings.HasPrefix(text, "$") }
