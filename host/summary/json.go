package summary

import (
	"encoding/json"
	"io"
	"time"

	"github.com/quern-project/quern/host/format"

	"github.com/quern-project/quern/core/ledger"
)

// object is the summary as programs read it. The names and their order are part of the interface.
type object struct {
	Nodes                int                    `json:"nodes"`
	Apps                 int                    `json:"apps"`
	Asks                 int                    `json:"asks"`
	Allocated            int                    `json:"allocated"`
	Pending              int                    `json:"pending"`
	Preempted            int                    `json:"preempted"`
	Rejected             int                    `json:"rejected"`
	AllocationsPerSecond float64                `json:"allocations_per_second"`
	WallSeconds          float64                `json:"wall_seconds"`
	VirtualSeconds       float64                `json:"virtual_seconds"`
	Interrupted          bool                   `json:"interrupted,omitempty"`
	Preemptions          map[string]int         `json:"preemptions"`
	Observed             int                    `json:"observed"`
	PolicyFaults         map[string]int         `json:"policy_faults,omitempty"`
	PolicyRepeats        map[string]int         `json:"policy_repeats,omitempty"`
	PolicyTime           map[string]timeObject  `json:"policy_time,omitempty"`
	PolicyWarnings       []string               `json:"policy_warnings,omitempty"`
	Shadows              []shadowObject         `json:"shadows,omitempty"`
	Queues               map[string]queueObject `json:"queues"`
	Cluster              map[string]typeObject  `json:"cluster"`
	Limits               []limitObject          `json:"limits,omitempty"`
	Gangs                map[string]gangObject  `json:"gangs,omitempty"`
	Quotas               map[string]quotaObject `json:"quotas,omitempty"`
}

type queueObject struct {
	Used        format.Set  `json:"used"`
	Guaranteed  format.Set  `json:"guaranteed"`
	WaitSeconds waitsObject `json:"wait_seconds"`
	Preempted   int         `json:"preempted"`
	ByQuota     int         `json:"preempted_by_quota,omitempty"`
}

type waitsObject struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

type typeObject struct {
	Used     format.Quantity `json:"used"`
	Capacity format.Quantity `json:"capacity"`
}

// JSON writes the summary as one object.
func (s *Summary) JSON(w io.Writer) error { return encode(w, s.object()) }

func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func (s *Summary) object() object {
	o := object{
		Nodes: s.Nodes, Apps: s.Apps, Asks: s.Asks, Allocated: s.Allocated, Pending: s.Pending,
		Preempted: s.Preempted, Rejected: s.Rejected,
		AllocationsPerSecond: s.AllocationsPerSecond(),
		WallSeconds:          s.Wall.Seconds(),
		VirtualSeconds:       s.Virtual.Seconds(),
		Interrupted:          s.Interrupted,
		Preemptions:          s.byKind(),
		Observed:             s.Observed,
		PolicyFaults:         s.Faults,
		PolicyRepeats:        s.Repeated,
		PolicyTime:           timeObjects(s.Spent),
		PolicyWarnings:       s.Unused,
		Shadows:              shadowObjects(s.Shadows),
		Queues:               map[string]queueObject{},
		Cluster:              map[string]typeObject{},
		Limits:               limitObjects(s.Limits),
		Gangs:                gangObjects(s.Gangs),
		Quotas:               quotaObjects(s.Quotas),
	}
	for i := range s.Queues {
		q := &s.Queues[i]
		o.Queues[q.Path] = queueObject{format.Set(q.Used), format.Set(q.Guaranteed), waitsOf(&q.Waits), q.Preempted, q.ByQuota}
	}
	for _, t := range s.Cluster {
		o.Cluster[t.Name] = typeObject{amount(t.Name, t.Used), amount(t.Name, t.Capacity)}
	}
	return o
}

func amount(typ string, stored int64) format.Quantity {
	return format.Quantity{Type: typ, Value: stored}
}

func waitsOf(t *ledger.Waits) waitsObject {
	seconds := func(d time.Duration) float64 { return d.Seconds() }
	return waitsObject{seconds(t.Percentile(50)), seconds(t.Percentile(99)), seconds(t.Max())}
}
