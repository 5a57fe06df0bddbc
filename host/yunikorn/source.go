// Package yunikorn reads the queue configuration of an Apache YuniKorn cluster, on its own or in its ConfigMap, and tells
// what it means otherwise here: key by key (Keys), and for one configuration (Source.Differences).
package yunikorn

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/quern-project/quern/core/config"
)

// queuesKey is the key of a ConfigMap under which the queue configuration stands.
const queuesKey = "queues.yaml"

// Source is a queue configuration as it was found.
type Source struct {
	File     string    // for errors: where the text stands
	Text     []byte    // of the queue configuration. Lines and columns are those of the file, where its style allows that
	Settings []Setting // beside it in the ConfigMap, in the order of the file
}

// Setting is an entry of the ConfigMap that does not belong to queues.
type Setting struct {
	Name         string
	Line, Column int
}

// Read finds the queue configuration in a text: the text itself, or that of the first ConfigMap in it which has an entry
// queues.yaml. An error names the file, the line and what was expected.
func Read(file string, text []byte) (*Source, error) {
	if config.CheckYAML(text) != nil {
		return &Source{File: file, Text: text}, nil // the reader of configurations says what is wrong, and where
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	var found *yaml.Node
	for {
		var document yaml.Node
		if err := d.Decode(&document); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return &Source{File: file, Text: text}, nil // the reader of configurations says what is wrong, and where
		}
		data := configMap(&document)
		if data == nil {
			continue
		}
		if found = data; entry(data, queuesKey) != nil {
			return fromConfigMap(file, text, data)
		}
	}
	if found != nil {
		return nil, fmt.Errorf("%s:%d:%d: data: expected an entry %s, found none", file, found.Line, found.Column, queuesKey)
	}
	return &Source{File: file, Text: text}, nil
}

// configMap is the data of a document that is a ConfigMap; nil: it is something else.
func configMap(document *yaml.Node) *yaml.Node {
	if len(document.Content) == 0 || document.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	top := document.Content[0]
	kind, data := entry(top, "kind"), entry(top, "data")
	if kind == nil || kind.Value != "ConfigMap" || data == nil || data.Kind != yaml.MappingNode {
		return nil
	}
	return data
}

// entry is the value of a key in a mapping; nil: there is none.
func entry(mapping *yaml.Node, key string) *yaml.Node {
	if mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

func fromConfigMap(file string, text []byte, data *yaml.Node) (*Source, error) {
	queues := entry(data, queuesKey)
	if queues.Kind != yaml.ScalarNode {
		return nil, fmt.Errorf("%s:%d:%d: data.%s: expected a text, found another kind of value", file, queues.Line, queues.Column, queuesKey)
	}
	s := &Source{File: file}
	if s.Text = inPlace(text, queues); s.Text == nil {
		s.File, s.Text = file+"#"+queuesKey, []byte(queues.Value)
	}
	for i := 0; i+1 < len(data.Content); i += 2 {
		if k := data.Content[i]; k.Value != queuesKey {
			s.Settings = append(s.Settings, Setting{k.Value, k.Line, k.Column})
		}
	}
	return s, nil
}

// inPlace is a literal block (after |) with its indentation, below as many empty lines as stand above it in the file: errors
// then name the lines and columns of the file. Nil: the text is of another style.
func inPlace(text []byte, block *yaml.Node) []byte {
	if block.Style != yaml.LiteralStyle {
		return nil
	}
	lines := strings.SplitAfter(string(text), "\n")
	count := strings.Count(strings.TrimRight(block.Value, "\n"), "\n") + 1
	if block.Line+count > len(lines) {
		return nil
	}
	own := lines[block.Line : block.Line+count]
	out := strings.Repeat("\n", block.Line) + strings.Join(own, "")
	if strings.ContainsRune(out, '\t') || !sameText(own, block.Value) {
		return nil
	}
	return []byte(out)
}

// sameText reports whether indented lines are a text, line by line.
func sameText(lines []string, text string) bool {
	trim := func(line string) string { return strings.TrimSpace(line) }
	want := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return slices.EqualFunc(lines, want, func(a, b string) bool { return trim(a) == trim(b) })
}
