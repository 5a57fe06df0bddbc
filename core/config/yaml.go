package config

import (
	"errors"
	"io"
	"sort"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readYAML parses one YAML document into a tree, or returns a fault. Anchors, aliases and merge keys work as usual, within the bounds of a
// tree.
func readYAML(text string) (*value, *fault) {
	plain, line, full := readPlainYAML(text)
	if plain != nil || full != nil {
		return plain, full
	}
	v, bad := readAnyYAML(text)
	if bad != nil && bad.key == syntaxKey {
		bad.at = badLine(text, bad.found, max(line, int(bad.at.line)))
		bad.expected, bad.found = yamlComplaint(bad.found)
	}
	return v, bad
}

// readAnyYAML parses a document with the library.
func readAnyYAML(text string) (*value, *fault) {
	if at, large := tooLargeYAML(text); large {
		return nil, &fault{at, sizeKey, libraryBound, "more"}
	}
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var document, second yaml.Node
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, yamlSyntax(err)
	}
	if bad := checkAliases(&document); bad != nil {
		return nil, bad
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
		return nil, yamlSyntax(err)
	}
	return top, nil
}

// yamlReader converts nodes to values.
type yamlReader struct {
	arena
	values int
	full   *fault // a bound was exceeded; reading has ended
}

// wrong records a fault in the mapping that contains a node.
func (v *value) wrong(n *yaml.Node, key, expected, found string) {
	v.fail(fault{yamlPlace(n), key, expected, found})
}

func yamlPlace(n *yaml.Node) place { return place{int32(n.Line), int32(n.Column)} }

// read converts a node in a mapping to a value.
func (r *yamlReader) read(n *yaml.Node, within *value, depth int) *value {
	v := r.value(null, yamlPlace(n))
	if r.values++; r.values > maxLibraryValues || depth > maxDepth {
		r.full = &fault{v.at, sizeKey, libraryBound, "more (aliases count as often as they are used)"}
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

// mapping reads the fields of a mapping: its own, which must be distinct, and then those of merge keys that it does not set.
func (r *yamlReader) mapping(n *yaml.Node, v *value, depth int) {
	if len(n.Content)/2 > maxFields {
		r.full = &fault{yamlPlace(n.Content[2*maxFields]), sizeKey, fieldBound, "more"}
		return
	}
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
		if len(v.fields) > maxFields && r.full == nil {
			r.full = &fault{yamlPlace(n), sizeKey, fieldBound, "more"}
		}
	}
}

const syntaxKey = "syntax"

// yamlSyntax converts an error of the library to a fault. The line in it, if any, is that of the block that contains the mistake.
func yamlSyntax(err error) *fault {
	f := &fault{place{1, 1}, syntaxKey, "YAML", strings.TrimPrefix(err.Error(), "yaml: ")}
	if numbered, ok := strings.CutPrefix(f.found, "line "); ok {
		number, message, _ := strings.Cut(numbered, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			f.at.line, f.found = int32(n), message
		}
	}
	return f
}

const mostSearched = 256 << 10 // bytes; finding the line parses a text about a dozen times

// badLine finds the line at which a text becomes invalid: the first line up to which the library reports the same error or, in a large
// text, the first candidate.
func badLine(text, complaint string, from int) place {
	ends := make([]int, 0, 64)
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at - 1
		}
		at += end + 1
		ends = append(ends, at)
	}
	line := min(from, len(ends))
	if len(text) <= mostSearched {
		line += sort.Search(len(ends)-line, func(i int) bool {
			_, bad := readAnyYAML(text[:ends[line+i-1]])
			return bad != nil && bad.found == complaint
		})
	}
	start := 0
	if line > 1 {
		start = ends[line-2]
	}
	indent := len(text[start:]) - len(strings.TrimLeft(text[start:], " "))
	return place{int32(max(line, 1)), int32(indent) + 1}
}
