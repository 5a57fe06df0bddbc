package policy_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/policy"
)

func zero(*abi.Frame) error { return nil }

func example() *policy.Policy {
	return &policy.Policy{
		Manifest: abi.Manifest{Name: "example", Version: "1.0.0", Points: map[string]abi.Spec{
			"node.score": {Columns: []string{"free:vcore", "share:*", "attribute:rank=-1"}, Keys: 1, Depends: "row"},
		}},
		Points: map[string]func(*abi.Frame) error{"node.score": zero},
	}
}

func TestAMistakeIsSaidBeforeAnythingIsAsked(t *testing.T) {
	if err := example().Check(); err != nil {
		t.Fatal(err)
	}
	spec := func(change func(*abi.Spec)) func(*policy.Policy) {
		return func(p *policy.Policy) {
			s := p.Manifest.Points["node.score"]
			change(&s)
			p.Manifest.Points["node.score"] = s
		}
	}
	for says, wrong := range map[string]func(*policy.Policy){
		"the manifest has node.score: expected a function":           func(p *policy.Policy) { delete(p.Points, "node.score") },
		"there is a function for app.order: expected it in the mani": func(p *policy.Policy) { p.Points["app.order"] = zero },
		"expected one of queue.order":                                func(p *policy.Policy) { rename(p, "ask.score") },
		"name: expected small letters":                               func(p *policy.Policy) { p.Manifest.Name = "An Example" },
		"points: expected at least one":                              func(p *policy.Policy) { p.Manifest.Points, p.Points = nil, nil },
		"keys: expected 1 to 8, and 1 for nodes, found 2":            spec(func(s *abi.Spec) { s.Keys = 2 }),
		`expected row, siblings or, for nodes, ask, found ""`:        spec(func(s *abi.Spec) { s.Depends = "" }),
		`expected a kind of column, found "fre"`:                     spec(func(s *abi.Spec) { s.Columns[0] = "fre:vcore" }),
		"expected a column of this point, found one of queue.order":  spec(func(s *abi.Spec) { s.Columns[0] = "guaranteed:vcore" }),
		"expected type behind the colon":                             spec(func(s *abi.Spec) { s.Columns[0] = "free" }),
	} {
		p := example()
		wrong(p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("expected an error that says %q, found %v", says, err)
		}
	}
}

func TestColumns_HaveDefaults(t *testing.T) {
	p := example()
	p.Manifest.Points["ask.order"] = abi.Spec{Columns: []string{"walltime=-1", "ask:vcore=2"}, Keys: 1, Depends: "row"}
	p.Points["ask.order"] = zero
	if err := p.Check(); err != nil {
		t.Error(err)
	}
}

func rename(p *policy.Policy, point string) {
	p.Manifest.Points[point] = abi.Spec{Columns: []string{"free:vcore"}, Keys: 1, Depends: "row"}
	p.Points[point] = zero
}

func TestParametersHaveTheirTypesAndDefaults(t *testing.T) {
	declared := map[string]abi.Parameter{
		"number":  {Type: abi.Number, Default: 1},
		"integer": {Type: abi.Integer, Default: 2},
		"boolean": {Type: abi.Boolean, Default: true},
		"text":    {Type: abi.Text, Default: "zone"},
		"numbers": {Type: abi.Numbers, Default: []int{3, 4}},
		"weights": {Type: abi.Weights, Default: map[string]int{"vcore": 5, "memory": 6}},
	}
	p, err := policy.ReadParameters(declared, []byte(`{"number":0.5}`))
	if err != nil {
		t.Fatal(err)
	}
	if p.Number("number") != 0.5 || p.Integer("integer") != 2 || !p.Boolean("boolean") || p.Text("text") != "zone" {
		t.Errorf("found %+v", p)
	}
	if n := p.Numbers("numbers"); len(n) != 2 || n[1] != 4 {
		t.Errorf("numbers: expected 3 and 4, found %v", n)
	}
	if w := p.Weights("weights"); len(w) != 2 || w[0] != (policy.Weight{Name: "memory", Value: 6}) {
		t.Errorf("weights: expected memory first, found %v", w)
	}
	defer func() {
		if said := recover(); said == nil || !strings.Contains(said.(string), `expected a parameter "number" of type text`) {
			t.Errorf("expected a panic that names the parameter, found %v", said)
		}
	}()
	p.Text("number")
}

func TestParametersThatWereNotDeclaredAreRefused(t *testing.T) {
	declared := map[string]abi.Parameter{"number": {Type: abi.Number, Default: 1}}
	for _, object := range []string{`{"nummer":1}`, `{"number":"1"}`, `[]`, `{`, `{"number":1}{}`} {
		if _, err := policy.ReadParameters(declared, []byte(object)); err == nil {
			t.Errorf("%s: expected an error", object)
		}
	}
}

func TestServer_FollowsTheOrderOfTheContract(t *testing.T) {
	p := example()
	p.Configure = func(policy.Parameters) error { return errors.New("too big") }
	s, err := policy.New(p)
	if err != nil {
		t.Fatal(err)
	}
	f := &abi.Frame{}
	if err := s.Answer("node.score", f); policy.Code(err) != abi.CannotServe {
		t.Errorf("before it was configured: expected code %d, found %v", abi.CannotServe, err)
	}
	if err := s.Configure([]byte(`{}`)); policy.Code(err) != abi.BadConfig || !strings.Contains(err.Error(), "too big") {
		t.Errorf("expected code %d and the policy's words, found %v", abi.BadConfig, err)
	}
	p.Configure = nil
	if err := s.Configure([]byte(`{}`)); err != nil {
		t.Fatal(err)
	}
	if err := s.Answer("app.order", f); policy.Code(err) != abi.CannotServe {
		t.Errorf("a point that is not declared: expected code %d, found %v", abi.CannotServe, err)
	}
	if err := s.Answer("node.score", f); err != nil {
		t.Error(err)
	}
}

func TestAskingAgainDoesNotAllocate(t *testing.T) {
	l, err := abi.Lay(abi.Shape{Rows: 8, Asked: 1, Keys: 1, Columns: make([]abi.Column, 5)})
	if err != nil {
		t.Fatal(err)
	}
	bytes := make([]byte, l.Size)
	l.PutHeader(bytes, 1, 0)
	f, mean, sum := &abi.Frame{}, &policy.WeightedMean{}, 0.0
	if err := mean.Configure([]policy.Weight{{Name: "vcore", Value: 1}}); err != nil {
		t.Fatal(err)
	}
	ask := func() {
		if err := f.Reset(bytes); err != nil {
			t.Fatal(err)
		}
		mean.Open(f, 0)
		f.Answer(f.Row(0), 0, f.Column(4).At(f.Row(0))+mean.At(0))
		sum += f.Answered(0, 0)
	}
	if n := testing.AllocsPerRun(100, ask); n != 0 {
		t.Errorf("expected no allocation, found %v", n)
	}
}
