package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// WindowExplanation explains when a window opens, for whom, and who is on its nodes.
type WindowExplanation struct {
	Window core.WindowItem
	Uses   []WindowUse // the allocations on its nodes, by node and in order of allocation
	Text   string
}

// WindowUse is an allocation on a node of a window.
type WindowUse struct {
	Node, Ask, App, Queue string
	Named                 bool           // the window names its application
	Ends                  *time.Duration // its promised end; nil if it promises none
}

// MostUses bounds the allocations that the sentences about a window list.
const MostUses = 10

// Sentences returns the explanation in sentences. moment formats an instant that is to come.
func (e *WindowExplanation) Sentences(moment func(time.Duration) string) string {
	w := &e.Window
	all := []string{"Window " + w.ID + " " + openText(w, moment) + "."}
	switch {
	case w.Schedule != "":
		all = append(all, fmt.Sprintf("Its schedule is %s, in UTC.", w.Schedule))
	case w.Every > 0:
		all = append(all, fmt.Sprintf("It opens again %s after it has opened.", instant.Readable(w.Every)))
	}
	if len(w.Nodes) == 0 {
		all = append(all, "None of its nodes exists.")
	} else {
		all = append(all, "Its nodes: "+listed(w.Nodes)+".")
	}
	if len(w.Missing) > 0 {
		all = append(all, "Nodes that do not exist: "+listed(w.Missing)+".")
	}
	all = append(all, namedText(w))
	return strings.Join(append(all, e.usesText(moment)), " ")
}

// openText says when a window opens or, if it is open, closes.
func openText(w *core.WindowItem, moment func(time.Duration) string) string {
	switch {
	case w.Open && w.Until == instant.Never:
		return "is open, and stays open until it is removed"
	case w.Open:
		return "is open, and closes " + moment(w.Until)
	case w.From == instant.Never:
		return "does not open any more"
	case w.Until == instant.Never:
		return "opens " + moment(w.From) + ", and stays open until it is removed"
	}
	return fmt.Sprintf("opens %s, for %s", moment(w.From), instant.Readable(instant.Sub(w.Until, w.From)))
}

// namedText says which applications a window names.
func namedText(w *core.WindowItem) string {
	var parts []string
	for _, kind := range []struct {
		what  string
		names []string
	}{{"queue", w.Queues}, {"user", w.Users}, {"group", w.Groups}} {
		switch len(kind.names) {
		case 0:
		case 1:
			parts = append(parts, kind.what+" "+kind.names[0])
		default:
			parts = append(parts, kind.what+"s "+listed(kind.names))
		}
	}
	if len(parts) == 0 {
		return "It names no application: it is a maintenance."
	}
	return "It names " + strings.Join(parts, "; ") + "."
}

// usesText says how many allocations of those that it names are on its nodes, which others are, and when these promise to leave.
func (e *WindowExplanation) usesText(moment func(time.Duration) string) string {
	var others []string
	named := 0
	for i := range e.Uses {
		u := &e.Uses[i]
		if u.Named {
			named++
			continue
		}
		ends := "promises no end"
		if u.Ends != nil {
			ends = "promises to end " + moment(*u.Ends)
		}
		others = append(others, fmt.Sprintf("%s of application %s on %s %s", u.Ask, u.App, u.Node, ends))
	}
	text := ""
	switch {
	case len(e.Uses) == 0:
		return "Nothing is allocated on its nodes."
	case named > 0:
		text = "On its nodes: " + Count(named, "allocation") + " of applications that it names."
	}
	if len(others) == 0 {
		return text
	}
	more := ""
	n := len(others)
	if n > MostUses {
		others, more = others[:MostUses], fmt.Sprintf("; and %d more", n-MostUses)
	}
	return strings.TrimSpace(text + " On its nodes: " + Count(n, "allocation") + " of others: " + strings.Join(others, "; ") + more + ".")
}
