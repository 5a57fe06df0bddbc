package windows

import (
	"slices"
	"testing"
	"time"

	"github.com/quern-project/quern/core/instant"
)

const hour = time.Hour

func noAttributes(string) (string, bool) { return "", false }

func TestWindows_OpenAndComeAgain(t *testing.T) {
	var o Windows
	o.Add(Spec{ID: "w", From: hour, Until: 2 * hour, Every: 24 * hour, Nodes: []string{"n2", "n1", "n2"}})
	w := o.View().At(o.View().Find("w"))
	if at, ok := o.View().Next(); !ok || at != hour || w.IsOpen() || !w.IsRecurring() || !slices.Equal(w.Nodes().Clone(), []string{"n1", "n2"}) {
		t.Errorf("found %v %v, open %v, nodes %v", at, ok, w.IsOpen(), w.Nodes())
	}
	o.Open(0)
	if at, _ := o.View().Next(); at != 2*hour || !o.View().At(0).IsOpen() {
		t.Errorf("open, it closes at %v", at)
	}
	o.Close(0, 2*hour)
	if w := o.View().At(0); w.From() != 25*hour || w.Until() != 26*hour || w.IsOpen() {
		t.Errorf("found %v until %v", w.From(), w.Until())
	}
}

func TestWindows_Occurrences(t *testing.T) {
	for name, c := range map[string]struct {
		w                  Spec
		after, from, until time.Duration
	}{
		"the first":                   {Spec{From: hour, Until: 2 * hour, Every: 3 * hour}, 0, hour, 2 * hour},
		"open":                        {Spec{From: hour, Until: 2 * hour, Every: 3 * hour}, 2*hour - 1, hour, 2 * hour},
		"ends at that instant":        {Spec{From: hour, Until: 2 * hour, Every: 3 * hour}, 2 * hour, 4 * hour, 5 * hour},
		"many later":                  {Spec{From: hour, Until: 2 * hour, Every: 3 * hour}, 32 * hour, 34 * hour, 35 * hour},
		"once, over":                  {Spec{From: hour, Until: 2 * hour}, 2 * hour, instant.Never, instant.Never},
		"stays open":                  {Spec{From: hour, Until: instant.Never}, 99 * hour, hour, instant.Never},
		"none within the clock":       {Spec{From: instant.Never - 3, Until: instant.Never - 2, Every: hour}, instant.Never - 2, instant.Never, instant.Never},
		"every as long as the window": {Spec{From: 0, Until: hour, Every: hour}, hour, hour, 2 * hour},
	} {
		var o Windows
		o.Add(c.w)
		if from, until := o.View().At(0).Occurrence(c.after); from != c.from || until != c.until {
			t.Errorf("%s: found %v until %v", name, from, until)
		}
	}
}

func TestWindows_NamesByQueueUserAndGroup(t *testing.T) {
	var o Windows
	o.Add(Spec{ID: "w", Queues: []string{"root.a"}, Users: []string{"ann"}, Groups: []string{"g"}})
	o.Add(Spec{ID: "maintenance"})
	for _, c := range []struct {
		queue, user string
		groups      []string
		names       bool
	}{
		{"root.a", "bob", nil, true}, {"root.a.b", "bob", nil, true}, {"root.ab", "bob", nil, false}, {"root", "bob", nil, false},
		{"root.b", "ann", nil, true}, {"root.b", "bob", []string{"h", "g"}, true},
	} {
		if o.View().At(0).Names(c.queue, c.user, c.groups) != c.names || o.View().At(1).Names(c.queue, c.user, c.groups) {
			t.Errorf("%+v", c)
		}
	}
}

func TestWindows_NodesLeaveAndJoinAgain(t *testing.T) {
	var o Windows
	o.Add(Spec{ID: "a", Nodes: []string{"n1"}})
	o.Add(Spec{ID: "b", Nodes: []string{"n1", "n2"}})
	o.Join(4, "n1", noAttributes)
	o.Join(5, "n3", noAttributes)
	on := func(slot int32) []int32 { return o.View().On(slot).Clone() }
	if !slices.Equal(on(4), []int32{0, 1}) || len(on(5)) != 0 || len(on(99)) != 0 {
		t.Errorf("found %v, %v", on(4), on(5))
	}
	o.Leave(4)
	if len(on(4)) != 0 {
		t.Errorf("found %v", on(4))
	}
	o.Join(6, "n1", noAttributes)
	if !slices.Equal(on(6), []int32{0, 1}) {
		t.Errorf("found %v", on(6))
	}
}

func TestWindows_ForksAreIndependent(t *testing.T) {
	var o Windows
	o.Add(Spec{ID: "a", From: hour, Until: 2 * hour})
	fork, version := o.Clone(), o.View().Version()
	o.Open(0)
	o.Add(Spec{ID: "b"})
	o.Remove(0)
	if f := fork.View(); f.Len() != 1 || f.At(0).ID() != "a" || f.At(0).IsOpen() || f.Version() != version {
		t.Errorf("found %d windows", f.Len())
	}
	if v := o.View(); v.Len() != 1 || v.Find("a") != -1 || v.Version() == version {
		t.Errorf("found %d windows", v.Len())
	}
}
