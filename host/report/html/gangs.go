package html

import "github.com/quern-project/quern/core/ledger"

// gangsData is what came of the gangs, and of the applications beside them.
type gangsData struct {
	Kinds   []gangKindData   `json:"kinds"`
	Jobs    applicationsData `json:"jobs"`
	Longest []gangData       `json:"longest"`
}

type gangKindData struct {
	Atomic    bool    `json:"atomic"`
	Formed    int     `json:"formed"`
	TimedOut  int     `json:"timedOut"`
	Withdrawn int     `json:"withdrawn"`
	Waiting   int     `json:"waiting"`
	P50       float64 `json:"p50"`
	WaitMax   float64 `json:"waitMax"`
	Served50  float64 `json:"served50"`
	ServedMax float64 `json:"servedMax"`
	Replaced  int     `json:"replaced"` // placeholders
	Ended     int     `json:"ended"`
}

// applicationsData is what came of the applications.
type applicationsData struct {
	Started   int     `json:"started"`
	Withdrawn int     `json:"withdrawn"`
	Waiting   int     `json:"waiting"`
	P50       float64 `json:"p50"`
	WaitMax   float64 `json:"waitMax"`
	Served50  float64 `json:"served50"`
	ServedMax float64 `json:"servedMax"`
}

func applicationsOf(j *ledger.ApplicationSummary) applicationsData {
	return applicationsData{j.Started, j.Withdrawn, j.Waiting, medianWait(&j.Waits), longestWait(&j.Waits), medianWait(&j.Services), longestWait(&j.Services)}
}

func medianWait(w *ledger.Waits) float64  { return w.Percentile(50).Seconds() }
func longestWait(w *ledger.Waits) float64 { return w.Max().Seconds() }

// gangData is one gang.
type gangData struct {
	App      string  `json:"app"`
	Name     string  `json:"name"`
	Queue    string  `json:"queue"`
	Min      int     `json:"min"` // 0: by placeholders
	Since    float64 `json:"since"`
	Wait     float64 `json:"wait"`
	Service  float64 `json:"service"`
	Outcome  string  `json:"outcome"`
	Replaced int     `json:"replaced"`
	Ended    int     `json:"ended"`
}

// gangsOf lists the gangs; nil: there were none.
func gangsOf(s *ledger.Summary) *gangsData {
	if len(s.Gangs) == 0 {
		return nil
	}
	d := &gangsData{Jobs: applicationsOf(&s.Applications), Longest: []gangData{}}
	for i := range s.Gangs {
		g := &s.Gangs[i]
		d.Kinds = append(d.Kinds, gangKindData{
			g.Atomic, g.Formed, g.TimedOut, g.Withdrawn, g.Waiting, medianWait(&g.Waits), longestWait(&g.Waits), medianWait(&g.Services), longestWait(&g.Services), g.Replaced, g.Ended,
		})
	}
	for _, g := range s.Longest[:min(len(s.Longest), mostLongest)] {
		if g.Wait == 0 {
			break // nor did those behind it wait
		}
		d.Longest = append(d.Longest, gangData{
			g.App, g.Name, g.Queue, g.Min, g.Since.Seconds(), g.Wait.Seconds(), g.Service.Seconds(), string(g.Outcome), g.Replaced, g.Ended,
		})
	}
	return d
}
