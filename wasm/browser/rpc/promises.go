package rpc

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// promisesAnswer is what is known of the time to come. Its times are those of the state.
type promisesAnswer struct {
	Ends    []promisedEnd // of the allocations that promise one
	Plans   []plannedAsk
	Windows []windowAnswer // that are open, or will open
}

// plannedAsk is a blocked ask with its planned start. The members of a gang have one each, with the same start.
type plannedAsk struct {
	ID    string
	Node  string
	Start time.Duration  // at the latest
	Ends  *time.Duration `json:",omitempty"` // when its allocation promises to end if it starts then; nil: it promises no end
}

type promisedEnd struct {
	ID   string
	Ends time.Duration
}

// windowAnswer is a window as it is open, or opens next.
type windowAnswer struct {
	ID        string
	Partition string `json:",omitempty"`
	Open      bool   `json:",omitempty"`
	From      time.Duration
	Until     *time.Duration `json:",omitempty"` // nil: it stays open
	Every     time.Duration  `json:",omitempty"` // from one opening to the next; 0: that is not said so
	Schedule  string         `json:",omitempty"`
	Nodes     []string
	Queues    []string `json:",omitempty"` // who is named; all empty: a maintenance
	Users     []string `json:",omitempty"`
	Groups    []string `json:",omitempty"`
}

// promises lists what is known of the time to come: promised ends, planned starts and windows.
func (server *Server) promises(h *idHead, _ []byte) (*promisesAnswer, []byte, error) {
	s, err := server.scheduler(h.ID)
	if err != nil {
		return nil, nil, err
	}
	a := &promisesAnswer{Ends: []promisedEnd{}, Plans: []plannedAsk{}, Windows: []windowAnswer{}}
	apps := s.Read(core.OfApplications).Applications
	for i := range apps {
		for _, ask := range apps[i].Asks {
			if ask.Ends != nil {
				a.Ends = append(a.Ends, promisedEnd{ask.ID, *ask.Ends})
			}
			if p := ask.Planned; p != nil {
				a.Plans = append(a.Plans, plannedAsk{ask.ID, p.Node, p.Start, p.Ends})
			}
		}
	}
	slices.SortFunc(a.Plans, func(x, y plannedAsk) int { return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.ID, y.ID)) })
	for _, w := range s.Windows(&core.Page{Limit: math.MaxInt32, Work: math.MaxInt32}).Items {
		if w.From != instant.Never {
			a.Windows = append(a.Windows, windowOf(&w))
		}
	}
	return a, nil, nil
}

func windowOf(w *core.WindowItem) windowAnswer {
	a := windowAnswer{
		ID: w.ID, Partition: w.Partition, Open: w.Open, From: w.From, Every: w.Every, Schedule: w.Schedule, Nodes: append([]string{}, w.Nodes...),
		Queues: w.Queues, Users: w.Users, Groups: w.Groups,
	}
	if w.Until != instant.Never {
		a.Until = &w.Until
	}
	return a
}
