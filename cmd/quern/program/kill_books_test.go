package program

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/server"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// books are what must be true of a host, by what it has answered and published.
type books struct {
	testing.TB
	capacity map[string]int // of nodes, in thousandths of a vcore
	keyed    bool           // all requests have idempotency keys: none is applied twice

	lines    []string // decisions, the first one has number 1
	placed   map[string]string
	released map[string]bool
	running  map[string]string // nodes, by ask
	amounts  map[string]int
	used     map[string]int
	numbers  map[int]string  // whose the inputs are
	asks     map[string]bool // that were acknowledged
	sent     map[string]int  // the last ask that a client has sent, whether it was acknowledged or not
	claims   []claim
	count    int // of claims that were checked
}

// claim is something that a client was told.
type claim struct {
	client string
	seq    int
	holds  func(line string) bool
	text   string
}

func newBooks(t testing.TB, keyed bool, capacity map[string]int) *books {
	return &books{TB: t, keyed: keyed, capacity: capacity, placed: map[string]string{}, released: map[string]bool{}, running: map[string]string{},
		amounts: map[string]int{}, used: map[string]int{}, numbers: map[int]string{}, asks: map[string]bool{}, sent: map[string]int{}}
}

// told notes that a client was told a decision's line.
func (g *books) told(client string, seq int, line string) {
	g.claims = append(g.claims, claim{client, seq, func(found string) bool { return found == line }, line})
}

// toldMessage notes that a client was told a decision over gRPC.
func (g *books) toldMessage(client string, d *quernv1.Decision) {
	g.claims = append(g.claims, claim{client, int(d.GetSeq()), func(found string) bool {
		want, err := grpcserver.Decision(&server.Decision{Line: []byte(found)})
		return err == nil && proto.Equal(want, d)
	}, d.String()})
}

// taken notes that a request was told that its inputs have numbers. No others may have them.
func (g *books) taken(client string, first, last int) {
	for n := first; n <= last; n++ {
		if by := g.numbers[n]; by != "" {
			g.Errorf("input %d is of %s and of %s", n, by, client)
		}
		g.numbers[n] = client
	}
}

// acknowledged notes that asks were taken.
func (g *books) acknowledged(ids ...string) {
	for _, id := range ids {
		g.asks[id] = true
	}
}

// recorded takes over the decisions that stand in a record, as its host has left it.
func (g *books) recorded(lines []string) {
	for _, line := range lines {
		g.decision(len(g.lines)+1, line)
	}
}

// look reads what a host has, which nobody sends to meanwhile.
func (g *books) look(t *testing.T, address string) {
	t.Helper()
	lines, first := decisionsFrom(t, address, 1)
	if first > len(g.lines)+1 || first+len(lines)-1 < len(g.lines) {
		g.Fatalf("%d decisions were made, and the host has those from %d to %d", len(g.lines), first, first+len(lines)-1)
	}
	for i, line := range lines {
		seq := first + i
		if seq <= len(g.lines) {
			if g.lines[seq-1] != line {
				g.Fatalf("decision %d was\n%s\nand is\n%s", seq, g.lines[seq-1], line)
			}
			continue
		}
		g.decision(seq, line)
	}
	for _, c := range g.claims {
		if g.count++; c.seq < 1 || c.seq > len(g.lines) || !c.holds(g.lines[c.seq-1]) {
			g.Errorf("%s was told of decision %d of %d\n%s", c.client, c.seq, len(g.lines), c.text)
		}
	}
	g.claims = nil
	g.compare(t, address)
}

// decision goes on with a decision: nothing is allocated twice, and never is more in use than there is.
func (g *books) decision(seq int, line string) {
	g.lines = append(g.lines, line)
	var d struct {
		Seq                        int
		Type, ID, Node, Reason, By string
		Resources                  struct{ VCore string }
	}
	if err := json.Unmarshal([]byte(line), &d); err != nil || d.Seq != seq {
		g.Fatalf("decision %d is %s (%v)", seq, line, err)
	}
	switch d.Type {
	case "allocation":
		milli, err := strconv.Atoi(strings.TrimSuffix(d.Resources.VCore, "m"))
		if g.placed[d.ID] != "" || err != nil || d.Node == "" {
			g.Errorf("%s was allocated twice, or badly: %s (%v)", d.ID, line, err)
		}
		g.placed[d.ID], g.running[d.ID], g.amounts[d.ID] = d.Node, d.Node, milli
		if g.used[d.Node] += milli; g.used[d.Node] > g.capacity[d.Node] {
			g.Fatalf("%d of %d thousandths of a vcore of %s are in use at %s", g.used[d.Node], g.capacity[d.Node], d.Node, line)
		}
	case "release":
		g.used[g.running[d.ID]] -= g.amounts[d.ID]
		delete(g.running, d.ID)
		g.released[d.ID] = true
	case "ask.rejected", "app.rejected", "node.rejected":
		if g.keyed || strings.HasPrefix(d.ID, managerID) {
			g.Errorf("something was applied twice: %s", line)
		}
	}
}

// compare holds the host's state against what was decided and acknowledged.
func (g *books) compare(t *testing.T, address string) {
	t.Helper()
	running, present := map[string]string{}, map[string]bool{}
	for next := ""; ; {
		body, _ := get(t, address+"/v1/asks?fields=ask,state,node&limit=1000&continue="+next)
		var page struct {
			Items    []struct{ Ask, State, Node string }
			Continue string
		}
		if err := json.Unmarshal([]byte(body), &page); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		for _, k := range page.Items {
			present[k.Ask] = true
			if k.State == "allocated" {
				running[k.Ask] = k.Node
			}
		}
		if next = page.Continue; next == "" {
			break
		}
	}
	if !maps.Equal(running, g.running) {
		g.Fatalf("by what was decided, these run:\n%v\nand by the state of the host:\n%v", describe(g.running), describe(running))
	}
	for id := range g.asks {
		client, n := askNumber(id)
		switch late := n + lastTurn; {
		case present[id] && g.asks[client+strconv.Itoa(late)]:
			g.Errorf("the ask %s was taken back, and is still there", id)
		case !present[id] && !g.released[id] && late > g.sent[client]:
			g.Errorf("the ask %s was acknowledged, and is not there any more", id)
		}
	}
}

// askNumber takes the ID of an ask apart.
func askNumber(id string) (client string, n int) {
	at := strings.LastIndexFunc(id, func(r rune) bool { return r < '0' || r > '9' }) + 1
	n, _ = strconv.Atoi(id[at:]) // it consists of digits
	return id[:at], n
}

func describe(m map[string]string) string {
	var list []string
	for _, id := range slices.Sorted(maps.Keys(m)) {
		list = append(list, fmt.Sprint(id, " on ", m[id]))
	}
	return strings.Join(list, ", ")
}
