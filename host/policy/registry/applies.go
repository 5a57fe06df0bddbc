package registry

import (
	"errors"
	"fmt"

	"github.com/BurntSushi/toml"
)

// form refuses a list of tables in the place of a table, which the decoder takes for an empty one.
func form(meta *toml.MetaData) (toml.Key, error) {
	for _, key := range meta.Keys() {
		if len(key) == 1 && isTable[key[0]] && meta.Type(key...) != "Hash" {
			return key, fmt.Errorf("expected one table [%s], found a list", key[0])
		}
	}
	return nil, nil
}

var isTable = map[string]bool{"parameters": true, "fallback": true, "limits": true, "process": true}

// written refuses keys that are there and say nothing: they would be taken for the default, which is not what was written.
func (s *Settings) written(meta *toml.MetaData) (toml.Key, error) {
	for _, k := range []struct {
		key   toml.Key
		empty bool
		most  string
	}{
		{toml.Key{"sha256"}, s.SHA256 == "", "64 hexadecimal digits"},
		{toml.Key{"shadow_of"}, s.ShadowOf == "", "the name of a policy"},
		{toml.Key{"limits", "memory"}, s.Limits.Memory == "", "64KiB to 256MiB"},
		{toml.Key{"limits", "fuel"}, s.Limits.Fuel == 0, "1 to 10000000"},
		{toml.Key{"limits", "fuel_per_item"}, s.Limits.FuelPerItem == 0, "1 to 10000000"},
		{toml.Key{"limits", "deadline"}, s.Limits.Deadline == "", "a duration above 0 and up to 1m"},
		{toml.Key{"process", "command"}, s.Process.Command == "", "a program"},
		{toml.Key{"process", "round"}, s.Process.Round == 0, "1 or more"},
		{toml.Key{"process", "memory"}, s.Process.Memory == "", processMemoryRange},
		{toml.Key{"process", "cpus"}, s.Process.CPUs == 0, "1 or more"},
	} {
		if k.empty && meta.IsDefined(k.key...) {
			return k.key, fmt.Errorf("expected %s, found %s", k.most, emptyOf(meta.Type(k.key...)))
		}
	}
	return nil, nil
}

func emptyOf(typ string) string {
	if typ == "Integer" {
		return "0"
	}
	return "an empty text"
}

// applies refuses what has no effect on this kind of module.
func (s *Settings) applies(wasm bool) (toml.Key, error) {
	errProgram := errors.New("expected none: it is for WebAssembly modules, and this is a program (its limits are limits.deadline and process.memory)")
	errModule := errors.New("expected none: it is for programs, and this is a WebAssembly module (its limit is limits.fuel)")
	for _, k := range []struct {
		section, key string
		set, wasm    bool
		why          error
	}{
		{"limits", "memory", s.Limits.Memory != "", true, errProgram},
		{"limits", "fuel", s.Limits.Fuel != 0, true, errProgram},
		{"limits", "fuel_per_item", s.Limits.FuelPerItem != 0, true, errProgram},
		{"limits", "deadline", s.Limits.Deadline != "", false, errModule},
		{"process", "args", s.Process.Args != nil, false, errModule},
		{"process", "round", s.Process.Round != 0, false, errModule},
		{"process", "read", s.Process.Read != nil, false, errModule},
		{"process", "write", s.Process.Write != nil, false, errModule},
		{"process", "network", s.Process.Network, false, errModule},
		{"process", "memory", s.Process.Memory != "", false, errModule},
		{"process", "cpus", s.Process.CPUs != 0, false, errModule},
	} {
		if k.set && k.wasm != wasm {
			return toml.Key{k.section, k.key}, k.why
		}
	}
	return nil, nil
}
