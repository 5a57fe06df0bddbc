package summary

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/format"
)

// runObject is what was measured over the time of the run, as programs read it.
type runObject struct {
	Makespan    float64          `json:"makespan_seconds"`
	PendingMean thousandths      `json:"pending_mean"`
	PendingPeak int              `json:"pending_peak"`
	Oldest      float64          `json:"oldest_pending_seconds"`
	Priorities  []priorityObject `json:"priorities"`
	OverTime    *curvesObject    `json:"over_time,omitempty"`
}

// queueTimes is what was measured of a queue.
type queueTimes struct {
	Pending     int           `json:"pending"`
	PendingMean thousandths   `json:"pending_mean"`
	PendingPeak int           `json:"pending_peak"`
	Oldest      float64       `json:"oldest_pending_seconds"`
	UsedMean    amountsObject `json:"used_mean"`
	UsedPeak    amountsObject `json:"used_peak"`
}

// typeTimes is what was measured of a resource type. Shares are parts of the capacity.
type typeTimes struct {
	Mean      format.Quantity `json:"used_mean"`
	Peak      format.Quantity `json:"used_peak"`
	MeanMilli *int64          `json:"used_mean_milli,omitempty"`
	PeakMilli *int64          `json:"used_peak_milli,omitempty"`
	PeakAt    float64         `json:"used_peak_at_seconds"`
	Share     thousandths     `json:"utilization_mean"`
	PeakShare thousandths     `json:"utilization_peak"`
}

// priorityObject is the waits of a priority. Without a number it stands for all that are not listed by themselves.
type priorityObject struct {
	Priority  *int32      `json:"priority,omitempty"`
	Allocated int         `json:"allocated"`
	Wait      waitsObject `json:"wait_seconds"`
}

// curvesObject has means by step of time.
type curvesObject struct {
	Start    float64                `json:"start_seconds"`
	Step     float64                `json:"step_seconds"`
	Pending  points                 `json:"pending"`
	Used     map[string]points      `json:"used"`
	Capacity map[string]points      `json:"capacity"`
	Queues   map[string]queueCurves `json:"queues"`
	Omitted  int                    `json:"omitted_queues,omitempty"`
}

type queueCurves struct {
	Pending points            `json:"pending"`
	Wait    points            `json:"wait_seconds"`
	Used    map[string]points `json:"used"`
}

// thousandths is a number with at most three decimals.
type thousandths int64

// MarshalJSON writes the number without rounding.
func (n thousandths) MarshalJSON() ([]byte, error) { return []byte(n.text()), nil }

func (n thousandths) text() string {
	text := strconv.FormatInt(int64(n/1000), 10)
	if rest := n % 1000; rest != 0 {
		decimals := strconv.FormatInt(int64(1000+rest), 10)[1:]
		text += "." + string(bytes.TrimRight([]byte(decimals), "0"))
	}
	return text
}

// points are numbers of a curve; null stands where there is none. Four digits are more than a chart shows.
type points []float64

// MarshalJSON writes a list.
func (p points) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, v := range p {
		if i > 0 {
			b = append(b, ',')
		}
		switch {
		case math.IsNaN(v):
			b = append(b, "null"...)
		case v == math.Trunc(v) && math.Abs(v) < 1e6:
			b = strconv.AppendInt(b, int64(v), 10)
		default:
			b = strconv.AppendFloat(b, v, 'g', 4, 64)
		}
	}
	return append(b, ']'), nil
}

// times is nil where nothing was measured.
func (s *Summary) times() *runObject {
	u := s.Usage
	if u == nil {
		return nil
	}
	o := &runObject{
		Makespan: u.Makespan.Seconds(), PendingMean: thousandths(u.Pending.MeanMilli), PendingPeak: u.Pending.Peak,
		Oldest: u.Oldest.Seconds(), Priorities: []priorityObject{}, OverTime: curvesOf(s.Curves),
	}
	for i := range u.Priorities {
		p := &u.Priorities[i]
		found := priorityObject{Priority: &p.Priority, Allocated: p.Waits.Total(), Wait: waitsOf(&p.Waits)}
		if p.Others {
			found.Priority = nil
		}
		o.Priorities = append(o.Priorities, found)
	}
	return o
}

func (s *Summary) queueTimes(path string) *queueTimes {
	if s.Usage == nil {
		return nil
	}
	q := s.Usage.Queue(path)
	o := &queueTimes{
		Pending: q.Pending.Now, PendingMean: thousandths(q.Pending.MeanMilli), PendingPeak: q.Pending.Peak, Oldest: q.Oldest.Seconds(),
	}
	for _, t := range q.Types {
		o.UsedMean = append(o.UsedMean, resource.Quantity{Type: t.Name, Value: t.Mean})
		o.UsedPeak = append(o.UsedPeak, resource.Quantity{Type: t.Name, Value: t.Peak})
	}
	return o
}

func (s *Summary) typeTimes(name string) *typeTimes {
	if s.Usage == nil {
		return nil
	}
	t := s.Usage.Type(name)
	return &typeTimes{
		Mean: amount(name, t.Mean), Peak: amount(name, t.Peak), MeanMilli: milliOf(name, t.Mean), PeakMilli: milliOf(name, t.Peak),
		PeakAt: t.PeakAt.Seconds(), Share: inThousandths(t.Share), PeakShare: inThousandths(t.PeakShare),
	}
}

// inThousandths rounds a share down.
func inThousandths(share int64) thousandths { return thousandths(share / (resource.ShareUnit / 1000)) }

func curvesOf(c *ledger.Curves) *curvesObject {
	if c == nil {
		return nil
	}
	o := &curvesObject{
		Start: c.Start.Seconds(), Step: c.Width.Seconds(), Pending: c.Pending, Used: pointsOf(c.Used), Capacity: pointsOf(c.Capacity),
		Queues: map[string]queueCurves{}, Omitted: c.Omitted,
	}
	for path, q := range c.Queues {
		o.Queues[path] = queueCurves{q.Pending, q.Waits, pointsOf(q.Used)}
	}
	return o
}

// pointsOf names vcore by its unit, as amountsObject does.
func pointsOf(curves map[string][]float64) map[string]points {
	all := map[string]points{}
	_, taken := curves[vcoreMilli]
	for name, values := range curves {
		if name == resource.VCore && !taken {
			name = vcoreMilli
		}
		all[name] = values
	}
	return all
}

// joined puts the lists of numbers of indented JSON on a line each.
func joined(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		switch size := numbersEnd(text); {
		case size > 0:
			for _, part := range bytes.Fields(text[:size]) {
				out = append(out, part...)
			}
			text = text[size:]
		case text[0] == '"':
			end := 1
			for text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			out = append(out, text[:end+1]...)
			text = text[end+1:]
		default:
			out = append(out, text[0])
			text = text[1:]
		}
	}
	return out
}

// numbersEnd is where the list of numbers ends that a text begins with; 0: it begins with none.
func numbersEnd(text []byte) int {
	if text[0] != '[' {
		return 0
	}
	end := slices.IndexFunc(text[1:], func(b byte) bool { return bytes.IndexByte([]byte(" \n,.-+eE0123456789nul"), b) < 0 })
	if end < 0 || text[1+end] != ']' {
		return 0
	}
	return end + 2
}
