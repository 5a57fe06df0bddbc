package config

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readYAML reads one YAML document into a tree, or says why it cannot be read. Anchors, aliases and merge keys work as
// they do elsewhere, within the bounds of a tree.
func readYAML(text string) (*value, *fault) {
	if plain := readPlainYAML(text); plain != nil {
		return plain, nil
	}
	return readAnyYAML(text)
}

func readAnyYAML(text string) (*value, *fault) {
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var document, second yaml.Node
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, yamlSyntax(text, err)
	}
	r := &yamlReader{}
	top := r.value(null, place{1, 1})
	if len(document.Content) > 0 {
		top = r.read(document.Content[0], top, 0)
	}
	if r.full != nil {
		return nil, r.full
	}
	switch err := decoder.Decode(&second); {
	case err == nil:
		top.wrong(&second, "document", "one YAML document", "another")
	case !errors.Is(err, io.EOF):
		return nil, yamlSyntax(text, err)
	}
	return top, nil
}

// yamlReader turns nodes into values.
type yamlReader struct {
	arena
	values int
	full   *fault // a bound was passed; reading has ended
}

// wrong notes a fault in the mapping that a node is in.
func (v *value) wrong(n *yaml.Node, key, expected, found string) {
	v.fail(fault{yamlPlace(n), key, expected, found})
}

func yamlPlace(n *yaml.Node) place { return place{int32(n.Line), int32(n.Column)} }

// read turns a node within a mapping into a value.
func (r *yamlReader) read(n *yaml.Node, within *value, depth int) *value {
	v := r.value(null, yamlPlace(n))
	if r.values++; r.values > maxValues || depth > maxDepth {
		r.full = &fault{v.at, "size", sizeBound, "more (aliases count as often as they are used)"}
	}
	if r.full != nil {
		return v
	}
	switch n.Kind {
	case yaml.AliasNode:
		return r.read(n.Alias, within, depth+1)
	case yaml.ScalarNode:
		v.scalar(n, within)
	case yaml.SequenceNode:
		within.checkTag(n, "!!seq")
		v.kind = list
		v.fields = make([]field, len(n.Content))
		for i, item := range n.Content {
			v.fields[i].value = r.read(item, within, depth+1)
		}
	case yaml.MappingNode:
		v.kind = mapping
		v.checkTag(n, "!!map")
		r.mapping(n, v, depth)
	}
	return v
}

func (v *value) scalar(n *yaml.Node, within *value) {
	v.kind, v.text = scalar, n.Value
	switch n.Tag {
	case "!!str":
	case "!!int":
		v.form = formInteger
	case "!!float":
		v.form = formDecimal
	case "!!bool":
		v.form = formTruth
	case "!!timestamp":
		v.form = formDate
	case "!!null":
		v.kind, v.text = null, ""
	default:
		within.checkTag(n, "!!str")
	}
}

func (v *value) checkTag(n *yaml.Node, plain string) {
	if n.Tag != plain && n.Tag != "!" {
		v.wrong(n, "tag", "a value without a tag of its own", quote(n.Tag))
	}
}

// mapping reads the fields of a mapping: its own, which must differ, and then those of merge keys that it lacks.
func (r *yamlReader) mapping(n *yaml.Node, v *value, depth int) {
	v.fields = make([]field, 0, len(n.Content)/2)
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		written := n.Content[i]
		key := written
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.Tag == "!!merge" {
			merged = append(merged, n.Content[i+1])
			continue
		}
		if key.Kind != yaml.ScalarNode {
			v.wrong(written, "key", "a name", "a mapping or a list")
			continue
		}
		if first := v.field(key.Value); first != nil {
			v.wrong(written, key.Value, "each key once", "it again, after line "+itoa(first.at.line))
			continue
		}
		v.add(field{key.Value, yamlPlace(written), r.read(n.Content[i+1], v, depth+1)})
	}
	for _, m := range merged {
		r.merge(m, v, depth)
	}
}

func (r *yamlReader) merge(n *yaml.Node, v *value, depth int) {
	from := r.read(n, v, depth+1)
	sources := []field{{value: from}}
	if from.kind == list {
		sources = from.fields
	}
	for _, source := range sources {
		if source.value.kind != mapping {
			v.wrong(n, "<<", "a mapping, or a list of mappings", source.value.found())
			return
		}
		for _, f := range source.value.faults() {
			v.fail(f)
		}
		for _, f := range source.value.fields {
			if v.field(f.name) == nil {
				v.add(f)
			}
		}
	}
}

// yamlSyntax gives the library's complaint a place: the line it names, where its text begins.
func yamlSyntax(text string, err error) *fault {
	f := &fault{place{1, 1}, "syntax", "YAML", strings.TrimPrefix(err.Error(), "yaml: ")}
	if numbered, ok := strings.CutPrefix(f.found, "line "); ok {
		number, message, _ := strings.Cut(numbered, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			f.at.line, f.found = int32(n), message
		}
	}
	lines := strings.SplitN(text, "\n", int(f.at.line)+1)
	if int(f.at.line) <= len(lines) {
		line := lines[f.at.line-1]
		f.at.column += int32(len(line) - len(strings.TrimLeft(line, " ")))
	}
	return f
}
