package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// TOMLError converts an error of the TOML library about a text of settings to the form of our errors: `file:line:column: expected …,
// found …` or, for a value of a wrong type, `file:line: key: expected …, found …`.
func TOMLError(file string, err error) error {
	var syntax toml.ParseError
	if errors.As(err, &syntax) {
		place := fmt.Sprintf("%s:%d:%d", file, syntax.Position.Line, syntax.Position.Col)
		if strings.HasPrefix(syntax.Message, "expected ") && strings.Contains(syntax.Message, ", found ") { // of one of our types that parses its own text
			return fmt.Errorf("%s: %s: %s", place, syntax.LastKey, syntax.Message)
		}
		expected, found := tomlComplaint(syntax.Message)
		return fmt.Errorf("%s: expected %s, found %s", place, expected, found)
	}
	text := strings.TrimPrefix(err.Error(), "toml: ")
	place := file
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		line, rest, numbered := strings.Cut(rest, ` (last key "`)
		key, message, named := strings.Cut(rest, `"): `)
		if _, err := strconv.Atoi(line); err == nil && numbered && named {
			place, text = file+":"+line+": "+key, message
		}
	}
	return fmt.Errorf("%s: %s", place, tomlMismatch(text))
}

// tomlMismatch translates the library's message about a value of a wrong type.
func tomlMismatch(message string) string {
	if _, types, ok := strings.Cut(message, ": expected table but found "); ok && strings.HasPrefix(message, "type mismatch for ") {
		return "expected a table, found " + tomlType(types)
	}
	types, ok := strings.CutPrefix(message, "incompatible types: TOML value has type ")
	found, expected, both := strings.Cut(types, "; destination has type ")
	if !ok || !both {
		return message
	}
	return "expected " + tomlType(expected) + ", found " + tomlType(found)
}

func tomlType(name string) string {
	switch {
	case name == "string":
		return "a text"
	case strings.HasPrefix(name, "int"), strings.HasPrefix(name, "uint"):
		return "a whole number"
	case strings.HasPrefix(name, "float"):
		return "a number"
	case strings.HasPrefix(name, "bool"):
		return "true or false"
	case strings.HasPrefix(name, "map"), name == "struct":
		return "a table"
	case strings.HasPrefix(name, "[]"), name == "slice":
		return "a list"
	case strings.HasPrefix(name, "time."):
		return "a date or a time"
	}
	return name
}
