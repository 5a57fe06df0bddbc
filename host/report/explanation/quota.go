package explanation

import (
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/host/format"
)

// quotaObject says when a queue releases what it uses beyond its max, or why it does not.
type quotaObject struct {
	Excess format.Set `json:"excess"`
	Reason string     `json:"reason,omitempty"`
	Above  string     `json:"above,omitempty"`
	Due    string     `json:"due,omitempty"`
}

func (w writer) quota(e *explain.QuotaExplanation) *quotaObject {
	if e == nil {
		return nil
	}
	o := &quotaObject{Excess: format.Set(e.Excess), Reason: string(e.Reason), Above: e.Above}
	if e.Reason == "" {
		o.Due = w.time(e.Due)
	}
	return o
}

// maxObject says what a queue would release if it had another max.
type maxObject struct {
	At      string         `json:"at"`
	Queue   string         `json:"queue"`
	Excess  format.Set     `json:"excess"`
	Victims []victimObject `json:"victims"`
	Stays   format.Set     `json:"stays"`
	Reason  string         `json:"reason,omitempty"`
	Delay   string         `json:"delay"`
	Text    string         `json:"text"`
}

func (w writer) max(e explain.MaxExplanation) maxObject {
	o := maxObject{
		At: w.time(w.at), Queue: e.Queue, Excess: format.Set(e.Excess), Victims: []victimObject{}, Stays: format.Set(e.Stays), Reason: string(e.Reason),
		Delay: e.Delay.String(), Text: e.Text,
	}
	for _, v := range e.Victims {
		o.Victims = append(o.Victims, victim(v))
	}
	return o
}
