package config

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
)

// decode reads queues below root, written as a YAML list in one line.
func decode(t *testing.T, queues string) *Config {
	t.Helper()
	c, err := Decode([]byte("partitions: [{queues: "+queues+"}]"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// at returns a queue by its names below root.
func at(t *testing.T, c *Config, names ...string) *Queue {
	t.Helper()
	q := c.Partitions[0].Root
	for _, name := range names {
		var below *Queue
		for _, child := range q.Children {
			if child.Name == name {
				below = child
			}
		}
		if below == nil {
			t.Fatalf("no %s in %s", name, q.Path)
		}
		q = below
	}
	return q
}

func TestDefaultIsOneLeaf(t *testing.T) {
	c := Default().Partitions[0]
	if c.Root.Path != "root" || c.Root.Leaf || len(c.Root.Children) != 1 {
		t.Fatalf("%+v", c.Root)
	}
	leaf := c.Root.Children[0]
	if leaf.Path != "root.default" || !leaf.Leaf || leaf.AppSort != FIFO || !leaf.PrioritySort || leaf.PreemptionDelay != DefaultPreemptionDelay {
		t.Errorf("%+v", leaf)
	}
	if c.Name != "default" || !c.PreemptionEnabled || c.ReservationDelay != DefaultReservationDelay || c.NodeSort.Policy != Fair {
		t.Errorf("%+v", c)
	}
	want := []Weight{{"memory", 1000}, {"vcore", 1000}}
	if !reflect.DeepEqual(c.NodeSort.Weights, want) {
		t.Errorf("weights %v", c.NodeSort.Weights)
	}
}

func TestBothFormatsGiveEqualConfigurations(t *testing.T) {
	for _, name := range []string{"every-key", "model"} {
		var read [2]*Config
		for i, format := range []Format{YAML, TOML} {
			text, err := os.ReadFile("testdata/" + name + "." + string(format))
			if err != nil {
				t.Fatal(err)
			}
			if read[i], err = Decode(text, Options{Format: format}); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(withoutPlaces(read[0]), withoutPlaces(read[1])) {
			t.Errorf("%s\nand\n%s", read[0].Print(), read[1].Print())
		}
	}
}

func TestEndsOfLinesMakeNoDifference(t *testing.T) {
	for _, format := range []Format{YAML, TOML} {
		text := wideTree(format, 2, 3)
		c, err := Decode(text, Options{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		windows := bytes.ReplaceAll(append(text, "checksum: x\n"...), []byte("\n"), []byte("\r\n"))
		if again, err := Decode(windows, Options{Format: format}); err != nil || !reflect.DeepEqual(c, again) {
			t.Errorf("%s: %v", format, err)
		}
	}
}

func TestLargeTreesAreEqualInBothFormats(t *testing.T) {
	y, err := Decode(wideTree(YAML, 5, 7), Options{})
	if err != nil {
		t.Fatal(err)
	}
	o, err := Decode(wideTree(TOML, 5, 7), Options{Format: TOML})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(y, o) {
		t.Error("they differ")
	}
}

func TestTheNormalFormIsReadBackAndStays(t *testing.T) {
	text, err := os.ReadFile("testdata/every-key.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Decode(text, Options{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Decode(c.Print(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(c, again) || string(again.Print()) != string(c.Print()) {
		t.Errorf("%s\nbecame\n%s", c.Print(), again.Print())
	}
}

func TestTextsOfEveryKindSurviveTheNormalForm(t *testing.T) {
	texts := []string{"", " ", "null", "Yes", "~", "1", "1e3", "- a", "a: b", "#", "a #b", "é", "\u0085\u2028\ufeff", "\x01\t\n", `"\`,
		"'", "*a", "&a", "!a", "2001-01-01", "0x1", ".5", "a.b/c_d-e", "😀", "<<", "=", "%", "@"}
	c := Default()
	q := c.Partitions[0].Root.Children[0]
	q.Properties = map[string]string{}
	for _, text := range texts {
		q.Properties["x."+text] = text
	}
	again, err := Decode(c.Print(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := again.Partitions[0].Root.Children[0].Properties; !maps.Equal(got, q.Properties) {
		t.Errorf("got %q", got)
	}
}

func TestProperties_InheritedUnlessForOneQueue(t *testing.T) {
	c := decode(t, `[{name: root, properties: {application.sort.policy: fair, preemption.delay: 10s, my.own: a,
		priority.policy: fence, priority.offset: 7, preemption.policy: disabled}, queues: [
		{name: a, properties: {priority.policy: fence, priority.offset: 5, my.own: b, preemption.intra-queue: enabled, preemption.gangs: member, preemption.surplus: disabled}, queues: [
			{name: b, properties: {preemption.delay: 1m}}]},
		{name: c}]}]`)
	root, a, b, other := c.Partitions[0].Root, at(t, c, "a"), at(t, c, "a", "b"), at(t, c, "c")
	if root.PriorityFence || root.PriorityOffset != 0 || root.PreemptionPolicy != PreemptionDefault {
		t.Errorf("these have no effect on root: %+v", root)
	}
	if !a.PriorityFence || a.PriorityOffset != 5 || a.PreemptionPolicy != PreemptionDefault || a.PreemptionDelay != instant.Delay(10*time.Second) {
		t.Errorf("%+v", a)
	}
	if b.PriorityFence || b.PriorityOffset != 0 || b.PreemptionDelay != instant.Delay(time.Minute) || !b.IntraQueue || !b.GangsByMember || !b.KeepsSurplus || b.AppSort != Fair {
		t.Errorf("%+v", b)
	}
	want := map[string]string{"application.sort.policy": "fair", "preemption.delay": "1m", "my.own": "b", "preemption.intra-queue": "enabled", "preemption.gangs": "member", "preemption.surplus": "disabled"}
	if !maps.Equal(b.Inherited, want) {
		t.Errorf("in force in b: %v", b.Inherited)
	}
	want = map[string]string{"application.sort.policy": "fair", "preemption.delay": "10s", "my.own": "a"}
	if !maps.Equal(other.Inherited, want) || other.Properties != nil {
		t.Errorf("in force in c: %v", other.Inherited)
	}
}

func TestDisabledPrioritySortComesDownUntilItIsEnabled(t *testing.T) {
	c := decode(t, `[{name: a, properties: {application.sort.priority: DISABLED}, queues: [
		{name: b, queues: [{name: c}]},
		{name: d, properties: {application.sort.priority: enabled}, queues: [{name: e}]}]}]`)
	for path, want := range map[string]bool{"a": false, "a.b": false, "a.b.c": false, "a.d": true, "a.d.e": true} {
		if got := at(t, c, strings.Split(path, ".")...).PrioritySort; got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	if _, ok := at(t, c, "a", "d", "e").Inherited["application.sort.priority"]; ok {
		t.Error("enabled is not inherited")
	}
}

func TestDisabledPreemptionCannotBeUndoneBelow(t *testing.T) {
	c := decode(t, `[{name: a, properties: {preemption.policy: disabled}, queues: [
		{name: b, properties: {preemption.policy: fence}, queues: [{name: c, properties: {preemption.policy: default}}]}]},
		{name: d, properties: {preemption.policy: fence}, queues: [{name: e}]}]`)
	want := map[string]string{"a": "disabled", "a.b": "disabled", "a.b.c": "disabled", "d": "fence", "d.e": "default"}
	for path, want := range want {
		if got := at(t, c, strings.Split(path, ".")...).PreemptionPolicy; got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
	if got := at(t, c, "a", "b", "c").Inherited["preemption.policy"]; got != "disabled" {
		t.Errorf("in force: %s", got)
	}
}

func TestReservationDelayCountsOnRootAlone(t *testing.T) {
	for text, want := range map[string]time.Duration{"0s": 0, "0": 0, "5s": 5 * time.Second, "soon": 2 * time.Second, "-1s": 2 * time.Second} {
		c := decode(t, "[{name: root, properties: {reservation.delay: "+text+"}, queues: [{name: a, properties: {reservation.delay: 9s}}]}]")
		if c.Partitions[0].ReservationDelay != instant.Delay(want) {
			t.Errorf("%s: %s", text, c.Partitions[0].ReservationDelay)
		}
	}
}

func TestParentTrueMakesAParentWithoutChildren(t *testing.T) {
	c := decode(t, "[{name: a, parent: true}, {name: b, parent: false, queues: [{name: c}]}, {name: d}]")
	if at(t, c, "a").Leaf || at(t, c, "b").Leaf || !at(t, c, "d").Leaf {
		t.Error("only d is a leaf")
	}
	if root := decode(t, "[{name: root}]").Partitions[0].Root; root.Leaf {
		t.Error("root is a parent always")
	}
}

func TestAnEmptyMaxDiffersFromZero(t *testing.T) {
	q := at(t, decode(t, "[{name: a, resources: {max: {gpu: 0}}}]"), "a")
	if zero, ok := q.Max.Value("gpu"); !ok || zero != 0 {
		t.Errorf("%v", q.Max)
	}
	want := resource.NewSet(resource.Quantity{Type: "gpu"})
	if !reflect.DeepEqual(q.Max, want) || q.Guaranteed != nil {
		t.Errorf("%v", q)
	}
}

func TestNamesOfLoadedPolicies(t *testing.T) {
	loaded := func(point, name string) bool { return point == "app.order" && (name == "drf" || name == "Age") }
	decode := func(property, name string) (*Config, error) {
		return Decode([]byte("partitions: [{queues: [{name: a, properties: {"+property+": "+name+"}}]}]"), Options{Policies: loaded})
	}
	for name, want := range map[string]string{"drf": "drf", "DRF": "drf", "Age": "Age", "FIFO": FIFO} {
		c, err := decode("application.sort.policy", name)
		if err != nil {
			t.Fatal(err)
		}
		if got := at(t, c, "a").AppSort; got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if _, err := decode("ask.sort.policy", "drf"); err == nil {
		t.Error("a policy serves its own points only")
	}
}

func TestAKnownPropertyWithoutAValueIsUnset(t *testing.T) {
	want := decode(t, "[{name: root, queues: [{name: a}]}]")
	for _, k := range propertyKeys() {
		c := decode(t, "[{name: root, properties: {"+k.Key+": null}, queues: [{name: a, properties: {"+k.Key+": ~}}]}]")
		for path, q := range map[string]*Queue{"root": c.Partitions[0].Root, "root.a": c.Partitions[0].Root.Children[0]} {
			if len(q.Properties)+len(q.Inherited)+len(c.Warnings) > 0 {
				t.Errorf("%s of %s: expected nothing set and no warning, found %v and %v", k.Key, path, q.Inherited, c.Warnings)
			}
			q.Properties, q.Inherited = nil, nil
		}
		if !reflect.DeepEqual(c, want) {
			t.Errorf("%s: expected %s, found %s", k.Key, want.Print(), c.Print())
		}
	}
	if own, ok := at(t, decode(t, "[{name: a, properties: {my.own: }}]"), "a").Properties["my.own"]; !ok || own != "" {
		t.Errorf("expected an empty text for policies, found %q, %v", own, ok)
	}
}

func TestErrorsAreFoundOneByOne(t *testing.T) {
	_, err := Decode([]byte("partitions: [{queues: [{name: a, x: 1, y: 2}]}]"), Options{File: "f"})
	var first *Error
	if !errors.As(err, &first) || first.Key != "x" || first.Queue != "root.a" || first.Line != 1 || first.Column != 34 {
		t.Errorf("%+v", first)
	}
	if all, ok := err.(Errors); !ok || len(all) != 2 {
		t.Errorf("%v", err)
	}
}

func TestWhatIsUsualIsReadTheFastWay(t *testing.T) {
	if v, line, _ := readPlainYAML(string(wideTree(YAML, 2, 3))); v == nil {
		t.Errorf("YAML: not from line %d on", line)
	}
	if s := scanTOML(string(wideTree(TOML, 2, 3)), queueBounds()); !s.plain {
		t.Error("TOML")
	}
}
