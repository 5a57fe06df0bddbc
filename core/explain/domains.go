package explain

import (
	"fmt"
	"strings"
)

// GangDomains is the room for a gang in the domains of the level that it names.
type GangDomains struct {
	Level     string
	Preferred bool         // rather than required
	Total     int          // number of domains
	Enough    int          // number of domains that have room for as many members as are needed
	Nearest   []DomainRoom // those with room for the most members, the first by name among equals; at most MostDomains
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
	verb := "requires"
	if d.Preferred {
		verb = "prefers"
	}
	fmt.Fprintf(b, " It %s one domain of level %s", verb, d.Level)
	switch {
	case d.Total == 0:
		b.WriteString(", of which there is none.")
		return
	case d.Enough > 0:
		fmt.Fprintf(b, "; %d of %d have room for %d.", d.Enough, d.Total, need)
		return
	}
	fmt.Fprintf(b, "; none of %d has room for %d.", d.Total, need)
	for i := range d.Nearest[:min(len(d.Nearest), NearDomains)] {
		fmt.Fprintf(b, " %s.", d.Nearest[i].sentence(d.Level, need))
	}
}

// sentence is such as: rack r7 lacks 2 of 16: n70 and n71 are taken by train-3.
func (r *DomainRoom) sentence(level string, need int) string {
	text := fmt.Sprintf("%s %s lacks %d of %d", strings.ToUpper(level[:1])+level[1:], r.Domain, r.Missing, need)
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
