package core_test

import (
	"reflect"
	"testing"

	"github.com/quern-project/quern/core"
)

func TestEvents_HaveNamesOfTheirOwn(t *testing.T) {
	seen := map[core.InputType]core.Event{}
	for _, e := range core.Events() {
		if other := seen[e.Type()]; other != nil || e.Type() == "" {
			t.Errorf("%T: the name %q is that of %T", e, e.Type(), other)
		}
		seen[e.Type()] = e
	}
}

// A cloned input has its own copy of the event, equal to the one that the caller reuses.
func TestInput_CloneHasItsOwnEvent(t *testing.T) {
	for _, e := range core.Events() {
		if id := reflect.ValueOf(e).Elem().FieldByName("ID"); id.IsValid() {
			id.SetString("some")
		}
		in := core.Input{At: 1, By: "ann", Event: e}
		clone := in.Clone()
		if !reflect.DeepEqual(in, clone) {
			t.Errorf("%s: expected %+v, found %+v", e.Type(), in, clone)
		}
		if _, empty := e.(*core.Tick); clone.Event == e && !empty {
			t.Errorf("%s: the clone has the event itself", e.Type())
		}
	}
}

func TestInput_AsksOfEvents(t *testing.T) {
	pending, placed := &core.AddAsk{ID: "a"}, &core.RestoreAllocation{AddAsk: core.AddAsk{ID: "b"}, PlacedOn: "n"}
	for in, want := range map[*core.Input]string{{Event: pending}: "a", {Event: placed}: "b", {Event: &core.RemoveAsk{ID: "c"}}: "", {}: ""} {
		found := ""
		if ask := in.Ask(); ask != nil {
			found = ask.ID
		}
		if found != want {
			t.Errorf("%s: expected the ask %q, found %q", in.Type(), want, found)
		}
	}
}
