package registry

import (
	"errors"

	"github.com/BurntSushi/toml"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/abi/manifests"
	"github.com/quern-project/quern/wasm/module/guest"
)

// resolve gives a module its parameters, fallbacks and limits. Errors name the line of NAME.toml where that is to blame.
func resolve(name string, m *abi.Manifest, s *Settings, file string, text []byte, impure bool) (*guest.Resolved, error) {
	given := map[string]any{}
	for key, value := range s.Parameters {
		given[key] = number(value)
	}
	r, err := guest.Resolve(name, m, guest.Setup{Parameters: given, Fallback: s.Fallback, Bounds: s.Limits.bounds(), Impure: impure, Round: s.Process.Round})
	var blamed *guest.SetupError
	if errors.As(err, &blamed) {
		return nil, at(file, text, toml.Key(blamed.Key), blamed.Err)
	}
	return r, manifests.Located([]byte(m.Source), err)
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
