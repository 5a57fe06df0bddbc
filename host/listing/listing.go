// Package listing writes what a live host has, as tables for people and as JSON or YAML for programs.
//
// It takes the JSON that a host sent. Programs get all of it; tables show the fields that Columns names, and amounts in the units of
// people. The command line uses it.
package listing

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/remote"
)

// Output says how things are written.
type Output string

// The outputs.
const (
	Table Output = "table"
	Wide  Output = "wide" // a table with all columns
	JSON  Output = "json"
	YAML  Output = "yaml"
	Name  Output = "name" // names alone, one a line
)

// Outputs are all of them.
var Outputs = []string{string(Table), string(Wide), string(JSON), string(YAML), string(Name)}

// List is a list of things of a kind.
type List struct {
	Kind  remote.Kind
	Items []json.RawMessage
	// Heading colours the first row of a table; nil: it is as the others.
	Heading func(line string) string

	waiting bool // asks that all wait: since when is of interest, and not where they run
}

// Write writes the list.
func (l *List) Write(w io.Writer, o Output) error {
	switch o {
	case JSON, YAML:
		text, err := json.Marshal(struct {
			Items []json.RawMessage `json:"items"`
		}{append([]json.RawMessage{}, l.Items...)})
		if err != nil {
			return err
		}
		return Object(w, o, text)
	case Name:
		return l.names(w)
	}
	return l.table(w, o == Wide)
}

// Object writes one object as JSON or YAML.
func Object(w io.Writer, o Output, object json.RawMessage) error {
	if o == YAML {
		text, err := asYAML(object)
		if err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, object, "", "  "); err != nil {
		return fmt.Errorf("the answer of the host is not valid JSON: %w", err)
	}
	b.WriteByte('\n')
	_, err := b.WriteTo(w)
	return err
}

// asYAML writes JSON as YAML, with its keys in their order.
func asYAML(object json.RawMessage) ([]byte, error) {
	var n yaml.Node
	if err := yaml.Unmarshal(object, &n); err != nil {
		return nil, fmt.Errorf("the answer of the host is not valid JSON: %w", err)
	}
	block(&n)
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	err := errors.Join(e.Encode(&n), e.Close())
	return b.Bytes(), err
}

// block has a node and all below it written in lines, and texts only quoted where that is needed.
func block(n *yaml.Node) {
	n.Style = 0
	if len(n.Content) == 0 && n.Kind != yaml.ScalarNode {
		n.Style = yaml.FlowStyle
	}
	for _, below := range n.Content {
		block(below)
	}
}

// NameOf is the name of a thing of a kind.
func NameOf(kind remote.Kind, object json.RawMessage) string {
	var names map[string]json.RawMessage
	var name string
	if kind == remote.Gangs {
		return gangName(object)
	}
	if json.Unmarshal(object, &names) != nil || json.Unmarshal(names[nameKeys[kind]], &name) != nil {
		return ""
	}
	return name
}

// gangName is the name of a gang, with its application.
func gangName(object json.RawMessage) string {
	var g gang
	if json.Unmarshal(object, &g) != nil || g.Gang == "" {
		return ""
	}
	return g.name()
}

// FirstMember is the first pending member of a gang, or else the first one.
func FirstMember(object json.RawMessage) string {
	var g struct {
		Members []ask `json:"members"`
	}
	if json.Unmarshal(object, &g) != nil || len(g.Members) == 0 {
		return ""
	}
	at := max(0, slices.IndexFunc(g.Members, func(k ask) bool { return k.State == "pending" }))
	return g.Members[at].Ask
}

// Gone is what a watched list says of a thing that is no longer in it.
func Gone(kind remote.Kind, name string) (json.RawMessage, error) {
	if at := strings.LastIndexByte(name, '/'); kind == remote.Gangs && at >= 0 {
		return json.Marshal(map[string]any{"app": name[:at], "gang": name[at+1:], "gone": true})
	}
	return json.Marshal(map[string]any{nameKeys[kind]: name, "gone": true})
}

// nameKeys are the keys that hold names.
var nameKeys = map[remote.Kind]string{remote.Queues: "queue", remote.Apps: "app", remote.Nodes: "node", remote.Asks: "ask", remote.Windows: "window", remote.Policies: "policy"}

func (l *List) names(w io.Writer) error {
	for _, item := range l.Items {
		if _, err := fmt.Fprintln(w, format.Line(NameOf(l.Kind, item))); err != nil {
			return err
		}
	}
	return nil
}
