package explain

import (
	"fmt"
	"strconv"
	"strings"
)

// GangDomains is the room for a gang in the domains of the level that it names.
type GangDomains struct {
	Level     string
	Preferred bool         // rather than required
	Total     int          // number of domains
	Enough    int          // number of domains that have room for as many members as are needed
	Nearest   []DomainRoom // those with room for the most members, the first by name among equals; at most MostDomains
	Slices    *Slices      `json:",omitempty"` // nil if the gang has none
}

// Slices says that each slice of a gang needs one domain of a level. If the gang names no level as a whole, GangDomains describes the domains of
// this level, and the room for one slice in each.
type Slices struct {
	Level string
	Size  int // number of members
}

// Limits of the lists of an explanation.
const (
	MostDomains   = 20 // listed
	NearDomains   = 3  // of which the takers are listed
	MostTakers    = 3  // of a domain
	MostTakenFrom = 5  // nodes of a taker
)

// DomainRoom is a domain and the number of members that it has room for.
type DomainRoom struct {
	Domain  string // its values, from the widest level on, joined by slashes; at the level node, the ID of the node
	Fits    int    // at most the number that is needed
	Missing int    // the rest
	Takers  []Taker
}

// Taker is an application whose allocations keep members from nodes of a domain.
type Taker struct {
	App   string
	Nodes []string // by ID; at most MostTakenFrom
	More  int      // number of further nodes
}

// write writes the domains in sentences.
func (d *GangDomains) write(b *strings.Builder, need int) {
	switch {
	case d.Level == "":
		fmt.Fprintf(b, " Each slice of %d members needs one domain of level %s", d.Slices.Size, d.Slices.Level)
	case d.Preferred:
		fmt.Fprintf(b, " It prefers one domain of level %s", d.Level)
	default:
		fmt.Fprintf(b, " It requires one domain of level %s", d.Level)
	}
	if d.Level != "" && d.Slices != nil {
		fmt.Fprintf(b, ", and each slice of %d members one of level %s", d.Slices.Size, d.Slices.Level)
	}
	if d.Level == "" {
		need = min(need, d.Slices.Size)
	}
	switch whole := d.amount(need); {
	case d.Total == 0:
		b.WriteString(", of which there is none.")
	case d.Enough > 0:
		fmt.Fprintf(b, "; %d of %d have room for %s.", d.Enough, d.Total, whole)
	default:
		fmt.Fprintf(b, "; none of %d has room for %s.", d.Total, whole)
		for i := range d.Nearest[:min(len(d.Nearest), NearDomains)] {
			fmt.Fprintf(b, " %s.", d.sentence(&d.Nearest[i]))
		}
	}
}

// amount is a number of members, such as 16 or, if these are in slices of a domain, 4 slices.
func (d *GangDomains) amount(members int) string {
	switch slices := d.slices(members); {
	case d.Slices == nil, d.Level == "":
		return strconv.Itoa(members)
	case slices == 1:
		return "1 slice"
	default:
		return strconv.Itoa(slices) + " slices"
	}
}

// slices returns the number of slices that some members make.
func (d *GangDomains) slices(members int) int {
	if d.Slices == nil || d.Level == "" {
		return members
	}
	return (members + d.Slices.Size - 1) / d.Slices.Size
}

// sentence is such as: rack r7 lacks 2 of 16: n70 and n71 are taken by train-3.
func (d *GangDomains) sentence(r *DomainRoom) string {
	level := d.Level
	if level == "" {
		level = d.Slices.Level
	}
	text := fmt.Sprintf("%s %s lacks %d of %s", strings.ToUpper(level[:1])+level[1:], r.Domain, d.slices(r.Missing), d.amount(r.Fits+r.Missing))
	var takers []string
	for i := range r.Takers {
		takers = append(takers, r.Takers[i].text())
	}
	if len(takers) > 0 {
		text += ": " + strings.Join(takers, "; ")
	}
	return text
}

func (t *Taker) text() string {
	list := t.Nodes
	if t.More > 0 {
		list = append(list[:len(list):len(list)], fmt.Sprintf("%d more", t.More))
	}
	verb := "are"
	if len(list) == 1 {
		verb = "is"
	}
	last := len(list) - 1
	text := list[last]
	if last > 0 {
		text = strings.Join(list[:last], ", ") + " and " + text
	}
	return fmt.Sprintf("%s %s taken by %s", text, verb, t.App)
}
