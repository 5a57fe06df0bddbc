package compare

import (
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

func TestThePolicyStandsWhereverAnotherStood(t *testing.T) {
	before := `partitions: [{name: default, nodesortpolicy: {type: binpacking}, queues: [{name: root, queues: [
{name: a, properties: {application.sort.policy: fair}}, {name: p, properties: {ask.sort.policy: mine}, queues: [{name: b}]}]}]}]`
	in := &core.SetConfig{Config: before}
	all := func(string, string) bool { return true }
	read := func(in *core.SetConfig) (*config.Partition, string) {
		c, err := config.Decode([]byte(in.Config), config.Options{Format: config.Format(in.Format), Policies: all})
		if err != nil {
			t.Fatal(err)
		}
		return c.Partitions[0], string(c.Print())
	}
	c, text := read(Override{Name: "x", Points: []string{"node.score", "app.order"}}.Config(in))
	a, b := c.Root.Children[0], c.Root.Children[1].Children[0]
	if c.NodeSort.Policy != "x" || a.AppSort != "x" || b.AppSort != "x" || b.AskSort != "mine" {
		t.Errorf("found %s", text)
	}
	c, text = read(Override{Name: "x", Points: []string{"queue.order", "ask.order"}}.Config(in))
	a, b = c.Root.Children[0], c.Root.Children[1].Children[0]
	if c.NodeSort.Policy != "binpacking" || a.AppSort != "fair" || b.AskSort != "x" || c.Root.QueueSort != "x" || c.Root.Children[1].QueueSort != "x" {
		t.Errorf("found %s", text)
	}
	if bad := (Override{Name: "x"}).Config(&core.SetConfig{Config: "junk: ["}); bad.Config != "junk: [" {
		t.Errorf("what cannot be read became %q", bad.Config)
	}
	if d, text := read(Override{Name: "x", Points: []string{"node.score"}}.Default()); d.NodeSort.Policy != "x" {
		t.Errorf("found %s", text)
	}
}

func TestDecisionsAreHeldAgainstEachOther(t *testing.T) {
	before := &Run{order: []string{"same", "moved", "late", "lost"}, placed: map[string]placement{
		"same": {"n1", 0}, "moved": {"n1", time.Second}, "late": {"n2", time.Second}, "lost": {"n3", 0}}}
	after := &Run{order: []string{"same", "moved", "late", "new"}, placed: map[string]placement{
		"same": {"n1", 0}, "moved": {"n2", 0}, "late": {"n2", time.Minute}, "new": {"n9", time.Hour}}}
	d := Compare(before, after)
	if d.Both != 3 || d.Moved != 1 || d.Earlier != 1 || d.Later != 1 || d.OnlyBefore != 1 || d.OnlyAfter != 1 || len(d.First) != 4 {
		t.Errorf("found %+v", d)
	}
	var said []string
	for _, c := range d.First {
		said = append(said, c.Ask+": "+c.said())
	}
	expected := "moved: n1 at 1s before, n2 at 0s after; late: n2 at 1s before, n2 at 1m after; lost: n3 at 0s before, nowhere after; new: nowhere before, n9 at 1h after"
	if strings.Join(said, "; ") != expected {
		t.Errorf("expected %s\nfound    %s", expected, strings.Join(said, "; "))
	}
}
