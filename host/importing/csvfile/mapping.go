package csvfile

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/resource"
)

// Mapping says how lists are read.
type Mapping struct {
	CSV struct {
		Separator string   `toml:"separator"`
		Comment   string   `toml:"comment"`
		Empty     []string `toml:"empty"`
	} `toml:"csv"`
	Time struct {
		Format string `toml:"format"`
		Unit   string `toml:"unit"`
		Zone   string `toml:"zone"`
	} `toml:"time"`
	Nodes    nodeFields `toml:"nodes"`
	Machines []machine  `toml:"machines"`
	Topology []level    `toml:"topology"`
	Jobs     jobFields  `toml:"jobs"`

	clock clock
	empty map[string]bool
}

// nodeFields say where the fields of a node come from.
type nodeFields struct {
	Columns    []string            `toml:"columns"`
	Only       map[string][]string `toml:"only"`
	ID         *field              `toml:"id"`
	Capacity   map[string]*field   `toml:"capacity"`
	Attributes map[string]*field   `toml:"attributes"`
}

// jobFields say where the fields of a job come from.
type jobFields struct {
	Columns     []string            `toml:"columns"`
	Only        map[string][]string `toml:"only"`
	ID          *field              `toml:"id"`
	App         *field              `toml:"app"`
	Queue       *field              `toml:"queue"`
	User        *field              `toml:"user"`
	Groups      *field              `toml:"groups"`
	Submit      *field              `toml:"submit"`
	Start       *field              `toml:"start"`
	End         *field              `toml:"end"`
	Run         *field              `toml:"run"`
	Walltime    *field              `toml:"walltime"`
	Removed     *field              `toml:"removed"`
	Priority    *field              `toml:"priority"`
	Count       *field              `toml:"count"`
	Gang        gangField           `toml:"gang"`
	Required    *field              `toml:"topology_required"`
	Preferred   *field              `toml:"topology_preferred"`
	Node        *field              `toml:"node"`
	Movable     *field              `toml:"movable"`
	Resources   map[string]*field   `toml:"resources"`
	Constraints map[string]*field   `toml:"constraints"`
	Tags        map[string]*field   `toml:"tags"`
	gangFields
}

// machine is nodes that no list has.
type machine struct {
	Name       string            `toml:"name"`
	Count      int               `toml:"count"`
	Capacity   map[string]string `toml:"capacity"`
	Attributes map[string]string `toml:"attributes"`

	set resource.Set
}

// mostMachines bounds the nodes of one machine.
const mostMachines = 1_000_000

// ReadMapping reads a mapping. The error has a line for each thing that is wrong.
func ReadMapping(file string, text []byte) (*Mapping, error) {
	m := &Mapping{}
	meta, err := config.DecodeTOML(file, text, m)
	if err != nil {
		return nil, err
	}
	c := checker{file: file, fields: map[string]bool{}}
	c.csv(m)
	c.time(m)
	c.nodes(m)
	c.topology(m.Topology)
	c.jobs(&m.Jobs)
	for _, key := range meta.Undecoded() {
		if !c.within(key) {
			c.add(key.String(), "a key of the mapping", "an unknown key"+meant(key))
		}
	}
	return m, errors.Join(c.errs...)
}

// checker collects what is wrong with a mapping.
type checker struct {
	file   string
	errs   []error
	fields map[string]bool // by key
}

// within reports whether a key is in the table of a field, which has checked it.
func (c *checker) within(key toml.Key) bool {
	for n := range key {
		if c.fields[strings.Join(key[:n], ".")] {
			return true
		}
	}
	return false
}

func (c *checker) add(key, expected, found string) {
	c.errs = append(c.errs, fmt.Errorf("%s: %s: expected %s, found %s", c.file, key, expected, found))
}

func (c *checker) csv(m *Mapping) {
	if m.CSV.Separator == "" {
		m.CSV.Separator = ","
	}
	for key, text := range map[string]string{"csv.comment": m.CSV.Comment, "csv.separator": m.CSV.Separator} {
		if r, size := utf8.DecodeRuneInString(text); text != "" && (size != len(text) || r == utf8.RuneError || strings.ContainsRune("\"\r\n", r)) {
			c.add(key, "one character that is neither a quote nor the end of a line", fmt.Sprintf("%q", text))
		}
	}
	if m.CSV.Comment == m.CSV.Separator {
		c.add("csv.comment", "another character than the separator", fmt.Sprintf("%q", m.CSV.Comment))
	}
	m.empty = map[string]bool{"": true}
	for _, text := range m.CSV.Empty {
		m.empty[text] = true
	}
}

func (c *checker) nodes(m *Mapping) {
	n := &m.Nodes
	c.field("nodes.id", n.ID, asText)
	c.table("nodes.capacity", n.Capacity, asAmount)
	c.table("nodes.attributes", n.Attributes, asText)
	for i := range m.Machines {
		c.machine(fmt.Sprintf("machines[%d]", i+1), &m.Machines[i])
	}
}

func (c *checker) machine(key string, m *machine) {
	if m.Count == 0 {
		m.Count = 1
	}
	switch {
	case m.Name == "":
		c.add(key+".name", "a name", "none")
	case m.Count < 0 || m.Count > mostMachines:
		c.add(key+".count", "a number from 1 to 1000000", fmt.Sprint(m.Count))
	}
	var set []resource.Quantity
	for _, typ := range slices.Sorted(maps.Keys(m.Capacity)) {
		value, err := resource.Parse(typ, m.Capacity[typ])
		if typ == "" {
			c.add(key+".capacity", "the name of a resource", "an empty one")
		}
		if err != nil {
			c.errs = append(c.errs, fmt.Errorf("%s: %s.capacity.%s: %w", c.file, key, typ, err))
			continue
		}
		set = append(set, resource.Quantity{Type: typ, Value: value})
	}
	m.set = resource.NewSet(set...)
}

func (c *checker) jobs(j *jobFields) {
	for _, f := range j.fields() {
		c.field(f.key, f.field, f.as)
	}
	c.table("jobs.resources", j.Resources, asAmount)
	c.table("jobs.constraints", j.Constraints, asList)
	c.table("jobs.tags", j.Tags, asText)
	c.gang(j)
	switch {
	case j.ID == nil:
		c.add("jobs.id", "the column of the names", "none")
	case len(j.Resources) == 0:
		c.add("jobs.resources", "the columns of what a job asks for", "none")
	case (j.Start == nil) != (j.End == nil):
		c.add("jobs", "both start and end", "one of them")
	case j.Removed != nil && j.App != nil:
		c.add("jobs", "either removed or app, since an application is removed with all of its rows", "both")
	case j.Run != nil && j.Start != nil:
		c.add("jobs", "run, or start and end", "both")
	}
}

// keyed is a field with its name and what is read from it.
type keyed struct {
	key   string
	field *field
	as    kind
}

// fields are those that are not in tables of their own.
func (j *jobFields) fields() []keyed {
	return append(j.gangFields.fields(), []keyed{
		{"jobs.id", j.ID, asText}, {"jobs.app", j.App, asText}, {"jobs.queue", j.Queue, asText}, {"jobs.user", j.User, asText},
		{"jobs.groups", j.Groups, asList}, {"jobs.submit", j.Submit, asText}, {"jobs.start", j.Start, asText}, {"jobs.end", j.End, asText},
		{"jobs.run", j.Run, asDuration}, {"jobs.walltime", j.Walltime, asDuration}, {"jobs.removed", j.Removed, asText}, {"jobs.priority", j.Priority, asText}, {"jobs.count", j.Count, asText}, {"jobs.node", j.Node, asText},
		{"jobs.movable", j.Movable, asText}, {"jobs.gang", j.Gang.name, asText}, {"jobs.topology_required", j.Required, asText}, {"jobs.topology_preferred", j.Preferred, asText},
	}...)
}

func (c *checker) table(key string, fields map[string]*field, as kind) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		fields[name].typ = name
		if name == "" {
			c.add(key, "a name for each field", "an empty one")
		}
		c.field(key+"."+name, fields[name], as)
	}
}
