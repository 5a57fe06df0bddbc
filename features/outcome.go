package features

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

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
		file := playedFile{path: feature.Uri, feature: feature.Feature.Name}
		places := places{}
		places.feature(feature.Feature)
		for _, pickle := range f.Storage.MustGetPickles(feature.Uri) {
			p := places.scenarioOf(pickle)
			p.began = started[pickle.Id]
			p.ended = p.began
			for _, r := range f.Storage.MustGetPickleStepResultsByPickleID(pickle.Id) {
				i := slices.IndexFunc(pickle.Steps, func(s *godog.Step) bool { return s.Id == r.PickleStepID })
				p.Steps[i].conclude(Status(r.Status.String()), r.Err, vocabulary)
				if r.FinishedAt.After(p.ended) {
					p.ended = r.FinishedAt
				}
			}
			p.conclude()
			file.scenarios = append(file.scenarios, p)
		}
		slices.SortFunc(file.scenarios, func(a, b *Played) int { return number(a.id) - number(b.id) })
		run.files = append(run.files, file)
	}
	slices.SortFunc(run.files, func(a, b playedFile) int { return strings.Compare(a.path, b.path) })
	return run
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
		s.Message = stepError(err)
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
