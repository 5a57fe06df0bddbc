package listing

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/quern-project/quern/host/format"
)

// Describe writes all that an object has, each field in a line, which is folded if the writer folds.
func Describe(w io.Writer, object json.RawMessage) error {
	var n yaml.Node
	if err := yaml.Unmarshal(object, &n); err != nil || len(n.Content) != 1 || n.Content[0].Kind != yaml.MappingNode {
		return fmt.Errorf("the answer of the host is not a JSON object")
	}
	fields := n.Content[0].Content
	width, columns := 0, 0
	if folding, ok := w.(interface{ Columns() int }); ok {
		columns = folding.Columns()
	}
	for i := 0; i < len(fields); i += 2 {
		width = max(width, len(strings.TrimSuffix(fields[i].Value, billionths)))
	}
	for i := 0; i+1 < len(fields); i += 2 {
		name := strings.ReplaceAll(strings.TrimSuffix(fields[i].Value, billionths), "_", " ")
		label := fmt.Sprintf("%-*s  ", width, format.Cell(name))
		if _, err := fmt.Fprintln(w, format.Hang(label, format.Line(value(fields[i].Value, fields[i+1])), columns)); err != nil {
			return err
		}
	}
	return nil
}

// sets are the keys whose objects are amounts by type.
var sets = map[string]bool{"used": true, "guaranteed": true, "max": true, "headroom": true, "pending": true, "leaving": true, "capacity": true, "occupied": true, "resources": true, "waiting": true}

// billionths ends the keys of ratios that are integers, for programs.
const billionths = "_billionths"

// value writes the value of a field.
func value(key string, n *yaml.Node) string {
	switch {
	case n.Kind == yaml.ScalarNode && n.Tag == "!!null":
		return "–"
	case n.Kind == yaml.ScalarNode && (key == "submitted" || key == "allocated" || key == "since"):
		return moment(n.Value)
	case n.Kind == yaml.ScalarNode && strings.HasSuffix(key, billionths):
		return ratio(n.Value)
	case n.Kind == yaml.ScalarNode:
		return n.Value
	case n.Kind == yaml.MappingNode && sets[key]:
		var a amounts
		var plain map[string]any
		if text, err := remarshal(n, &plain); err == nil && json.Unmarshal(text, &a) == nil && len(a) > 0 {
			return a.text()
		}
	}
	var parts []string
	for i := 0; i < len(n.Content); i++ {
		if n.Kind == yaml.MappingNode {
			parts = append(parts, n.Content[i].Value+"="+value("", n.Content[i+1]))
			i++
			continue
		}
		parts = append(parts, value("", n.Content[i]))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// ratio writes a number of billionths.
func ratio(text string) string {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return text
	}
	return strconv.FormatFloat(float64(n)/1e9, 'f', -1, 64)
}

// remarshal writes a node as JSON again.
func remarshal(n *yaml.Node, plain *map[string]any) ([]byte, error) {
	if err := n.Decode(plain); err != nil {
		return nil, err
	}
	return json.Marshal(*plain)
}
