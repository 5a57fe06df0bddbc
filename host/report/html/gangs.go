package html

import "github.com/quern-project/quern/core/ledger"

// gangsData is what came of the gangs.
type gangsData struct {
	Kinds   []gangKindData `json:"kinds"`
	Longest []gangData     `json:"longest"`
}

type gangKindData struct {
	Atomic    bool    `json:"atomic"`
	Formed    int     `json:"formed"`
	TimedOut  int     `json:"timedOut"`
	Withdrawn int     `json:"withdrawn"`
	Waiting   int     `json:"waiting"`
	P50       float64 `json:"p50"`
	WaitMax   float64 `json:"waitMax"`
	Replaced  int     `json:"replaced"` // placeholders
	Ended     int     `json:"ended"`
}

// gangData is one gang.
type gangData struct {
	App      string  `json:"app"`
	Name     string  `json:"name"`
	Queue    string  `json:"queue"`
	Min      int     `json:"min"` // 0: by placeholders
	Since    float64 `json:"since"`
	Wait     float64 `json:"wait"`
	Outcome  string  `json:"outcome"`
	Replaced int     `json:"replaced"`
	Ended    int     `json:"ended"`
}

// gangsOf lists the gangs; nil: there were none.
func gangsOf(s *ledger.Summary) *gangsData {
	if len(s.Gangs) == 0 {
		return nil
	}
	d := &gangsData{Longest: []gangData{}}
	for i := range s.Gangs {
		g := &s.Gangs[i]
		d.Kinds = append(d.Kinds, gangKindData{
			g.Atomic, g.Formed, g.TimedOut, g.Withdrawn, g.Waiting, g.Waits.Percentile(50).Seconds(), g.Waits.Max().Seconds(), g.Replaced, g.Ended,
		})
	}
	for _, g := range s.Longest[:min(len(s.Longest), mostLongest)] {
		if g.Wait == 0 {
			break // nor did those behind it wait
		}
		d.Longest = append(d.Longest, gangData{
			g.App, g.Name, g.Queue, g.Min, g.Since.Seconds(), g.Wait.Seconds(), string(g.Outcome), g.Replaced, g.Ended,
		})
	}
	return d
}
