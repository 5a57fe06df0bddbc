package listing

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/remote"
)

// Overview is what a live host is doing, for a screen.
type Overview struct {
	Server  string
	Demo    bool   // the cluster is simulated
	Seq     uint64 // of the last decision; 0: it is not known
	Rates   []Rate // none: they are not known yet
	Queues  []json.RawMessage
	Nodes   []json.RawMessage
	Waiting []json.RawMessage // asks, maybe not all
	Problem string            // why it is not up to date; empty: it is
}

// Rate is how often something happens in a second.
type Rate struct {
	Name string
	Rate float64
}

// View says which list of an overview gets the room.
type View int

// The views.
const (
	OfAll View = iota
	OfQueues
	OfWaiting
	OfNodes
	Views // how many there are
)

// Lines writes the overview into so many lines of so many characters. Headings are coloured unless it is nil.
func (o *Overview) Lines(v View, width, height int, heading func(string) string) ([]string, error) {
	s := screen{width: width, heading: heading}
	queues, nodes, waiting, err := o.read()
	if err != nil {
		return nil, err
	}
	s.head(o, queues, nodes)
	lists := []*List{
		{Kind: remote.Queues, Items: busiest(o.Queues, queues)},
		{Kind: remote.Asks, Items: oldest(o.Waiting, waiting), waiting: true},
		{Kind: remote.Nodes, Items: fullest(o.Nodes, nodes)},
	}
	shares := []int{45, 30, 25} // per cent of the lines that are left
	left := height - len(s.lines)
	for i, l := range lists {
		if v != OfAll && v != View(i+1) {
			continue
		}
		room := left
		if v == OfAll && i < len(lists)-1 {
			room = left * shares[i] / 100
		}
		if v == OfAll && i == len(lists)-1 {
			room = height - len(s.lines)
		}
		if err := s.list(l, room); err != nil {
			return nil, err
		}
	}
	return s.lines[:min(len(s.lines), height)], nil
}

// read takes in what was sent.
func (o *Overview) read() (queues []queue, nodes []node, waiting []ask, err error) {
	if queues, err = decoded[queue](o.Queues); err == nil {
		nodes, err = decoded[node](o.Nodes)
	}
	if err == nil {
		waiting, err = decoded[ask](o.Waiting)
	}
	return queues, nodes, waiting, err
}

func decoded[T any](items []json.RawMessage) ([]T, error) {
	list := make([]T, len(items))
	for i, item := range items {
		if err := json.Unmarshal(item, &list[i]); err != nil {
			return nil, fmt.Errorf("the answer of the host cannot be read: %w", err)
		}
	}
	return list, nil
}

// screen collects lines of a width.
type screen struct {
	width   int
	heading func(string) string
	lines   []string
}

// add adds a line, cut to the width.
func (s *screen) add(line string) {
	line = strings.TrimRight(line, " ")
	if utf8.RuneCountInString(line) > s.width {
		line = string([]rune(line)[:max(s.width-1, 0)]) + "…"
	}
	s.lines = append(s.lines, line)
}

// title adds a line that is a heading.
func (s *screen) title(line string) {
	s.add(line)
	if s.heading != nil {
		s.lines[len(s.lines)-1] = s.heading(s.lines[len(s.lines)-1])
	}
}

// head says how the cluster stands as a whole.
func (s *screen) head(o *Overview, queues []queue, nodes []node) {
	what := "quern top  " + format.Line(o.Server)
	if o.Demo {
		what += "  (a demo: simulated, in time lapse)"
	}
	if o.Seq > 0 {
		what += "  decision " + format.Grouped(int(o.Seq))
	}
	s.title(what)
	if o.Problem != "" {
		s.add("! " + format.Line(o.Problem))
	}
	drained, waiting := 0, 0
	for i := range nodes {
		if !nodes[i].Schedulable {
			drained++
		}
	}
	for i := range queues {
		if !strings.Contains(queues[i].Queue, ".") {
			waiting += queues[i].PendingAsks
			for _, typ := range ordered(queues[i].Max) {
				s.use(typ, queues[i].Used[typ], queues[i].Max[typ])
			}
		}
	}
	s.add(fmt.Sprintf("waiting asks %s, nodes %s (drained %s), queues %s", format.Grouped(waiting), format.Grouped(len(nodes)), format.Grouped(drained), format.Grouped(len(queues))))
	var rates []string
	for _, r := range o.Rates {
		rates = append(rates, fmt.Sprintf("%s %.1f", r.Name, r.Rate))
	}
	if len(rates) > 0 {
		s.add("a second: " + strings.Join(rates, ", "))
	}
}

// barLength is how many characters a bar has.
const barLength = 20

// use adds a bar for a type of resources.
func (s *screen) use(typ string, used, of resource.Quantity) {
	if of.Value <= 0 {
		return
	}
	share := min(max(float64(used.Value)/float64(of.Value), 0), 1)
	full := int(share*barLength + 0.5)
	s.add(fmt.Sprintf("%-16s %s%s %3.0f %%  %s", format.Cell(short(typ)), strings.Repeat("█", full), strings.Repeat("░", barLength-full), 100*share, ofBound(typ, amounts{typ: used}, amounts{typ: of})))
}

// list adds a list, as far as there is room: an empty line, the heading and what fits.
func (s *screen) list(l *List, room int) error {
	if room < 3 {
		return nil
	}
	shown := *l
	shown.Items = l.Items[:min(len(l.Items), room-2)]
	var b bytes.Buffer
	if err := shown.table(&b, false); err != nil {
		return err
	}
	s.add("")
	for i, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
		if i == 0 {
			s.title(line)
			continue
		}
		s.add(line)
	}
	return nil
}

// sorted are items in the order of what was read of them.
func sorted[T any](items []json.RawMessage, list []T, compare func(a, b *T) int) []json.RawMessage {
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(&list[a], &list[b]) })
	out := make([]json.RawMessage, len(items))
	for i, at := range order {
		out[i] = items[at]
	}
	return out
}

// busiest are leaf queues, those first where most asks wait.
func busiest(items []json.RawMessage, list []queue) []json.RawMessage {
	var leaves []json.RawMessage
	var read []queue
	for i := range list {
		if list[i].Leaf {
			leaves, read = append(leaves, items[i]), append(read, list[i])
		}
	}
	return sorted(leaves, read, func(a, b *queue) int {
		return cmp.Or(cmp.Compare(b.PendingAsks, a.PendingAsks), cmp.Compare(b.Allocations, a.Allocations), cmp.Compare(a.Queue, b.Queue))
	})
}

// oldest are asks, those first that came first.
func oldest(items []json.RawMessage, list []ask) []json.RawMessage {
	return sorted(items, list, func(a, b *ask) int {
		return cmp.Or(cmp.Compare(a.Submitted, b.Submitted), cmp.Compare(a.Ask, b.Ask))
	})
}

// fullest are nodes, those first that have least of a type left.
func fullest(items []json.RawMessage, list []node) []json.RawMessage {
	return sorted(items, list, func(a, b *node) int {
		return cmp.Or(cmp.Compare(b.share(), a.share()), cmp.Compare(a.Node, b.Node))
	})
}

// share is how much is used of the type of which most is.
func (n *node) share() (most float64) {
	for typ, capacity := range n.Capacity {
		if capacity.Value > 0 {
			most = max(most, float64(n.Used[typ].Value)/float64(capacity.Value))
		}
	}
	return most
}

// Simulated reports whether nodes are those of a demonstration.
func Simulated(nodes []json.RawMessage) bool {
	var n struct{ Attributes map[string]string }
	return len(nodes) > 0 && json.Unmarshal(nodes[0], &n) == nil && n.Attributes["demo"] != ""
}
