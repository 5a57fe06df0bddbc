package html

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/report/summary"
)

// Record is what a report remembers of a run for the reports after it. Times are seconds, shares are parts of 1.
type Record struct {
	Journal     string                 `json:"journal"`
	Config      string                 `json:"config"`
	Asks        int                    `json:"asks"`
	Allocated   int                    `json:"allocated"`
	Pending     int                    `json:"pending"`
	Rejected    int                    `json:"rejected"`
	Preempted   int                    `json:"preempted"`
	Wait        WaitRecord             `json:"wait_seconds"`
	Makespan    float64                `json:"makespan_seconds"`
	PendingMean float64                `json:"pending_mean"`
	Cluster     map[string]TypeRecord  `json:"cluster"`
	Queues      map[string]QueueRecord `json:"queues"`
}

// WaitRecord is the waits of allocated asks.
type WaitRecord struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

// TypeRecord is the use of a resource type.
type TypeRecord struct {
	Mean float64 `json:"utilization_mean"`
	Peak float64 `json:"utilization_peak"`
}

// QueueRecord is how asks of a queue fared.
type QueueRecord struct {
	Pending int        `json:"pending"`
	Wait    WaitRecord `json:"wait_seconds"`
}

// Bounds on what a report remembers: runs, and queues of each.
const (
	mostRecords       = 12
	mostQueuesOfAll   = 5000
	mostRecordSeconds = 9e9
)

// ReadRecords returns the runs that an earlier report remembers, its own last; of a summary in JSON it is that one.
func ReadRecords(text []byte) ([]Record, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // an editor may have put it there
	var found []Record
	if _, data, isPage := bytes.Cut(text, []byte(`<script type="application/json" id="data">`)); isPage {
		data, _, _ = bytes.Cut(data, []byte("</script>"))
		var p struct {
			History []Record `json:"history"`
		}
		if err := json.Unmarshal(data, &p); err != nil || len(p.History) == 0 {
			return nil, errors.New("expected a report that quern replay --report wrote, found one without figures")
		}
		found = p.History
	} else {
		var one struct {
			Record
			Runs []Record `json:"runs"`
			Wall *float64 `json:"wall_seconds"`
		}
		if err := json.Unmarshal(text, &one); err != nil || one.Wall == nil && len(one.Runs) == 0 {
			return nil, errors.New("expected a report, or a summary that quern replay --json printed, found another file")
		}
		found = []Record{one.Record}
		if len(one.Runs) > 0 {
			found = one.Runs[:1]
		}
	}
	found = found[max(0, len(found)-mostRecords):]
	for i := range found {
		if !found[i].sensible() {
			return nil, errors.New("expected times from 0, found others")
		}
	}
	return found, nil
}

func (r *Record) sensible() bool {
	seconds := []float64{r.Makespan, r.PendingMean, r.Wait.Mean, r.Wait.P50, r.Wait.P99, r.Wait.Max}
	for _, q := range r.Queues {
		seconds = append(seconds, q.Wait.Mean, q.Wait.P99)
	}
	for _, t := range r.Cluster {
		seconds = append(seconds, t.Mean, t.Peak)
	}
	return !slices.ContainsFunc(seconds, func(v float64) bool { return v < 0 || v > mostRecordSeconds })
}

// RecordOf is what is remembered of a run.
func RecordOf(journal, config string, s *summary.Summary) Record {
	w := s.Waits()
	r := Record{
		Journal: journal, Config: config, Asks: s.Asks, Allocated: s.Allocated, Pending: s.Pending, Rejected: s.Rejected, Preempted: s.Preempted,
		Wait:    WaitRecord{w.Mean().Seconds(), w.Percentile(50).Seconds(), w.Percentile(99).Seconds(), w.Max().Seconds()},
		Cluster: map[string]TypeRecord{}, Queues: map[string]QueueRecord{},
	}
	if s.Usage == nil {
		return r
	}
	r.Makespan, r.PendingMean = s.Usage.Makespan.Seconds(), float64(s.Usage.Pending.MeanMilli)/1000
	for _, t := range s.Usage.Types {
		r.Cluster[t.Name] = TypeRecord{part(t.Share), part(t.PeakShare)}
	}
	for i := range s.Queues[:min(len(s.Queues), mostQueuesOfAll)] {
		q := &s.Queues[i]
		r.Queues[q.Path] = QueueRecord{s.Usage.Queue(q.Path).Pending.Now, WaitRecord{Mean: q.Waits.Mean().Seconds(), P99: q.Waits.Percentile(99).Seconds()}}
	}
	return r
}

// part is a share in thousandths, as summaries have it.
func part(share int64) float64 { return float64(share/(resource.ShareUnit/1000)) / 1000 }

// mostChangedQueues bounds the queues in a list of changes: those whose waits changed most.
const mostChangedQueues = 6

// Changes lists the figures in which a run differs from an earlier one, queues last.
func Changes(before, after *Record) []summary.Change {
	all := []summary.Change{}
	add := func(name, was, is string) {
		if was != is {
			all = append(all, summary.Change{Name: name, Before: was, After: is})
		}
	}
	if before.Config != "" && after.Config != "" { // a summary does not say
		add("configuration", before.Config, after.Config)
	}
	for _, c := range []struct {
		name    string
		was, is int
	}{
		{"asks", before.Asks, after.Asks}, {"allocated", before.Allocated, after.Allocated}, {"pending", before.Pending, after.Pending},
		{"rejected", before.Rejected, after.Rejected}, {"preempted", before.Preempted, after.Preempted},
	} {
		add(c.name, format.Grouped(c.was), format.Grouped(c.is))
	}
	for _, c := range []struct {
		name    string
		was, is float64
	}{
		{"wait mean", before.Wait.Mean, after.Wait.Mean}, {"wait p50", before.Wait.P50, after.Wait.P50}, {"wait p99", before.Wait.P99, after.Wait.P99},
		{"wait max", before.Wait.Max, after.Wait.Max}, {"makespan", before.Makespan, after.Makespan},
	} {
		add(c.name, spanOf(c.was), spanOf(c.is))
	}
	for _, name := range slices.Sorted(maps.Keys(after.Cluster)) {
		was, there := before.Cluster[name]
		if is := after.Cluster[name]; there {
			add(name+" used, mean", percentOf(was.Mean), percentOf(is.Mean))
			add(name+" used, peak", percentOf(was.Peak), percentOf(is.Peak))
		} else {
			add(name+" used, mean", "–", percentOf(is.Mean))
		}
	}
	return append(all, queueChanges(before, after)...)
}

func queueChanges(before, after *Record) []summary.Change {
	var paths []string
	all := []summary.Change{}
	for path, is := range after.Queues {
		if was, there := before.Queues[path]; there && spanOf(was.Wait.P99) != spanOf(is.Wait.P99) {
			paths = append(paths, path)
		}
	}
	difference := func(path string) float64 {
		d := after.Queues[path].Wait.P99 - before.Queues[path].Wait.P99
		return max(d, -d)
	}
	slices.Sort(paths)
	slices.SortStableFunc(paths, func(a, b string) int {
		if x, y := difference(a), difference(b); x != y {
			return 2*b2i(x < y) - 1
		}
		return 0
	})
	for _, path := range paths[:min(len(paths), mostChangedQueues)] {
		all = append(all, summary.Change{Name: path + " wait p99", Before: spanOf(before.Queues[path].Wait.P99), After: spanOf(after.Queues[path].Wait.P99)})
	}
	for _, c := range []struct {
		name        string
		from, other map[string]QueueRecord
	}{{"queues that are new", after.Queues, before.Queues}, {"queues that are gone", before.Queues, after.Queues}} {
		n := 0
		for path := range c.from {
			if _, there := c.other[path]; !there {
				n++
			}
		}
		if n > 0 {
			all = append(all, summary.Change{Name: c.name, After: format.Grouped(n)})
		}
	}
	return all
}

func spanOf(seconds float64) string {
	return format.Duration(time.Duration(seconds * float64(time.Second)))
}

func percentOf(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// WriteChanges writes what changed since an earlier report, for people.
func WriteChanges(w io.Writer, since string, changes []summary.Change) error {
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	if len(changes) == 0 {
		_, err := fmt.Fprintf(w, "  No figure has changed since %s.\n", format.Cell(since))
		return err
	}
	t := &format.Table{Indent: "  "}
	t.Add("since "+since, "before", "now")
	for _, c := range changes {
		t.Add(c.Name, c.Before, c.After)
	}
	t.Write(w, func(column int) bool { return column > 0 })
	return nil
}
