package csvfile

import (
	"fmt"
	"math"
	"strings"

	"github.com/quern-project/quern/core"
)

// gangField says which gang the asks of a row are members of.
type gangField struct {
	rows bool   // the asks of each row are one, if there are several
	name *field // its name in the application; nil: rows decides
}

// UnmarshalTOML reads true or false, or a field.
func (g *gangField) UnmarshalTOML(data any) error {
	switch data := data.(type) {
	case bool:
		g.rows = data
		return nil
	case string, map[string]any:
		g.name = &field{}
		return g.name.UnmarshalTOML(data)
	}
	return fmt.Errorf("expected true, false, the name of a column in quotes, or a table, found %v", data)
}

// gangFields say where the other settings of a gang come from. Their keys are those of an ask in a journal.
type gangFields struct {
	Min        *field `toml:"gang_min"`
	Timeout    *field `toml:"gang_timeout"`
	Fallback   *field `toml:"gang_fallback"`
	Disruption *field `toml:"gang_disruption"`
	Repair     *field `toml:"gang_repair"`
	Max        *field `toml:"gang_max"`
	Set        *field `toml:"gang_set"`
	SetMin     *field `toml:"gang_set_min"`
	Slice      struct {
		Level *field `toml:"level"`
		Size  *field `toml:"size"`
	} `toml:"topology_slice"`
}

func (g *gangFields) fields() []keyed {
	return []keyed{
		{"jobs.gang_min", g.Min, asText}, {"jobs.gang_timeout", g.Timeout, asDuration}, {"jobs.gang_fallback", g.Fallback, asText},
		{"jobs.gang_disruption", g.Disruption, asText}, {"jobs.gang_repair", g.Repair, asDuration}, {"jobs.gang_max", g.Max, asText},
		{"jobs.gang_set", g.Set, asText}, {"jobs.gang_set_min", g.SetMin, asText},
		{"jobs.topology_slice.level", g.Slice.Level, asText}, {"jobs.topology_slice.size", g.Slice.Size, asText},
	}
}

// gang checks that the settings of gangs are complete.
func (c *checker) gang(j *jobFields) {
	if j.Gang.name != nil && j.Min == nil {
		c.add("jobs.gang_min", "the column of how many members start together, which jobs.gang needs", "none")
	}
	for _, both := range [][2]keyed{
		{{key: "jobs.gang_set", field: j.Set}, {key: "jobs.gang_set_min", field: j.SetMin}},
		{{key: "jobs.topology_slice.level", field: j.Slice.Level}, {key: "jobs.topology_slice.size", field: j.Slice.Size}},
	} {
		for i, f := range both {
			if other := both[1-i]; f.field == nil && other.field != nil {
				c.add(f.key, "a column or value, which "+other.key+" needs", "none")
			}
		}
	}
	if j.Gang.rows || j.Gang.name != nil {
		return
	}
	for _, f := range j.gangFields.fields() {
		if f.field != nil {
			c.add("jobs.gang", "true, or the column of the names of gangs, which "+f.key+" needs", "none")
			return
		}
	}
}

// gang is the fields of a gang, bound to the columns of a list.
type gang struct {
	rows                                             bool
	name, min, timeout, fallback, disruption, repair *bound
	max, set, setMin, sliceLevel, sliceSize          *bound
}

func (b *binder) gang(j *jobFields) gang {
	return gang{
		rows: j.Gang.rows, name: b.field(j.Gang.name), min: b.field(j.Min), timeout: b.field(j.Timeout), fallback: b.field(j.Fallback),
		disruption: b.field(j.Disruption), repair: b.field(j.Repair), max: b.field(j.Max), set: b.field(j.Set), setMin: b.field(j.SetMin),
		sliceLevel: b.field(j.Slice.Level), sliceSize: b.field(j.Slice.Size),
	}
}

// gang reads the gang of a row of some asks; nil: it has none.
func (r *row) gang(g *gang, job string, count int) *core.Gang {
	read := &core.Gang{ID: job}
	switch {
	case g.name != nil:
		if read.ID = r.text(g.name); read.ID == "" {
			r.withoutGang(g)
			return nil
		}
		read.Min = int(r.integer(g.min, 0, 1, math.MaxInt32))
		if r.text(g.min) == "" {
			r.fail(g.min, g.min.at, "how many members start together, which "+g.name.key+" needs", "")
		}
	case g.rows && count > 1:
		read.Min = int(r.integer(g.min, int64(count), 1, int64(count)))
	default:
		return nil
	}
	read.Timeout, _ = r.duration(g.timeout)
	read.Repair.Within, read.Repair.Bounded = r.duration(g.repair)
	if r.text(g.max) != "" {
		read.Max = int(r.integer(g.max, 0, int64(read.Min), math.MaxInt32))
	}
	if read.Set = r.text(g.set); r.both(g.set, g.setMin) {
		read.SetMin = int(r.integer(g.setMin, 0, 1, math.MaxInt32))
	}
	read.Fallback = r.word(g.fallback, "members") == "members"
	if of := r.word(g.disruption, "unit", string(core.DisruptWhole), string(core.DisruptMember)); of != "unit" {
		read.Disruption = core.Disruption(of)
	}
	return read
}

// both reports whether a row has two fields of which neither may stand alone. It refuses a row with one of them.
func (r *row) both(a, b *bound) bool {
	switch has, other := r.text(a) != "", r.text(b) != ""; {
	case has && !other:
		r.fail(b, b.at, "a value, which "+a.key+" needs", "")
	case other && !has:
		r.fail(a, a.at, "a value, which "+b.key+" needs", "")
	default:
		return has
	}
	return false
}

// slice reads the slices of the gang of a row.
func (r *row) slice(g *gang) (s core.Slice) {
	if r.both(g.sliceLevel, g.sliceSize) {
		s.Level, s.Size = r.level(g.sliceLevel), int(r.integer(g.sliceSize, 0, 1, math.MaxInt32))
	}
	return s
}

// withoutGang refuses a row that sets up a gang and names none. Constants and defaults are of no gang, too.
func (r *row) withoutGang(g *gang) {
	for _, f := range []*bound{g.min, g.timeout, g.fallback, g.disruption, g.repair, g.max, g.set, g.setMin, g.sliceLevel, g.sliceSize} {
		if f != nil && f.at >= 0 && r.cell(f.at) != "" {
			r.fail(g.name, g.name.at, "the name of a gang, which "+f.key+" needs", "")
			return
		}
	}
}

// word reads one of some texts, in any case; empty where the field is.
func (r *row) word(f *bound, words ...string) string {
	text := r.text(f)
	if text == "" {
		return ""
	}
	for _, word := range words {
		if strings.EqualFold(text, word) {
			return word
		}
	}
	last := len(words) - 1
	expected := words[last]
	if last > 0 {
		expected = strings.Join(words[:last], ", ") + " or " + expected
	}
	r.fail(f, f.at, expected, text)
	return ""
}
