package config

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

// Print writes the configuration as YAML in its one normal form: root and all defaults of the partition in place, names
// in lower case, quantities in stored units, types and properties in order. Decode makes the same configuration of it.
func (c *Config) Print() []byte {
	p := &printer{}
	p.line(0, "partitions:")
	p.line(0, "- name: "+plain(c.Partition))
	p.line(1, "nodesortpolicy:")
	p.line(2, "type: "+plain(c.NodeSort.Policy))
	p.line(2, "resourceweights:")
	for _, w := range c.NodeSort.Weights {
		p.line(3, plain(w.Type)+": "+decimal(w.Thousandths))
	}
	p.line(1, "preemption:")
	p.line(2, "enabled: "+strconv.FormatBool(c.PreemptionEnabled))
	if c.PreemptionObserve {
		p.line(2, "observe: true")
	}
	p.line(1, "queues:")
	p.queue(1, c.Root)
	return p.out.Bytes()
}

type printer struct{ out bytes.Buffer }

func (p *printer) line(indent int, text string) {
	for range indent {
		p.out.WriteString("  ")
	}
	p.out.WriteString(text)
	p.out.WriteByte('\n')
}

func (p *printer) queue(indent int, q *Queue) {
	p.line(indent, "- name: "+plain(q.Name))
	indent++
	if !q.Leaf && len(q.Children) == 0 {
		p.line(indent, "parent: true")
	}
	if q.MaxApplications > 0 {
		p.line(indent, "maxapplications: "+utoa(q.MaxApplications))
	}
	if len(q.Guaranteed)+len(q.Max) > 0 {
		p.line(indent, "resources:")
		p.quantities(indent+1, "guaranteed:", q.Guaranteed)
		p.quantities(indent+1, "max:", q.Max)
	}
	if len(q.Properties) > 0 {
		p.line(indent, "properties:")
		for _, name := range slices.Sorted(maps.Keys(q.Properties)) {
			p.line(indent+1, plain(name)+": "+plain(q.Properties[name]))
		}
	}
	if len(q.Children) > 0 {
		p.line(indent, "queues:")
		for _, child := range q.Children {
			p.queue(indent, child)
		}
	}
}

func (p *printer) quantities(indent int, key string, set resource.Set) {
	if len(set) == 0 {
		return
	}
	p.line(indent, key)
	for _, q := range set {
		p.line(indent+1, plain(q.Type)+": "+resource.Format(q.Type, q.Value))
	}
}

// decimal writes thousandths with as few decimals as they need.
func decimal(thousandths int64) string {
	whole, part := strconv.FormatInt(thousandths/1000, 10), thousandths%1000
	if part == 0 {
		return whole
	}
	return whole + "." + strings.TrimRight(strconv.FormatInt(1000+part, 10)[1:], "0")
}

// plain writes a text as YAML: bare where that is surely read as the same text, else in double quotes.
func plain(text string) string {
	for i := 0; i < len(text); i++ {
		c := text[i] | 0x20
		switch {
		case c >= 'a' && c <= 'z':

		case i > 0 && (c >= '0' && c <= '9' || strings.IndexByte("_-./", text[i]) >= 0):
		default:
			return quoted(text)
		}
	}
	switch strings.ToLower(text) {
	case "", "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return quoted(text)
	}
	return text
}

// quoted writes a text in double quotes, with the escapes that Go and YAML have in common.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= ' ' && r <= '~':
			b.WriteRune(r)
		default:
			b.WriteString(`\U` + strings.ToUpper(strconv.FormatInt(1<<32+int64(r), 16)[1:]))
		}
	}
	b.WriteByte('"')
	return b.String()
}
