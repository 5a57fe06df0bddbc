package scheduler_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// populated returns a cluster of some size in which one ask in ten is pending.
func populated(t testing.TB, queues, nodes, asks int) *scheduler.Scheduler {
	var b strings.Builder
	b.WriteString("partitions: [{name: default, queues: [{name: root, queues: [")
	for i := range queues {
		fmt.Fprintf(&b, "{name: q%04d}, ", i)
	}
	b.WriteString("]}]}]")
	s := scheduler.New(core.Options{})
	s.Advance(0)
	apply := func(in core.Input) {
		if refused := s.Apply(&in); refused != core.Accepted {
			t.Fatalf("%+v: %s", in, refused)
		}
	}
	apply(core.Input{Event: &core.SetConfig{Config: b.String()}})
	vcore := func(n int) resource.Set { return resource.NewSet(resource.Quantity{Type: "vcore", Value: int64(n)}) }
	for i := range nodes {
		apply(core.Input{Event: &core.AddNode{ID: fmt.Sprintf("n%05d", i), Capacity: vcore(asks * 9 / 10 / nodes)}})
	}
	apps := asks / 20
	for i := range apps {
		apply(core.Input{Event: &core.AddApp{ID: fmt.Sprintf("a%06d", i), Queue: fmt.Sprintf("root.q%04d", i%queues), User: fmt.Sprintf("u%d", i%50)}})
	}
	for i := range asks {
		apply(core.Input{Event: &core.AddAsk{ID: fmt.Sprintf("k%06d", i), App: fmt.Sprintf("a%06d", i%apps), Resources: vcore(1)}})
	}
	s.Cycle(-1)
	s.Take()
	return s
}

// selections are the reads and filters of lists that are tested.
var selections = []struct {
	name string
	list func(*scheduler.Scheduler, *core.Page) core.Listed[struct{}]
	core.Where
}{
	{"queues", unread((*scheduler.Scheduler).Queues), core.Where{}},
	{"nodes", unread((*scheduler.Scheduler).Nodes), core.Where{}},
	{"drained nodes", unread((*scheduler.Scheduler).Nodes), core.Where{State: "drained"}},
	{"apps", unread((*scheduler.Scheduler).Apps), core.Where{}},
	{"apps of a queue", unread((*scheduler.Scheduler).Apps), core.Where{Queue: "root.q0007"}},
	{"asks", unread((*scheduler.Scheduler).Asks), core.Where{}},
	{"pending asks", unread((*scheduler.Scheduler).Asks), core.Where{State: "pending"}},
	{"leaving asks", unread((*scheduler.Scheduler).Asks), core.Where{State: "leaving"}},
	{"asks of a node", unread((*scheduler.Scheduler).Asks), core.Where{Node: "n00001"}},
	{"asks of a user", unread((*scheduler.Scheduler).Asks), core.Where{User: "u7"}},
	{"asks of an app", unread((*scheduler.Scheduler).Asks), core.Where{App: "a000042"}},
}

// unread adapts the read of a list whose items do not matter.
func unread[T any](list func(*scheduler.Scheduler, *core.Page) core.Listed[T]) func(*scheduler.Scheduler, *core.Page) core.Listed[struct{}] {
	return func(s *scheduler.Scheduler, p *core.Page) core.Listed[struct{}] {
		part := list(s, p)
		return core.Listed[struct{}]{Items: make([]struct{}, len(part.Items)), Next: part.Next, More: part.More, Work: part.Work}
	}
}

// TestAPartOfAListTakesNoMoreWorkThanItMay reads whole lists in pages. Each page exceeds its work by one object at most.
func TestAPartOfAListTakesNoMoreWorkThanItMay(t *testing.T) {
	const work, object = 500, 30
	s := populated(t, 100, 200, 4000)
	for _, list := range selections {
		p := core.Page{Limit: 1000, Work: work, Where: list.Where}
		total := 0
		for more := true; more; {
			part := list.list(s, &p)
			if part.Work > work+object {
				t.Errorf("%s: a part took %d, expected at most %d", list.name, part.Work, work+object)
			}
			p.After, more, total = part.Next, part.More, total+part.Work
		}
		if most := 4000 * 6; total > most {
			t.Errorf("%s: the list took %d, expected at most %d", list.name, total, most)
		}
	}
}

// BenchmarkPart reads the first page of each list, with the page size of the live host.
func BenchmarkPart(b *testing.B) {
	s := populated(b, 1000, 5000, 100_000)
	s.PrepareReads()
	for _, list := range selections {
		b.Run(strings.ReplaceAll(list.name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				list.list(s, &core.Page{Limit: 1000, Work: 2000, Where: list.Where})
			}
		})
	}
}
