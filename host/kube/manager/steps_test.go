package manager

import (
	"reflect"
	"slices"
	"testing"
)

func TestSteps_Order(t *testing.T) {
	want := []string{"excessive sets of victims", "decisions", "bindings", "conditions", "evictions", "refused applications", "namespaces", "pod groups", "status of pod groups", "owners",
		"failed pods", "succeeded pods", "budgets", "priority classes", "nodes", "devices", "pods", "node updates", "protection"}
	var got []string
	for _, s := range turn {
		for _, before := range s.after {
			if !slices.Contains(got, before) {
				t.Errorf("%s needs the effects of %s, which comes later or does not exist", s.name, before)
			}
		}
		got = append(got, s.name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the order is %q, expected %q", got, want)
	}
}

// A step that adds pods to those that are looked at comes before they are.
func TestSteps_PodsComeAfterAllThatAddPods(t *testing.T) {
	looked := slices.IndexFunc(turn[:], func(s step) bool { return s.name == "pods" })
	for i, s := range turn {
		if adds := slices.Contains(s.reads, "pods") && s.name != "pods"; adds && i > looked {
			t.Errorf("%s adds pods after they were looked at", s.name)
		} else if adds && !slices.Contains(turn[looked].after, s.name) {
			t.Errorf("pods does not say that it comes after %s", s.name)
		}
	}
}

func TestSteps_ReadAllMail(t *testing.T) {
	read := map[string]bool{"failure": true} // ends the run
	for _, s := range turn {
		for _, field := range s.reads {
			read[field] = true
		}
	}
	kind := reflect.TypeFor[mail]()
	for i := range kind.NumField() {
		if name := kind.Field(i).Name; !read[name] {
			t.Errorf("no step reads %s", name)
		}
		delete(read, kind.Field(i).Name)
	}
	for name := range read {
		t.Errorf("a step reads %s, which mail does not have", name)
	}
}
