package registry

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/wasm/module/guest"
)

// Settings are what an operator says about a module, in NAME.toml beside it. All of it may be left out.
type Settings struct {
	SHA256     string            `toml:"sha256"`     // the module is refused unless its file has this hash
	Parameters map[string]any    `toml:"parameters"` // by name, of the types that the module declares
	Fallback   map[string]string `toml:"fallback"`   // by point: the built-in that answers where the module fails
	ShadowOf   string            `toml:"shadow_of"`  // it decides nothing, and is compared with this policy
	Limits     Limits            `toml:"limits"`
	Process    Process           `toml:"process"`
}

// Limits bound a module.
type Limits struct {
	Memory      string `toml:"memory"`        // such as 16MiB, the default; WebAssembly only
	Fuel        int64  `toml:"fuel"`          // of a call, about a nanosecond a unit; default 1,000,000
	FuelPerItem int64  `toml:"fuel_per_item"` // of a call for each item asked about; default 2,000
	Deadline    string `toml:"deadline"`      // of a call of a process, such as 10ms, the default
}

// Process says that the module is a program.
type Process struct {
	Command string   `toml:"command"` // beside NAME.toml, or absolute
	Args    []string `toml:"args"`
	Round   int      `toml:"round"`   // how many allocations the answers of one call hold for; default 1
	Read    []string `toml:"read"`    // files and folders that it may read beside those of the system; relative ones begin at NAME.toml
	Write   []string `toml:"write"`   // files, devices and folders that it may write
	Network bool     `toml:"network"` // it has the network of the host
	Memory  string   `toml:"memory"`  // of each of its processes, such as 1GiB, the default
	CPUs    int      `toml:"cpus"`    // processors that it may use; default: all but one
}

// parseSettings reads NAME.toml. Errors name the line and the key.
func parseSettings(file string, text []byte) (*Settings, error) {
	s := &Settings{}
	meta, err := config.DecodeTOML(file, text, s)
	if err != nil {
		return nil, err
	}
	if key, err := form(&meta); err != nil {
		return nil, at(file, text, key, err)
	}
	below := func(k toml.Key) bool { return k[0] == "parameters" } // tables in it are the module's
	if unknown := slices.DeleteFunc(meta.Undecoded(), below); len(unknown) > 0 {
		return nil, at(file, text, unknown[0], fmt.Errorf("expected one of %s, found %q", known(unknown[0]), unknown[0].String()))
	}
	if key, err := s.written(&meta); err != nil {
		return nil, at(file, text, key, err)
	}
	if key, err := s.check(); err != nil {
		return nil, at(file, text, key, err)
	}
	return s, nil
}

// known lists the keys that may stand where an unknown one does.
func known(key toml.Key) string {
	switch key[0] {
	case "limits":
		return "memory, fuel, fuel_per_item, deadline"
	case "process":
		return "command, args, round, read, write, network, memory, cpus"
	}
	return "sha256, shadow_of, [parameters], [fallback], [limits], [process]"
}

func (s *Settings) check() (toml.Key, error) {
	if raw, err := hex.DecodeString(s.SHA256); s.SHA256 != "" && (err != nil || len(raw) != 32) {
		return toml.Key{"sha256"}, fmt.Errorf("expected 64 hexadecimal digits, found %q", s.SHA256)
	}
	if key, err := s.Limits.bounds().Check(); err != nil {
		return toml.Key{"limits", key}, err
	}
	if _, err := s.Limits.deadline(); err != nil {
		return toml.Key{"limits", "deadline"}, err
	}
	if s.Process.Round < 0 {
		return toml.Key{"process", "round"}, fmt.Errorf("expected 1 or more, found %d", s.Process.Round)
	}
	if key, err := s.Process.check(); err != nil {
		return toml.Key{"process", key}, err
	}
	for _, point := range slices.Sorted(maps.Keys(s.Fallback)) {
		if err := guest.CheckFallback(point, s.Fallback[point]); err != nil {
			return toml.Key{"fallback", point}, err
		}
	}
	return nil, nil
}

// bounds are the limits of a WebAssembly module.
func (l Limits) bounds() guest.Bounds {
	return guest.Bounds{Memory: l.Memory, Fuel: l.Fuel, FuelPerItem: l.FuelPerItem}
}

// deadline is that of a process's call; 0: the default.
func (l Limits) deadline() (time.Duration, error) {
	if l.Deadline == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(l.Deadline)
	if err != nil || d <= 0 || d > time.Minute {
		return 0, fmt.Errorf("expected a duration above 0 and up to 1m, found %q", l.Deadline)
	}
	return d, nil
}

// at adds the file, and the line of a key, to an error.
func at(file string, text []byte, key toml.Key, err error) error {
	if line := lineOf(string(text), key); line > 0 {
		return fmt.Errorf("%s:%d: %s: %w", file, line, key, err)
	}
	return fmt.Errorf("%s: %s: %w", file, key, err)
}

// lineOf finds the line on which a key is set, since the library does not tell: 0 where it is written in a way that this
// does not look for (an inline table, say).
func lineOf(text string, key toml.Key) int {
	var table []string
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(line, "["); ok {
			table = names(strings.Trim(strings.SplitN(head, "]", 2)[0], "[ "))
			if slices.Equal(table, key) {
				return i + 1
			}
			continue
		}
		name, _, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		path := append(slices.Clone(table), names(strings.TrimSpace(name))...)
		if slices.Equal(path, key) || len(path) > len(key) && slices.Equal(path[:len(key)], key) {
			return i + 1
		}
	}
	return 0
}

// names splits a dotted name; a quoted one is whole.
func names(dotted string) []string {
	if unquoted := strings.Trim(dotted, `"'`); unquoted != dotted {
		return []string{unquoted}
	}
	parts := strings.Split(dotted, ".")
	for i := range parts {
		parts[i] = strings.Trim(strings.TrimSpace(parts[i]), `"'`)
	}
	return parts
}
