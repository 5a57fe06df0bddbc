package html

import (
	"math"

	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
)

// mostUses bounds the users and groups that the page lists: those that came nearest to their limits.
const mostUses = 200

// usesData is how near users and groups came to their limits.
type usesData struct {
	Limits  int       `json:"limits"`  // in use
	Reached int       `json:"reached"` // of them
	List    []useData `json:"list"`
}

type useData struct {
	Queue   string       `json:"queue"`
	Name    string       `json:"name"`
	Group   bool         `json:"group"`
	At      float64      `json:"at"`
	Share   number       `json:"share"`
	Amounts []amountData `json:"amounts"`
	Apps    int          `json:"apps"`
	MaxApps uint64       `json:"maxApps"` // 0: no bound
}

type amountData struct {
	Type  string `json:"type"`
	Used  number `json:"used"`
	Max   number `json:"max"`
	Final number `json:"final"` // NaN: not known
}

// usesOf lists the limits that were used; nil: none was.
func usesOf(peaks []ledger.LimitPeak) *usesData {
	if len(peaks) == 0 {
		return nil
	}
	d := &usesData{Limits: len(peaks)}
	for i := range peaks {
		p := &peaks[i]
		if p.Share >= resource.ShareUnit {
			d.Reached++
		}
		if i >= mostUses {
			continue
		}
		u := useData{
			Queue: p.Queue, Name: p.Name, Group: p.Group, At: p.At.Seconds(), Share: number(float64(p.Share) / resource.ShareUnit),
			Amounts: []amountData{}, Apps: p.Applications, MaxApps: p.MaxApplications,
		}
		for k, q := range p.Max {
			a := amountData{q.Type, number(p.Used[k].Value), number(q.Value), number(math.NaN())}
			if p.Final != nil {
				a.Final = number(p.Final[k].Value)
			}
			u.Amounts = append(u.Amounts, a)
		}
		d.List = append(d.List, u)
	}
	return d
}
