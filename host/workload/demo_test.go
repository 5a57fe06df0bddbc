package workload

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

func TestTheDemonstrationIsTheSameForASeed(t *testing.T) {
	var a, b, c bytes.Buffer
	for w, seed := range map[*bytes.Buffer]uint64{&a: 1, &b: 1, &c: 2} {
		if err := Demo(w, seed); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("one seed gave two days")
	}
	if bytes.Equal(a.Bytes(), c.Bytes()) {
		t.Error("two seeds gave one day")
	}
}

func TestTheDemonstrationIsADayOfWork(t *testing.T) {
	for seed := range uint64(5) {
		var text bytes.Buffer
		if err := Demo(&text, seed); err != nil {
			t.Fatal(err)
		}
		types := map[core.InputType]int{}
		var last time.Duration
		d := journal.NewDecoder(&text, "demo.jsonl", nil)
		entry, err := d.Next()
		for ; err == nil; entry, err = d.Next() {
			types[entry.Input.Type] += entry.Count
			last = entry.Input.At
		}
		if err != io.EOF {
			t.Fatal(err)
		}
		if asks := types[core.AskAdd]; asks < 5000 || asks > 8000 {
			t.Errorf("seed %d: %d asks", seed, asks)
		}
		if types[core.NodeAdd] != 61 || types[core.NodeRemove] != 1 || types[core.ConfigSet] != 2 || types[core.NodeDrain] != 1 {
			t.Errorf("seed %d: %v", seed, types)
		}
		if last > 24*time.Hour {
			t.Errorf("seed %d: goes on until %v", seed, last)
		}
	}
}

func TestTheDemonstrationShowsWaitsPreemptionFailuresAndAReload(t *testing.T) {
	var text bytes.Buffer
	if err := Demo(&text, 1); err != nil {
		t.Fatal(err)
	}
	asked, waited := map[string]time.Duration{}, 0
	counts := map[string]int{}
	_, err := journal.Replay(core.New(core.Options{}), journal.NewDecoder(&text, "demo.jsonl", nil), journal.Options{Idle: true,
		Inputs: func(e *journal.Entry, _ core.Reason) { asked[e.Input.ID] = e.Input.At },
		Decisions: func(decisions []core.Decision) {
			for _, d := range decisions {
				counts[string(d.Type)]++
				counts[string(d.Reason)]++
				if d.Type == core.Allocation && d.At > asked[d.ID]+time.Minute {
					waited++
				}
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	for what, least := range map[string]int{"allocation": 5000, "reservation": 10, "preemption": 5, "preempted": 5, "node_removed": 1, "queue-draining": 1, "removed": 1,
		"empty": 1, "config.accepted": 2, "app.rejected": 1} {
		if counts[what] < least {
			t.Errorf("%d of %s, at least %d were to come", counts[what], what, least)
		}
	}
	if waited < 200 || counts["config.rejected"] > 0 || counts["ignored"] > 0 {
		t.Errorf("%d asks waited, %v", waited, counts)
	}
}
