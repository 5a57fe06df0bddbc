package importrules

import (
	"go/ast"
	"go/parser"
	"path/filepath"
	"strings"
	"testing"
)

// within are changes that the packages which read the state could try with what they hold. reads must compile, so that a change is
// refused for itself.
var within = []struct {
	folder, reads string
	changes       []string
}{
	{"core/internal/schedule", "func _(s *Walk) (any, any) { return s.state.Classes().Largest().At(0), slices.Collect(s.state.Nodes().Sorted().All) }", []string{
		"func _(s *Walk) { s.state.Classes().Largest()[0] = 0 }",
		"func _(s *Walk) { s.state.Nodes().MaxFree()[0] = 0 }",
		"func _(s *Walk) { s.state.AskAt(1).Class().bit = 0 }",
		"func _(s *Walk) { s.state.AskAt(1).Class().Needs().At(0).Min = 0 }",
		"func _(s *Walk) { slices.Reverse(s.state.Nodes().Sorted()) }",
		"func _(s *Walk) { clear(s.state.Follow(&s.cursor)) }",
		"func _(s *Walk) { s.state.Shared = nil }",
		"func _(s *Walk) { s.wide.Largest[0] = 0 }",
	}},
	{"core/internal/preempt", "func _(s *Preemption) (any, any) { return s.state.ClaimedOn(0).Len(), slices.Collect(s.state.Nodes().Sorted().All) }", []string{
		"func _(s *Preemption) { s.state.ClaimedOn(0)[0] = 0 }",
		"func _(s *Preemption) { slices.Reverse(s.state.Nodes().Sorted()) }",
		"func _(s *Preemption) { s.state.Follow(&s.cursor).At(0).node = 1 }",
		"func _(s *Preemption) { s.state.Types().Intern(\"new\") }",
		"func _(s *Preemption) { s.state.AskAt(1).Class().Demand().Fill(0) }",
		"func _(s *Preemption) { s.state.Queues().Used(1, 0)++ }",
	}},
	{"core/internal/victim", "func _(f *Finder, p *problem) (any, any) { return p.Ask.Class().Demand().At(0), slices.Collect(f.nodes.Sorted().All) }", []string{
		"func _(p *problem) { p.Ask.Class().Demand()[0] = 0 }",
		"func _(p *problem) { p.Ask.Class().Demand().Sub(p.Largest) }",
		"func _(p *problem) { p.Largest[0] = 0 }",
		"func _(p *problem) { clear(p.Ask.Class().Constraints()) }",
		"func _(f *Finder) { slots, _ := f.nodes.Changes(&f.cursor); slots[0] = 1 }",
		"func _(f *Finder) { slices.Reverse(f.nodes.Sorted()) }",
		"func _(f *Finder) { f.claimedDemand(0)[0] = 0 }",
	}},
	{"core/internal/quota", "func _(r *round, l *leaf) (any, any) { return r.tree.Types(), slices.Equal(r.taken, r.excess) }", []string{
		"func _(c *cursor) { c.next.Class().Demand()[0] = 0 }",
		"func _(c *cursor) { c.next.Class().node = \"\" }",
		"func _(c *cursor) { slices.Reverse(c.next.Class().Needs()) }",
		"func _(l *leaf) { l.apps.Ban(0, 0) }",
		"func _(r *round) { r.tree.Taken(1, 0) = 0 }",
		"func _(r *round) { r.tree.AddLeaving(1, r.tree.AllUsed(1).Amounts(), true) }",
	}},
	{"core/internal/inspect", "func _(s *View) (any, any) { return s.Types().Len(), slices.Collect(s.Nodes().Sorted().All) }", []string{
		"func _(s *View) { s.Types().Intern(\"new\") }",
		"func _(s *View) { s.Types().Admit() }",
		"func _(s *View) { s.Nodes().FreeBound()[0] = 0 }",
		"func _(s *View) { slices.Reverse(s.Nodes().Sorted()) }",
		"func _(s *View) { s.State.Shared = nil }",
		"func _(s *View) { s.AskAt(1).Class().Constraints().At(0).Values.items[0] = \"\" }",
		"func _(s *View) { s.AskAt(1).Class().resources = nil }",
	}},
}

// The packages that read the state cannot change it with what they hold either.
func TestReadersOfTheState_RefuseChanges(t *testing.T) {
	set, from := sources()
	for _, tc := range within {
		names, err := filepath.Glob(filepath.Join(root, tc.folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		var files []*ast.File
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		head := "package " + filepath.Base(tc.folder) + "\n\nimport \"slices\"\n" + tc.reads + "\n"
		f, err := parser.ParseFile(set, tc.folder+"/changes.go", head+strings.Join(tc.changes, "\n"), parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		expectRefusals(t, set, from, append(files, f), strings.Count(head, "\n")+1, tc.changes)
	}
}
