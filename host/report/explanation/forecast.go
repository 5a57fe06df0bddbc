package explanation

import (
	"fmt"
	gostrings "strings"
	"time"

	"github.com/quern-project/quern/core/forecast"
	"github.com/quern-project/quern/host/format"
)

// forecastObject says when an ask will start.
type forecastObject struct {
	At      string      `json:"at"`
	Ask     string      `json:"ask"`
	Horizon string      `json:"horizon"` // how far ahead the present was played
	Plays   int         `json:"plays"`   // of a full forecast
	Played  int         `json:"played"`
	Started int         `json:"started"` // plays in which the ask started within the horizon
	P5      string      `json:"p5,omitempty"`
	P50     string      `json:"p50,omitempty"`
	P95     string      `json:"p95,omitempty"`
	Basis   basisObject `json:"rests_on"`
	Text    string      `json:"text"`
}

type basisObject struct {
	Groups    []groupObject `json:"groups"`
	Walltimes int           `json:"walltimes"`
	Outlived  int           `json:"outlived"`
	Unbounded int           `json:"unbounded"`
}

type groupObject struct {
	Of    string `json:"of"`
	Ended int    `json:"ended"`
	Asks  int    `json:"asks"`
}

// NotPending says why there is no forecast of an ask: it is not pending, or there is none of that name.
func (q *Question) NotPending(s Scheduler) error {
	w := writer{at: s.Now(), absolute: q.Absolute}
	if e, ok := s.ExplainAsk(q.Name); ok {
		return &NotPendingError{Name: q.Name, Node: e.Node, At: w.time(s.Now())}
	}
	_, err := q.absent(w, s)
	return err
}

// Told says what the plays of a forecast tell. With absolute, times are dates.
func Told(r *forecast.Result, absolute bool) Answer {
	w := writer{at: r.Now, absolute: absolute}
	o := forecastObject{
		At: w.time(r.Now), Ask: r.Ask, Horizon: r.Horizon.String(), Plays: forecast.Plays, Played: r.Played, Started: r.Started,
		P5: w.moment(r.P5), P50: w.moment(r.P50), P95: w.moment(r.P95),
		Basis: basisObject{Groups: []groupObject{}, Walltimes: r.Basis.Walltimes, Outlived: r.Basis.Outlived, Unbounded: r.Basis.Unbounded},
	}
	for _, g := range r.Basis.Groups {
		o.Basis.Groups = append(o.Basis.Groups, groupObject(g))
	}
	o.Text = gostrings.Join(append(w.startWords(r), basisWords(&r.Basis)...), " ")
	return says(o.Text, o)
}

// moment returns a time, or nothing.
func (w writer) moment(at *time.Duration) string {
	if at == nil {
		return ""
	}
	return w.time(*at)
}

// startWords say when the ask starts, and in how many plays.
func (w writer) startWords(r *forecast.Result) []string {
	horizon := format.Duration(r.Horizon)
	switch {
	case r.Played == 0:
		return []string{fmt.Sprintf("There was no time to play the present forward for %s.", r.Ask)}
	case r.Started == 0:
		return []string{fmt.Sprintf("%s starts within %s in none of %d plays of the present.", r.Ask, horizon, r.Played)}
	}
	words := []string{fmt.Sprintf("%s starts within %s in %d of %d plays of the present.", r.Ask, horizon, r.Started, r.Played)}
	later := func(at *time.Duration) string {
		if at == nil {
			return "later than that"
		}
		return w.time(*at)
	}
	middle := "In the middle, it starts at " + w.moment(r.P50)
	if r.P50 == nil {
		middle = "In the middle, it starts later than that"
	}
	if r.Played < forecast.Enough {
		return append(words, middle+".", fmt.Sprintf("Only %d of %d were played in the time given; from %d on, a forecast has a 5th and a 95th percentile.",
			r.Played, forecast.Plays, forecast.Enough))
	}
	return append(words, fmt.Sprintf("%s; the 5th percentile is %s, the 95th %s.", middle, later(r.P5), later(r.P95)))
}

// mostGroups is how many groups the text names.
const mostGroups = 5

// basisWords say what a forecast rests on.
func basisWords(b *forecast.Basis) (words []string) {
	var groups []string
	rest, asks := 0, 0
	for i, g := range b.Groups {
		if i < mostGroups {
			groups = append(groups, fmt.Sprintf("%d of %s (for %s)", g.Ended, g.Of, counted(g.Asks)))
			continue
		}
		rest++
		asks += g.Asks
	}
	if rest > 0 {
		groups = append(groups, fmt.Sprintf("those of %d more groups (for %s)", rest, counted(asks)))
	}
	if len(groups) > 0 {
		words = append(words, "Run times of asks and allocations are drawn from runs that have ended: "+format.List(groups)+".")
	}
	for _, c := range []struct {
		asks int
		text string
	}{
		{b.Walltimes, "without history of runs that long use their walltime."},
		{b.Outlived, "without a walltime have run longer than all that are like them, and count as running as long again."},
		{b.Unbounded, "with neither history nor walltime count as never ending."},
	} {
		if c.asks > 0 {
			words = append(words, fmt.Sprintf("%d %s", c.asks, c.text))
		}
	}
	return append(words, "Nothing counts that is not submitted yet.")
}

// counted says how many asks, allocations included.
func counted(asks int) string {
	if asks == 1 {
		return "1 ask"
	}
	return fmt.Sprintf("%d asks", asks)
}
