package features

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"testing/fstest"
	"time"

	"github.com/cucumber/godog"
)

// Status is how a step or a scenario went, in the words of Cucumber.
type Status string

// The statuses. A scenario that was not run has none.
const (
	StatusPassed    Status = "passed"
	StatusFailed    Status = "failed"
	StatusUndefined Status = "undefined" // no sentence is like that
	StatusAmbiguous Status = "ambiguous" // several are
	StatusPending   Status = "pending"
	StatusSkipped   Status = "skipped" // a step before did not pass, or it needs what is not there
)

// PlayedStep is a step of a scenario, and how it went.
type PlayedStep struct {
	Line    int      `json:"line"`
	Keyword string   `json:"keyword"`
	Text    string   `json:"text"`
	Status  Status   `json:"status,omitempty"`
	Message string   `json:"message,omitempty"` // why it did not pass
	Nearest string   `json:"nearest,omitempty"` // of an undefined step: the form of the sentence that is most like it
	nearest []string // likewise, the best few
}

// Played is a scenario, or one line of examples of an outline, and how it went.
type Played struct {
	Name    string       `json:"name"`
	Line    int          `json:"line"`
	Example int          `json:"example,omitempty"` // the line of examples; 0: it is no outline
	Status  Status       `json:"status,omitempty"`
	Message string       `json:"message,omitempty"` // why it did not pass
	Steps   []PlayedStep `json:"steps"`
	id      string
	began   time.Time // by the clock; zero: not by Play, which has none
	ended   time.Time
}

// absent is what a scenario needs and this place has not.
type absent string

func (a absent) Error() string { return string(a) }

// Play runs the scenarios of a feature, or the one that begins in a line (0: all), where there is no host: no file, no
// output, no process. Scenarios that need one are skipped. A text that is no feature is a ParseErrors.
func Play(ctx context.Context, text string, line int, factory Factory) ([]*Played, error) {
	text = unmarked(text)
	list, err := Parse(text)
	if err != nil {
		return nil, err
	}
	const name = "play.feature"
	options := Options{Paths: []string{name}, Out: io.Discard, NewDriver: factory, files: noFiles}.withDefaults()
	if line > 0 {
		list = slices.DeleteFunc(list, func(p *Played) bool { return p.Line != line })
		options.Paths[0] += ":" + strconv.Itoa(line)
	}
	if len(list) == 0 {
		return list, nil
	}
	suite := options.suite()
	suite.Options.FS = fstest.MapFS{name: {Data: []byte(text)}}
	suite.Options.Format = FormatProgress
	suite.Options.DefaultContext = ctx
	begin := suite.ScenarioInitializer
	suite.ScenarioInitializer = func(sc *godog.ScenarioContext) {
		begin(sc)
		watch(sc, list)
	}
	suite.Run()
	for _, p := range list {
		p.conclude()
	}
	return list, nil
}

func noFiles(string) ([]byte, error) { return nil, absent("there are no files here") }

// watch notes how the steps of a scenario go.
func watch(sc *godog.ScenarioContext, list []*Played) {
	steps := map[string]*PlayedStep{}
	sc.Before(func(ctx context.Context, scenario *godog.Scenario) (context.Context, error) {
		i := slices.IndexFunc(list, func(p *Played) bool { return p.id == scenario.Id })
		for n, step := range scenario.Steps {
			steps[step.Id] = &list[i].Steps[n]
		}
		return ctx, nil
	})
	sc.StepContext().After(func(ctx context.Context, step *godog.Step, status godog.StepResultStatus, err error) (context.Context, error) {
		steps[step.Id].note(Status(status.String()), err)
		return ctx, nil
	})
}

// note keeps what Parse has found wrong with a step.
func (s *PlayedStep) note(status Status, err error) {
	var needs absent
	switch {
	case errors.As(err, &needs):
		s.Status, s.Message = StatusSkipped, needs.Error()
	case status == StatusFailed:
		s.Status, s.Message = status, err.Error()
	default:
		s.Status = status
	}
}

// conclude says of a scenario what its first step that did not pass says.
func (p *Played) conclude() {
	p.Status = StatusPassed
	if len(p.Steps) == 0 {
		p.Status, p.Message = StatusUndefined, "expected steps, found none"
	}
	for _, s := range p.Steps {
		if s.Status != StatusPassed {
			p.Status, p.Message = s.Status, s.Message
			return
		}
	}
}
