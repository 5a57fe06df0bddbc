package summary

import (
	"bytes"
	"encoding/json"
	"io"
	"time"

	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/format"
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
	Exceeded             int                    `json:"walltime_exceeded,omitempty"`
	Cycles               int                    `json:"preemption_cycles,omitempty"`
	Rejections           []outcomeObject        `json:"rejections,omitempty"`
	Ended                []outcomeObject        `json:"ended,omitempty"`
	AllocationsPerSecond float64                `json:"allocations_per_second"`
	WallSeconds          float64                `json:"wall_seconds"`
	VirtualSeconds       float64                `json:"virtual_seconds"`
	Interrupted          bool                   `json:"interrupted,omitempty"`
	Partial              *Partial               `json:"partial,omitempty"`
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
	Applications         *applicationsObject    `json:"applications,omitempty"`
	Jobs                 *jobsObject            `json:"jobs,omitempty"`
	Users                map[string]*jobsObject `json:"users,omitempty"`
	OtherUsers           *jobsObject            `json:"other_users,omitempty"`
	Quotas               map[string]quotaObject `json:"quotas,omitempty"`
	WaitSeconds          waitsObject            `json:"wait_seconds"`
	*runObject
	Since *Since `json:"since,omitempty"`
}

type queueObject struct {
	Used        amountsObject `json:"used"`
	Guaranteed  amountsObject `json:"guaranteed"`
	WaitSeconds waitsObject   `json:"wait_seconds"`
	Preempted   int           `json:"preempted"`
	ByQuota     int           `json:"preempted_by_quota,omitempty"`
	Allocated   int           `json:"allocated"`
	*queueTimes
	Jobs *jobsObject `json:"jobs,omitempty"`
}

type waitsObject struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

// typeObject has the amountsObject of vcore as numbers besides, in thousandths.
type typeObject struct {
	Used          format.Quantity `json:"used"`
	Capacity      format.Quantity `json:"capacity"`
	UsedMilli     *int64          `json:"used_milli,omitempty"`
	CapacityMilli *int64          `json:"capacity_milli,omitempty"`
	*typeTimes
}

// JSON writes the summary as one object.
func (s *Summary) JSON(w io.Writer) error { return encode(w, s.object()) }

func encode(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(joined(b.Bytes()))
	return err
}

// amountsObject are those of a set, vcore also as a number of thousandths: under vcore_milli, unless a type has that name.
type amountsObject resource.Set

// MarshalJSON writes an object by type, bytewise.
func (a amountsObject) MarshalJSON() ([]byte, error) {
	m := map[string]any{}
	for _, q := range a {
		if q.Value == 0 {
			continue
		}
		m[q.Type] = format.Quantity(q)
		if _, taken := resource.Set(a).Value(vcoreMilli); q.Type == resource.VCore && !taken {
			m[vcoreMilli] = q.Value
		}
	}
	return json.Marshal(m)
}

const vcoreMilli = resource.VCore + "_milli"

// milliOf is an amount of vcore as a number; nil: it is of another type, which is a number anyhow.
func milliOf(typ string, stored int64) *int64 {
	if typ != resource.VCore {
		return nil
	}
	return &stored
}

func (s *Summary) object() object {
	o := object{
		Nodes: s.Nodes, Apps: s.Apps, Asks: s.Asks, Allocated: s.Allocated, Pending: s.Pending,
		Preempted: s.Preempted, Rejected: s.Rejected, Exceeded: s.Exceeded, Cycles: s.Cycles,
		Rejections:           outcomeObjects(s.Refused),
		Ended:                outcomeObjects(s.Summary.Ended),
		AllocationsPerSecond: s.AllocationsPerSecond(),
		WallSeconds:          s.Wall.Seconds(),
		VirtualSeconds:       s.Virtual.Seconds(),
		Interrupted:          s.Interrupted,
		Partial:              s.Partial,
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
		Applications:         s.applicationsObject(),
		Jobs:                 s.jobsOf(&s.Jobs),
		Quotas:               quotaObjects(s.Quotas),
		WaitSeconds:          waitsOf(s.Waits()),
		runObject:            s.times(),
		Since:                s.Since,
	}
	o.Users, o.OtherUsers = s.usersObject()
	for i := range s.Queues {
		q := &s.Queues[i]
		o.Queues[q.Path] = queueObject{amountsObject(q.Used), amountsObject(q.Guaranteed), waitsOf(&q.Waits), q.Preempted, q.ByQuota, q.Waits.Total(), s.queueTimes(q.Path), s.jobsOf(&q.Jobs)}
	}
	for _, t := range s.Cluster {
		o.Cluster[t.Name] = typeObject{amount(t.Name, t.Used), amount(t.Name, t.Capacity), milliOf(t.Name, t.Used), milliOf(t.Name, t.Capacity), s.typeTimes(t.Name)}
	}
	return o
}

func amount(typ string, stored int64) format.Quantity {
	return format.Quantity{Type: typ, Value: stored}
}

func waitsOf(t *ledger.Waits) waitsObject {
	seconds := func(d time.Duration) float64 { return d.Seconds() }
	return waitsObject{seconds(t.Mean()), seconds(t.Percentile(50)), seconds(t.Percentile(90)), seconds(t.Percentile(99)), seconds(t.Max())}
}
