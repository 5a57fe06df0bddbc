package server_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
)

// types is one of each of some resource types.
func types(prefix string, n int) resource.Set {
	var list []resource.Quantity
	for i := range n {
		list = append(list, resource.Quantity{Type: fmt.Sprint(prefix, i), Value: 1})
	}
	return resource.NewSet(list...)
}

func askFor(id string, amounts resource.Set) core.Input {
	return core.Input{Event: &core.AddAsk{ID: id, App: "a", Resources: amounts}}
}

func nodeWith(id string, amounts resource.Set) core.Input {
	return core.Input{Event: &core.AddNode{ID: id, Capacity: amounts}}
}

// limited is a machine whose scheduler has few names, with an application.
func limited(t *testing.T, limits server.NameLimits) *livetest.Machine {
	t.Helper()
	m := livetest.NewMachine()
	begin(t, m, limits)
	t.Cleanup(func() {
		if err := m.Stop(); err != nil {
			t.Error(err)
		}
	})
	accept(t, m, core.Input{Event: &core.AddApp{ID: "a", Queue: "root.default"}})
	return m
}

func begin(t *testing.T, m *livetest.Machine, limits server.NameLimits) {
	t.Helper()
	if err := m.Start(func(o *server.Options) { o.Names = limits }); err != nil {
		t.Fatal(err)
	}
}

func send(t *testing.T, m *livetest.Machine, inputs ...core.Input) (server.Answer, error) {
	t.Helper()
	source := m.Source()
	defer source.Close()
	given, err := source.Submit(t.Context(), &server.Request{Inputs: inputs})
	if err == nil {
		err = m.View().Await(t.Context(), given.Batch)
	}
	return given, err
}

func accept(t *testing.T, m *livetest.Machine, inputs ...core.Input) {
	t.Helper()
	if given, err := send(t, m, inputs...); err != nil || given.Refused {
		t.Fatalf("refused: %v, %s", err, given.Decisions)
	}
}

// refuse expects an input to be refused for its names.
func refuse(t *testing.T, m *livetest.Machine, expected string, inputs ...core.Input) {
	t.Helper()
	_, err := send(t, m, inputs...)
	if !errors.Is(err, server.ErrTooManyNames) || err.Error() != expected {
		t.Errorf("expected %s\nfound    %v", expected, err)
	}
}

func TestTypes_HalfByAsksHalfByNodes(t *testing.T) {
	m := limited(t, server.NameLimits{Types: 6})
	accept(t, m, askFor("w1", types("ask", 3)))
	refuse(t, m, `input 2: resources: the resource type "other0" is new, and 3 are known: applications and asks may add more only while fewer than 3 are (--max-resource-types 6)`,
		askFor("w2", types("ask", 2)), askFor("w3", types("other", 1)))
	refuse(t, m, `input 1: placeholder_ask: the resource type "other0" is new, and 3 are known: applications and asks may add more only while fewer than 3 are (--max-resource-types 6)`,
		core.Input{Event: &core.AddApp{ID: "gang", Queue: "root.default", Placeholders: &core.Placeholders{Ask: types("other", 1)}}})
	refuse(t, m, `input 1: tags: the resource type "other0" is new, and 3 are known: applications and asks may add more only while fewer than 3 are (--max-resource-types 6)`,
		core.Input{Event: &core.AddApp{ID: "tagged", Queue: "root.default", Tags: map[string]string{"namespace.resourcequota": `{"other0":"1"}`}}})
	accept(t, m, nodeWith("n1", types("node", 3)), askFor("w4", types("node", 3)))
	refuse(t, m, `input 1: capacity: the resource type "other0" is new, and 6 are known: nodes may add more only while fewer than 6 are (--max-resource-types 6)`, nodeWith("n2", types("other", 1)))
	m.View().Read(func(s *scheduler.Scheduler) {
		if _, there := s.Ask("w2"); there {
			t.Error("a part of a refused request was applied")
		}
		if found, _ := s.Names(); len(found) != 6 {
			t.Errorf("the scheduler knows %v", found)
		}
	})
}

func TestNamesThatTheSchedulerDidNotTakeMakeRoomAgain(t *testing.T) {
	m := limited(t, server.NameLimits{Types: 4, Predicates: 1})
	unknown := askFor("w1", types("lost", 2))
	unknown.Ask().App = "nowhere"
	if given, err := send(t, m, unknown); err != nil || !given.Refused {
		t.Fatalf("found %+v, %v", given, err)
	}
	refuse(t, m, `input 1: resources: the resource type "new0" is new, and 2 are known: applications and asks may add more only while fewer than 2 are (--max-resource-types 4)`, askFor("w2", types("new", 2)))
	m.Clock.Set(time.Hour)
	accept(t, m, askFor("w2", types("new", 2)))
}

func TestPredicatesAreLimitedByWhatAsksName(t *testing.T) {
	m := limited(t, server.NameLimits{Predicates: 2})
	ask := func(id, predicate string) core.Input {
		in := askFor(id, types("vcore", 1))
		in.Ask().Predicate = predicate
		return in
	}
	accept(t, m, ask("w1", "rm/p"), ask("w2", "rm/q"), ask("w3", "rm/q"))
	full := `input 1: predicate: the predicate "rm/r" is new, and 2 are known, which is the limit (--max-predicates 2)`
	refuse(t, m, full, ask("w4", "rm/r"))
	accept(t, m, core.Input{Event: &core.RemoveAsk{ID: "w1"}})
	m.Clock.Set(time.Hour)
	accept(t, m, ask("w4", "rm/r"))
	m.Clock.Set(2 * time.Hour)
	refuse(t, m, strings.ReplaceAll(full, "rm/r", "rm/p"), ask("w5", "rm/p"))
}

func TestARecordWithMoreNamesThanTheLimitOpens(t *testing.T) {
	m := limited(t, server.NameLimits{})
	accept(t, m, nodeWith("n1", types("gpu", 50)), askFor("w1", types("gpu", 50)))
	for range 2 { // from its inputs, and from a snapshot
		if err := m.Stop(); err != nil {
			t.Fatal(err)
		}
		begin(t, m, server.NameLimits{Types: 10})
	}
	accept(t, m, askFor("w2", types("gpu", 50)))
	refuse(t, m, `input 1: capacity: the resource type "fpga0" is new, and 50 are known: nodes may add more only while fewer than 10 are (--max-resource-types 10)`, nodeWith("n2", types("fpga", 1)))
}

func TestAWhatIfHasTheSameLimits(t *testing.T) {
	m := limited(t, server.NameLimits{Types: 4})
	_, err := m.WhatIf(t.Context(), []core.Input{askFor("w1", types("x", 3))})
	var refused *server.NameError
	if !errors.As(err, &refused) || refused.Input != 1 || refused.Key != "resources" {
		t.Errorf("found %v", err)
	}
	if lines, err := m.WhatIf(t.Context(), []core.Input{nodeWith("n1", types("x", 4)), askFor("w1", types("x", 4))}); err != nil || len(lines) < 2 {
		t.Errorf("found %s, %v", lines, err)
	}
}

func TestInputsWithTooManyNamesCanBeLeftOut(t *testing.T) {
	m := limited(t, server.NameLimits{Types: 4})
	source := m.Source()
	defer source.Close()
	inputs := []core.Input{askFor("w1", types("x", 2)), askFor("w2", types("y", 1)), askFor("w3", types("x", 1)), askFor("w4", types("z", 1))}
	given, err := source.Submit(t.Context(), &server.Request{Inputs: inputs, Omits: true})
	if err != nil || given.Last != given.First+1 || !given.Refused || len(given.Omitted) != 2 || given.Omitted[0].Input != 2 || given.Omitted[1].Input != 4 {
		t.Fatalf("found %+v, %v", given, err)
	}
	if len(inputs) != 4 || inputs[1].ID() != "w2" {
		t.Errorf("the request is another now: %+v", inputs)
	}
	given, err = source.Submit(t.Context(), &server.Request{Inputs: inputs[1:2], Omits: true})
	if err != nil || len(given.Omitted) != 1 || given.Last != given.First-1 {
		t.Errorf("found %+v, %v", given, err)
	}
}

func TestARefusedRequestLeavesNoNames(t *testing.T) {
	m := limited(t, server.NameLimits{Types: 4})
	for range 3 {
		refuse(t, m, `input 2: resources: the resource type "y0" is new, and 2 are known: applications and asks may add more only while fewer than 2 are (--max-resource-types 4)`,
			askFor("w1", types("x", 2)), askFor("w2", types("y", 1)))
	}
	accept(t, m, askFor("w1", types("z", 2)))
}

func TestANewNameThatIsTooLongIsRefused(t *testing.T) {
	m := limited(t, server.NameLimits{})
	long := strings.Repeat("x", 1025)
	in := askFor("w1", types("vcore", 1))
	in.Ask().Predicate = long
	refuse(t, m, "input 1: predicate: expected a name of at most 1024 bytes, found 1025", in)
	refuse(t, m, "input 1: capacity: expected a name of at most 1024 bytes, found 1025", nodeWith("n1", resource.NewSet(resource.Quantity{Type: long, Value: 1})))
	accept(t, m, nodeWith("n1", resource.NewSet(resource.Quantity{Type: long[1:], Value: 1})))
}
