package config

import "strings"

// endOfText names the end of a text in errors about texts that end too early.
const endOfText = "the end of the text"

// yamlComplaints translates the messages of the YAML library for common mistakes. The line of an error is the first line at which the text
// becomes invalid, which may be the one after the mistake.
var yamlComplaints = []struct{ message, expected, found string }{
	{"expected ',' or '}'", "',' or '}' in the mapping", "neither"},
	{"expected ',' or ']'", "',' or ']' in the list", "neither"},
	{"expected key", "a key at the indentation of the keys above", "something else"},
	{"expected '-' indicator", "'-' for the next item of the list, or a key of a mapping around it", "something else"},
	{"expected node content", "a value", "something else"},
	{"expected <document start>", "one mapping or list", "text outside it"},
	{"could not find expected ':'", "':' after a key", "none"},
	{"mapping values are not allowed in this context", "one key in a line, indented as the keys beside it", "another ':' (quote a text that has one)"},
	{"block sequence entries are not allowed in this context", "a list to begin in a line of its own", "'-' after other text"},
	{"character that cannot start any token", "a key or a value", "a tab, or a character that needs quotes"},
	{"a tab character", "spaces", "a tab"},
	{"unexpected end of stream", "the closing quote", endOfText},
	{"unknown escape character", "an escape that YAML knows, or '\\\\' for a backslash", "another escape"},
	{"undefined tag handle", "a value without a tag", "a tag"},
}

// yamlComplaint translates a message of the YAML library.
func yamlComplaint(message string) (expected, found string) {
	message = strings.TrimPrefix(strings.TrimPrefix(message, "found "), "did not find ")
	for _, c := range yamlComplaints {
		if strings.HasPrefix(message, c.message) {
			return c.expected, c.found
		}
	}
	if name, ok := strings.CutPrefix(message, "unknown anchor "); ok {
		name = strings.Trim(strings.TrimSuffix(name, " referenced"), "'")
		return "an anchor &" + name + " above the alias *" + name, "none"
	}
	return "valid YAML", message
}

// tomlComplaint translates a message of the TOML library.
func tomlComplaint(message string) (expected, found string) {
	message = strings.TrimSuffix(message, ".")
	if rest, ok := strings.CutPrefix(message, "unexpected EOF"); ok {
		rest = strings.TrimPrefix(rest, "; expected ")
		return aValue(rest), endOfText
	}
	if rest, ok := strings.CutPrefix(message, "expected "); ok {
		for _, but := range []string{", but got ", " but got ", " but found "} {
			if expected, found, ok := strings.Cut(rest, but); ok {
				return aValue(expected), inText(strings.TrimSuffix(found, " instead"))
			}
		}
	}
	for _, again := range []string{" has already been defined", " was already created"} {
		if key, _, ok := strings.Cut(message, again); ok {
			return "each key once", strings.TrimPrefix(key, "Key ") + " again"
		}
	}
	if message == "strings cannot contain newlines" {
		return "the closing quote in the same line", "none"
	}
	return "valid TOML", message
}

func aValue(expected string) string {
	switch expected {
	case "":
		return "more"
	case "value":
		return "a value"
	}
	return expected
}

// inText describes a token of a text, which the library quotes as a character.
func inText(found string) string {
	switch found {
	case `'\n'`:
		return "the end of the line"
	case "end of file", `'\x00'`:
		return endOfText
	}
	return found
}
