package explanation

import (
	"fmt"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/host/format"
)

// consolidationObject says which moves would make room for an ask or a gang.
type consolidationObject struct {
	At          string          `json:"at"`
	Ask         string          `json:"ask"`
	App         string          `json:"app"`
	Queue       string          `json:"queue"`
	Gang        string          `json:"gang,omitempty"`
	Verdict     string          `json:"verdict"`
	Moves       []moveObject    `json:"moves"`
	Places      []landingObject `json:"places"`
	Movable     int             `json:"movable"`
	Approximate bool            `json:"approximate"`
	Text        string          `json:"text"`
}

type moveObject struct {
	ID        string     `json:"id"`
	App       string     `json:"app"`
	Queue     string     `json:"queue"`
	From      string     `json:"from"`
	To        string     `json:"to"`
	Resources format.Set `json:"resources"`
}

type landingObject struct {
	Ask  string `json:"ask"`
	Node string `json:"node"`
}

// UnknownGangError says that an application has no such gang at that moment.
type UnknownGangError struct{ App, Gang, At string }

func (e *UnknownGangError) Error() string {
	return fmt.Sprintf("application %q has no gang %q at %s", e.App, e.Gang, e.At)
}

func (q *Question) consolidation(w writer, s Scheduler) (Answer, error) {
	id := q.Name
	if q.Gang != "" {
		if id = s.GangMember(q.Name, q.Gang); id == "" {
			return Answer{}, &UnknownGangError{q.Name, q.Gang, w.time(s.Now())}
		}
	}
	if e, ok := s.Consolidate(id); ok {
		return says(e.Text, w.consolidated(e)), nil
	}
	return q.absent(w, s)
}

func (w writer) consolidated(e explain.Consolidation) consolidationObject {
	o := consolidationObject{
		At: w.time(w.at), Ask: e.ID, App: e.App, Queue: e.Queue, Gang: e.Gang, Verdict: string(e.Verdict), Moves: []moveObject{}, Places: []landingObject{},
		Movable: e.Movable, Approximate: e.Approximate, Text: e.Text,
	}
	for _, m := range e.Moves {
		o.Moves = append(o.Moves, moveObject{m.ID, m.App, m.Queue, m.From, m.To, format.Set(m.Resources)})
	}
	for _, p := range e.Places {
		o.Places = append(o.Places, landingObject{p.Ask, p.Node})
	}
	return o
}
