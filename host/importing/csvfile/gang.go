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
}

func (g *gangFields) fields() []keyed {
	return []keyed{
		{"jobs.gang_min", g.Min, asText}, {"jobs.gang_timeout", g.Timeout, asDuration}, {"jobs.gang_fallback", g.Fallback, asText},
		{"jobs.gang_disruption", g.Disruption, asText}, {"jobs.gang_repair", g.Repair, asDuration},
	}
}

// gang checks that the settings of gangs are complete.
func (c *checker) gang(j *jobFields) {
	if j.Gang.name != nil && j.Min == nil {
		c.add("jobs.gang_min", "the column of how many members start together, which jobs.gang needs", "none")
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
}

func (b *binder) gang(j *jobFields) gang {
	return gang{
		rows: j.Gang.rows, name: b.field(j.Gang.name), min: b.field(j.Min), timeout: b.field(j.Timeout), fallback: b.field(j.Fallback),
		disruption: b.field(j.Disruption), repair: b.field(j.Repair),
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
	read.Fallback = r.word(g.fallback, "members") == "members"
	if of := r.word(g.disruption, "unit", string(core.DisruptWhole), string(core.DisruptMember)); of != "unit" {
		read.Disruption = core.Disruption(of)
	}
	return read
}

// withoutGang refuses a row that sets up a gang and names none. Constants and defaults are of no gang, too.
func (r *row) withoutGang(g *gang) {
	for _, f := range []*bound{g.min, g.timeout, g.fallback, g.disruption, g.repair} {
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
