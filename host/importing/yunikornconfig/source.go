// Package yunikornconfig reads the queue configuration of an Apache YuniKorn cluster, on its own or in its ConfigMap, and tells
// what it means otherwise here: key by key (Keys), and for one configuration (Source.Differences).
package yunikornconfig

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/configmap"
)

// queuesKey is the key of a ConfigMap under which the queue configuration stands, and zippedKey the one if it is compressed.
const (
	queuesKey = "queues.yaml"
	zippedKey = queuesKey + configmap.Suffix
)

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
// queues.yaml or queues.yaml.gz. An error names the file, the line and what was expected.
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
		data, binary := configMap(&document)
		if data == nil && binary == nil {
			continue
		}
		if found = data; found == nil {
			found = binary
		}
		if entry(data, queuesKey) != nil {
			return fromConfigMap(file, text, data)
		}
		for _, m := range []*yaml.Node{data, binary} {
			if zipped := entry(m, zippedKey); zipped != nil {
				return fromZipped(file, zipped, m == binary, data)
			}
		}
	}
	if found != nil {
		return nil, fmt.Errorf("%s:%d:%d: data: expected an entry %s or %s, found none", file, found.Line, found.Column, queuesKey, zippedKey)
	}
	return &Source{File: file, Text: text}, nil
}

// configMap is the data and the binaryData of a document that is a ConfigMap; nil: it is something else, or has none.
func configMap(document *yaml.Node) (data, binary *yaml.Node) {
	if len(document.Content) == 0 || document.Content[0].Kind != yaml.MappingNode {
		return nil, nil
	}
	top := document.Content[0]
	if kind := entry(top, "kind"); kind == nil || kind.Value != "ConfigMap" {
		return nil, nil
	}
	mapping := func(key string) *yaml.Node {
		if m := entry(top, key); m != nil && m.Kind == yaml.MappingNode {
			return m
		}
		return nil
	}
	return mapping("data"), mapping("binaryData")
}

// entry is the value of a key in a mapping; nil: there is none.
func entry(mapping *yaml.Node, key string) *yaml.Node {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
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
	s.Settings = settings(data)
	return s, nil
}

// fromZipped reads a compressed entry. Its lines and columns are those of the text within.
func fromZipped(file string, zipped *yaml.Node, binary bool, data *yaml.Node) (*Source, error) {
	content, err := []byte(zipped.Value), error(nil)
	if binary {
		content, err = base64.StdEncoding.AppendDecode(nil, bytes.TrimSpace(content))
	}
	if err == nil {
		content, err = configmap.Text(zippedKey, content)
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%d:%d: %s: %w", file, zipped.Line, zipped.Column, zippedKey, err)
	}
	return &Source{File: file + "#" + zippedKey, Text: content, Settings: settings(data)}, nil
}

// settings lists the entries of a ConfigMap that are no queue configuration.
func settings(data *yaml.Node) (list []Setting) {
	for i := 0; data != nil && i+1 < len(data.Content); i += 2 {
		if k := data.Content[i]; k.Value != queuesKey && k.Value != zippedKey {
			list = append(list, Setting{k.Value, k.Line, k.Column})
		}
	}
	return list
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
