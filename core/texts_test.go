package core_test

import (
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

func TestTextTooLong_EachNameChecked(t *testing.T) {
	ask := func(name string) []core.AddAsk {
		return []core.AddAsk{
			{ID: name}, {App: name}, {Resources: resource.Set{{Type: name, Value: 1}}},
			{Ask: core.Ask{Node: name}}, {Ask: core.Ask{Predicate: name}}, {Ask: core.Ask{TaskGroup: name}}, {Ask: core.Ask{Gang: &core.Gang{ID: name}}},
		}
	}
	app := func(name string) []core.AddApp {
		return []core.AddApp{
			{ID: name}, {Partition: name}, {User: name}, {Groups: []string{"g", name}},
			{Placeholders: &core.Placeholders{Ask: resource.Set{{Type: name, Value: 1}}}},
		}
	}
	for bytes, tooLong := range map[int]bool{core.MostName - 8: false, core.MostName: false, core.MostName + 1: true} {
		name := strings.Repeat("x", bytes)
		for i, e := range ask(name) {
			if message := core.TextTooLong(&e); (message != "") != tooLong {
				t.Errorf("ask %d with a name of %d bytes: %q", i, bytes, message)
			}
		}
		for i, e := range app(name) {
			if message := core.TextTooLong(&e); (message != "") != tooLong {
				t.Errorf("application %d with a name of %d bytes: %q", i, bytes, message)
			}
		}
	}
}

func TestTextTooLong_OtherTextsSummed(t *testing.T) {
	text := strings.Repeat("x", core.MostTexts)
	for what, e := range map[string]core.Event{
		"queue":      &core.AddApp{Queue: text + "x"},
		"tag":        &core.AddApp{Tags: map[string]string{"t": text}},
		"constraint": &core.AddAsk{Ask: core.Ask{Constraints: map[string][]string{"a": {text}}}},
	} {
		if core.TextTooLong(e) == "" {
			t.Errorf("a %s of %d bytes is accepted", what, core.MostTexts)
		}
	}
	if message := core.TextTooLong(&core.AddApp{Queue: text, Tags: map[string]string{}}); message != "" {
		t.Errorf("%d bytes together: %s", core.MostTexts, message)
	}
}
