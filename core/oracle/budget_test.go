package oracle_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/scheduler"
)

// A machine whose searches for victims are interrupted after every step makes the same decisions as one without interruptions.
func TestTheBudgetOfASearchDecidesNothing(t *testing.T) { budgetDecidesNothing(t, scenarios()) }

func budgetDecidesNothing(t *testing.T, drawn *rapid.Generator[scenario]) {
	rapid.Check(t, func(t *rapid.T) {
		hasty := scheduler.New(core.Options{SearchSteps: 1})
		r := &lockstepRun{t: t, scenario: drawn.Draw(t, "scenario"), machines: []dumper{newMachine(), hasty}}
		r.check = r.sameToTheLetter
		r.run()
	})
}

// counting answers for predicates. The answers depend on the number of calls, and some calls fail.
type counting struct {
	asked []question
}

// question is one question to a predicate.
type question struct {
	Predicate, About, Without string
}

// of returns options with which a machine asks the predicates.
func (c *counting) of(steps int) core.Options {
	return core.Options{SearchSteps: steps, Evaluator: func(a core.Announcement) policy.Evaluator { return counted{c, a.Name} }}
}

// counted is one of the predicates.
type counted struct {
	*counting
	name string
}

// Eval implements policy.Evaluator.
func (c counted) Eval(b *policy.Batch) error {
	names := make([]string, 0, len(b.Rows))
	for i, row := range b.Rows {
		names = append(names, b.Items.Name(row))
		b.Out[int(row)*b.Keys] = float64((len(c.asked)*7 + i*3) % 3)
	}
	c.asked = append(c.asked, question{c.name, strings.Join(names, " "), strings.Join(b.Gone, " ")})
	if len(c.asked)%97 == 0 {
		return errors.New("out of order")
	}
	return nil
}

// A machine whose searches are interrupted asks the same questions in the same order as one without interruptions. A record does not contain
// the interruptions, and a replay of it may be interrupted at other points.
func TestTheBudgetOfASearchAsksPredicatesNothingElse(t *testing.T) {
	for name, drawn := range map[string]*rapid.Generator[scenario]{
		"any": scenarios(), "several partitions": rapid.Custom(drawPartitions), "atomic gangs": atomicScenarios(), "gangs of both kinds": mixedScenarios(), "everything": wholeScenarios(),
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { asksTheSame(t, drawn.Draw(t, "scenario")) })
		})
	}
}

func asksTheSame(t *rapid.T, s scenario) {
	odds := pick(t, "predicated", 2, 4, 16)
	for _, step := range s.steps {
		if in := step.input; in != nil && in.Type() == core.AskAdd && chance(t, "predicate", odds) {
			in.Ask().Predicate = pick(t, "of", "fits", "apart"+policy.PlacementMark, "alone"+policy.DepartureMark)
		}
	}
	patient, hasty := &counting{}, &counting{}
	r := &lockstepRun{t: t, scenario: s, machines: []dumper{scheduler.New(patient.of(0)), scheduler.New(hasty.of(pick(t, "steps", 1, 1, 5, 30, 200)))}}
	r.check = func(call string, returns []outcome) {
		if d := listDifference("question", patient.asked, hasty.asked); d != "" {
			r.fail("%s: in slices other questions are asked: %s", call, d)
		}
		r.sameToTheLetter(call, returns)
	}
	r.run()
}
