package importrules

import (
	"errors"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// sources are the files that the tests of this file type-check. Each package is checked once for all of them.
var sources = sync.OnceValues(func() (*token.FileSet, types.Importer) {
	if build.Default.GOROOT == "" { // where a test is built without paths
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			panic(err)
		}
		build.Default.GOROOT = strings.TrimSpace(string(out))
	}
	set := token.NewFileSet()
	return set, importer.ForCompiler(set, "source", nil)
})

// What owners in package state keep does not even compile elsewhere when it is assigned, cleared or changed through a view.
func TestOwnersOfTheState_RefuseChanges(t *testing.T) {
	changes := []string{
		"s.now = 0",
		"s.Now() = 0",
		"s.Now()++",
		"s.ShrinkEpoch()++",
		"s.shrinkEpoch++",
		"s.conf = nil",
		"s.Shared = nil",
		"s.shared = nil",
		"s.Conf().Patience = 0",
		"s.finder = nil",
		"s.Nodes() = nil",
		"s.Nodes().Filled(0)",
		"s.Nodes().Added(0)",
		"s.Nodes().Forget()",
		"s.Nodes().finder = nil",
		"node.Updater(s.Nodes()).Forget()",
		"class.Registry(s.Classes()).Widen()",
		"s.Nodes().View() = nodes.View{}",
		"s.Classes().Enqueue(nil)",
		"s.Classes().Release(nil)",
		"s.Classes().Widen()",
		"s.Classes().registry = nil",
		"slices.Reverse(s.Nodes().Sorted())",
		"s.Nodes().Sorted()[0] = 1",
		"s.Nodes().Sorted().items[0] = 1",
		"var c node.Cursor; slots, _ := s.Nodes().Changes(&c); slots[0] = 1",
		"var c state.Cursor; clear(s.Follow(&c))",
		"var c state.Cursor; s.Follow(&c).At(0).Kind() = 0",
		"var c state.Cursor; s.Follow(&c).At(0).kind = 0",
		"var c state.Cursor; *s.Follow(&c).At(0) = state.Change{}",
		"var c state.Cursor; s.Follow(&c).entries[0] = s.Follow(&c).entries[1]",
		"s.Types().Intern(\"new\")",
		"s.Types().Admit(nil)",
		"s.Types().typeTable = nil",
		"_ = resource.Types{typeView: s.Types()}",
		"_ = (*resource.Types)(s.Types())",
		"s.Classes().Largest()[0] = 0",
		"s.Classes().Largest().Add(s.Classes().Largest())",
		"clear(s.AskAt(1).Class().Demand())",
		"s.AskAt(1).Class().Demand()[0]++",
		"s.AskAt(1).Class().Demand().Fill(0)",
		"for t := range s.AskAt(1).Class().Demand().All { s.AskAt(1).Class().Demand().At(t) = 0 }",
		"s.AskAt(1).Class().Demand().vec[0] = 0",
		"s.AskAt(1).Class().Needs()[0].Min = 0",
		"s.AskAt(1).Class().Needs().At(0).Min = 0",
		"s.AskAt(1).Class().Needs().items[0].Min = 0",
		"slices.Reverse(s.AskAt(1).Class().Needs())",
		"clear(s.AskAt(1).Class().Constraints())",
		"s.AskAt(1).Class().Constraints().At(0).Values = readonly.List[string]{}",
		"for k := range s.AskAt(1).Class().Constraints().All { k.Values[0] = \"\" }",
		"s.AskAt(1).Class().Node() = \"\"",
		"s.AskAt(1).Class().Bit()++",
		"s.AskAt(1).Class().bit = 0",
		"*s.AskAt(1).Class() = class.Class{}",
		"*s.AskAt(1).Class() = *s.AskAt(2).Class()",
		"*s.AskAt(1).Class().class = *s.AskAt(2).Class().class",
		"class.Registry(s.Classes()).Release(s.AskAt(1).Class())",
		"s.AskAt(1).Class().Demand() = resource.Amounts{}",
		"_ = resource.Vec(s.AskAt(1).Class().Demand())",
		"slices.Reverse(s.Nodes().MaxFree())",
		"copy(s.Nodes().FreeBound(), s.Nodes().Total())",
		"s.ClaimedOn(0)[0] = 0",
		"s.orders = nil",
		"s.Asks() = nil",
		"s.classes = nil",
		"s.types = nil",
		"s.precedence = nil",
		"slices.Reverse(s.precedence)",
		"clear(s.ended)",
		"s.EndedAt(0).Partition = \"\"",
		"list := s.partitions; list[0] = nil",
		"s.Partition(0) = nil",
		"delete(s.modules.announced, \"a\")",
		"s.PolicyFaults()++",
		"s.limits = nil",
		"s.limits.Use(limit.Trackers{}, nil)",
		"s.Asks().AppWithID(\"a\").Limits() = nil",
		"s.Asks().AppWithID(\"a\").Limits().trackers = limit.Trackers{}",
		"list := s.Asks().AppWithID(\"a\").Limits().Trackers(); list[0] = nil",
		"slices.Reverse(s.Asks().AppWithID(\"a\").Limits().Trackers().list)",
		"for t := range s.Asks().AppWithID(\"a\").Limits().Trackers().All { t.AddPlaces(1) }",
		"s.Asks().AppWithID(\"a\").LacksPlace().Free(nil)",
		"s.Asks().AppWithID(\"a\").LacksPlace().ID() = 0",
		"s.Asks().AppWithID(\"a\").LacksPlace().limit.MaxApplications = 0",
		"*s.Asks().AppWithID(\"a\").LacksPlace() = limit.Tracker{}",
		"*s.Asks().AppWithID(\"a\").LacksPlace().tracker = *s.Asks().AppWithID(\"a\").LacksPlace().tracker",
		"_ = limit.Counter(s.Asks().AppWithID(\"a\").LacksPlace())",
		"(*limit.Counter)(s.Asks().AppWithID(\"a\").LacksPlace()).AddPlaces(1)",
		"*s.Queues().Limits(0) = limit.Table{}",
		"clear(s.Queues().Limits(0).groups)",
		"s.Queues().Limits(0).Join(nil, nil, \"\", \"\")",
		"clear(s.Queues().Limits(0).users)",
		"s.counters.Ask++",
		"s.claims = nil",
		"s.reservations = nil",
		"s.departures = nil",
		"s.Departures().End(1)",
		"s.Departures().o.Add(1, nil)",
		"s.Departures().Of(1) = departures.Departure{}",
		"slices.Reverse(s.Claims().inOrder)",
		"list := s.Claims().All(); list[0] = claims.Claim{}",
		"c, _ := s.Claims().First(0); c.nextOnNode = 0",
		"s.Claims().o.ForbidElsewhere()",
		"s.Claims().End(1)",
		"s.Reservations().Add(claims.Reservation{})",
		"s.Replacements().Left(1)",
		"s.Claims() = claims.ClaimView{}",
		"s.asks = nil",
		"s.asks.SetPriority(1, 2)",
		"s.Asks().Find(\"ask\").Row().Priority = 1",
		"s.Asks().Find(\"ask\").Node() = 1",
		"r := s.Asks().At(1); r.slot = 2",
		"clear(s.Asks().At(1).in.orders)",
		"s.apps = nil",
		"s.Asks().AppWithID(\"a\").State() = 1",
		"s.Asks().AppWithID(\"a\").Used() = nil",
		"s.Asks().AppWithID(\"a\").number = 0",
		"s.Asks().values.o.Remove(1)",
		"s.Asks().AppWithID(\"a\").Leaf() = nil",
		"s.Asks().AppWithID(\"a\").leaf = nil",
		"s.Asks().AppWithID(\"a\").UpdateAsk(s.AskAt(1))",
		"s.Asks().AppWithID(\"a\").MarkChanged(0)",
		"s.Asks().AppWithID(\"a\").Change(0, func() {})",
		"s.Asks().AppWithID(\"a\").SetLimits(\"\", limit.Trackers{})",
		"s.Asks().AppWithID(\"a\").AddPlaced(s.AskAt(1), 0)",
		"s.Asks().AppWithID(\"a\").JoinGroup(\"\")",
		"s.Asks().AppWithID(\"a\").DeclareGang()",
		"*s.Asks().AppWithID(\"a\") = app.App{}",
		"*s.Asks().AppWithID(\"a\").application = *s.AskAt(1).App().application",
		"_ = app.Record(s.Asks().AppWithID(\"a\"))",
		"_ = app.Record{application: *s.Asks().AppWithID(\"a\").application}",
		"_ = limit.Counter{tracker: *s.Asks().AppWithID(\"a\").LacksPlace().tracker}",
		"s.Asks().AppWithID(\"a\").AtomicGangs = nil",
		"slices.Reverse(s.Asks().AppWithID(\"a\").AtomicGangs)",
		"for g := range s.Asks().AppWithID(\"a\").AtomicGangs { g.Placed = true }",
		"for g := range s.Asks().AppWithID(\"a\").AtomicGangs { g.Row().Placed = true }",
		"for g := range s.Asks().AppWithID(\"a\").AtomicGangs { g.row.Placed = true }",
		"s.AskAt(1).WaitingGang().Row().Claims++",
		"s.Asks().Begin(1)",
		"s.Asks().Forget(nil)",
		"s.Asks().NewApp(1)",
		"s.Asks().Edit(nil)",
		"s.edit(nil)",
		"_ = (*app.Owner)(s.Asks())",
		"*s.Leaf(1) = app.Leaf{}",
		"*s.Leaf(1).leaf = *s.Leaf(2).leaf",
		"*s.Asks() = app.Asks{}",
		"*s.AskAt(1).TaskGroup() = app.TaskGroup{}",
		"*s.AskAt(1).WaitingGang() = app.AtomicGang{}",
		"for g := range s.Asks().AppWithID(\"a\").AtomicGangs { *g = app.AtomicGang{} }",
		"*s.Asks().AppWithID(\"a\").Limits() = app.Limits{}",
		"s.Leaf(1).Admit(nil)",
		"s.Leaf(1).Dismiss(nil)",
		"s.Leaf(1).SetOrder(nil, false)",
		"s.Leaf(1).Reserved() = 0",
		"s.Leaf(1).Ban(0, 0)",
		"s.Leaf(1).ExpiredAt()++",
		"s.Leaf(1).ExpiredAt = 0",
		"clear(s.Leaf(1).denominators)",
		"s.Leaf(1).dirty = nil",
		"s.Apps().SetState(1, 2, 0)",
		"s.Apps().At(1).Claims++",
		"clear(s.Apps().o.ids)",
		"s.gangs = nil",
		"s.Gangs().Edit(1).Formed = true",
		"s.Gangs().Of(1).Formed = true",
		"s.Gangs().Declare(1, nil, false, 0)",
		"s.Gangs().AddSucceeded(1, nil)",
		"clear(s.Gangs().o.staying.pages)",
		"s.Asks().AppWithID(\"a\").gang = nil",
		"clear(s.Asks().AppWithID(\"a\").gang.byName)",
		"s.queues = nil",
		"s.leaves = nil",
		"s.queues.Restore(1, nil)",
		"s.Queues().Restore(1, nil)",
		"s.Queues().o.SetTotal(nil)",
		"s.Queues().Used(1, 0)++",
		"s.Queues().Used(1, 0) = 5",
		"clear(s.Queues().o.children)",
		"for list := range s.Queues().Children(1) { slices.Reverse(list) }",
		"s.Queues().Over(1).Tried = true",
		"s.nodes = nil",
		"s.Nodes().Hold(0) = 0",
		"s.Nodes().View.o.Drain(0)",
		"s.Nodes().Drain(0)",
		"s.Nodes().Allocate(0, nil)",
		"s.Nodes().o.removed = nil",
		"s.Nodes().Capacity(0) = nil",
		"delete(s.Nodes().o.attributes, 0)",
	}
	text := `package sample

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/resource"
)

var _, _, _, _, _, _, _, _ = app.Ask{}, readonly.List[int]{}, slices.Reverse[[]int], resource.Vec{}, claims.Claim{}, node.Finder{}, class.View{}, limit.Trackers{}

// What the changes are made to can be read.
var _ = func(s *state.State) []any {
	return []any{
		s.Claims().Len(), s.Reservations().Len(), s.Replacements().Ready(), s.Departures().Len(), s.Queues().Root(), s.Apps().Len(), s.Gangs().Of(1).Formed,
		s.Asks().Find("ask").Row().Priority, s.Asks().At(1).Slot(), s.Asks().AppWithID("a").State(), s.Asks().AppWithID("a").Leaf().ExpiredAt(), s.Leaf(1).Reserved(), s.AskAt(1).WaitingGang().Row().Placed, s.Nodes().Hold(0), s.Nodes().Capacity(0),
		s.Asks().AppWithID("a").Limits().Trackers().Len(), s.Asks().AppWithID("a").LacksPlace().ID(), s.Queues().Limits(0).Of("", ""),
		s.Now(), s.ShrinkEpoch(), s.Conf().Patience, s.Types().Len(), s.Nodes().Sorted().Len(), s.Follow(new(state.Cursor)).Len(), s.Classes(), s.Classes().Largest().At(0), s.AskAt(1).Class().Demand().Clone(), s.AskAt(1).Class().Needs().At(0).Min, s.AskAt(1).Class().Constraints().Len(), s.AskAt(1).Class().Bit(), s.Nodes().MaxFree().Len(), s.ClaimedOn(0).Len(), s.EndedAt(0).Partition, s.Partition(0), s.PolicyFaults(),
	}
}
`
	first := strings.Count(text, "\n") + 1
	for _, change := range changes {
		text += "func _(s *state.State) { " + change + " }\n"
	}
	set, from := sources()
	file, err := parser.ParseFile(set, "sample.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	expectRefusals(t, set, from, []*ast.File{file}, first, changes)
}

// expectRefusals type-checks files and expects an error in the line of each change, and none elsewhere. The changes are in lines of the
// last file that follow each other.
func expectRefusals(t *testing.T, set *token.FileSet, from types.Importer, files []*ast.File, first int, changes []string) {
	t.Helper()
	name := set.Position(files[len(files)-1].Pos()).Filename
	refused := map[int]bool{}
	config := types.Config{Importer: from, Error: func(err error) {
		var found types.Error
		if !errors.As(err, &found) {
			return
		}
		at := set.Position(found.Pos)
		if at.Filename != name || at.Line < first || at.Line >= first+len(changes) {
			t.Errorf("beside the changes: %v", err)
			return
		}
		refused[at.Line] = true
	}}
	_, _ = config.Check("sample", set, files, nil)
	for i, change := range changes {
		if !refused[first+i] {
			t.Errorf("outside of package state this compiles: %s", change)
		}
	}
}
