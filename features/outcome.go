package features

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	messages "github.com/cucumber/messages/go/v21"

	"github.com/cucumber/godog"
)

// outcome is how a run went, by file, as its formatters report it.
type outcome struct {
	started time.Time
	seed    int64 // of the order; 0: as written
	files   []playedFile
}

// playedFile is a feature file and its scenarios, in the order in which they stand.
type playedFile struct {
	path, feature string
	scenarios     []*Played
}

// outcomeOf reads what a formatter has been told of a run that is over.
func outcomeOf(f *godog.BaseFmt) outcome {
	run := outcome{started: f.Storage.MustGetTestRunStarted().StartedAt}
	run.seed, _ = strconv.ParseInt(os.Getenv("GODOG_SEED"), 10, 64) // where the library leaves it
	started := map[string]time.Time{}
	for _, r := range f.Storage.MustGetPickleResults() {
		started[r.PickleID] = r.StartedAt
	}
	vocabulary := newMatcher()
	for _, feature := range f.Storage.MustGetFeatures() {
		path, _ := fileOf(feature.Uri)
		file := playedFile{path: path, feature: feature.Feature.Name}
		results := newResults(f, feature.Feature, vocabulary)
		for _, pickle := range f.Storage.MustGetPickles(feature.Uri) {
			p := results.of(pickle)
			p.began = started[pickle.Id]
			if p.ended.Before(p.began) {
				p.ended = p.began
			}
			file.scenarios = append(file.scenarios, p)
		}
		slices.SortFunc(file.scenarios, func(a, b *Played) int { return number(a.id) - number(b.id) })
		run.files = append(run.files, file)
	}
	slices.SortFunc(run.files, func(a, b playedFile) int { return strings.Compare(a.path, b.path) })
	return run
}

// results reads how the scenarios of a feature went from what a formatter has been told.
type results struct {
	format     *godog.BaseFmt
	places     places
	vocabulary *matcher
}

func newResults(f *godog.BaseFmt, feature *messages.Feature, vocabulary *matcher) *results {
	r := &results{f, places{}, vocabulary}
	r.places.feature(feature)
	return r
}

// of is a scenario that is over.
func (r *results) of(pickle *messages.Pickle) *Played {
	p := r.places.scenarioOf(pickle)
	for _, s := range r.format.Storage.MustGetPickleStepResultsByPickleID(pickle.Id) {
		i := slices.IndexFunc(pickle.Steps, func(step *godog.Step) bool { return step.Id == s.PickleStepID })
		p.Steps[i].conclude(Status(s.Status.String()), s.Err, r.vocabulary)
		if s.FinishedAt.After(p.ended) {
			p.ended = s.FinishedAt
		}
	}
	p.conclude()
	return p
}

// number is that of an ID that godog gave.
func number(id string) int {
	n, _ := strconv.Atoi(id) // digits
	return n
}

// conclude notes how a step went. The vocabulary is asked only about steps that it cannot tell: to match one takes long.
func (s *PlayedStep) conclude(status Status, err error, vocabulary *matcher) {
	if status == StatusUndefined || status == StatusAmbiguous {
		*s = vocabulary.match(*s)
		return
	}
	s.Status = status
	if err != nil {
		s.Message = err.Error()
	}
}

// failed are the steps that kept scenarios from passing: what was only skipped is left out.
func (p *Played) failed() []*PlayedStep {
	var list []*PlayedStep
	for i := range p.Steps {
		switch p.Steps[i].Status {
		case StatusPassed, StatusSkipped, "":
		default:
			list = append(list, &p.Steps[i])
		}
	}
	return list
}

// took is how long a scenario lasted.
func (p *Played) took() time.Duration { return p.ended.Sub(p.began) }

// took is how long the scenarios of a file lasted together: in a run of several at once they overlap.
func (f *playedFile) took() time.Duration {
	var sum time.Duration
	for _, p := range f.scenarios {
		sum += p.took()
	}
	return sum
}

// count is the number of scenarios that went like this.
func (f *playedFile) count(status ...Status) int {
	n := 0
	for _, p := range f.scenarios {
		if slices.Contains(status, p.Status) {
			n++
		}
	}
	return n
}
