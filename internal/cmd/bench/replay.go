package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/workload"
)

// replays run the program that operators use, as a process of its own.
func replays(s scale, program string) group {
	g := group{
		name: "replay",
		about: "`quern replay` of the journal of a fill, from start to exit, with its summary as JSON. Outside of the scheduler are reading the journal, the books, " +
			"the summary, and the start of the process. Sizes are nodes / asks / leaf queues.",
		columns: []column{{duration, milli, false}, {inside, milli, false}, {outside, milli, false}, {share, "", false}, {residentMemory, megabyte, false}},
	}
	if program == "" {
		return g
	}
	for _, size := range []fillSize{{10_000, 50_000, 100}, {100_000, million, 10_000}} {
		nodes, asks, queues := s.of(size.nodes, 100), s.of(size.asks, 1000), s.of(size.queues, 25)
		c := benchCase{name: "replay", size: []int{nodes, asks, queues}, wanted: map[string]float64{share: 0.5, residentMemory: gibibyte}}
		c.run = func() (sample, error) { return runReplay(program, nodes, asks, queues) }
		g.cases = append(g.cases, c)
	}
	return g
}

const (
	inside         = "in the scheduler"
	outside        = "outside of it"
	share          = "outside of inside"
	residentMemory = "resident memory"
)

func runReplay(program string, nodes, asks, queues int) (sample, error) {
	folder, err := os.MkdirTemp("", "bench-replay-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	file := filepath.Join(folder, "fill.jsonl")
	if err := writeJournal(file, workload.Fill(nodes, asks, queues, seed)); err != nil {
		return nil, err
	}
	cmd := exec.Command(program, "replay", "--json", file)
	var out bytes.Buffer
	cmd.Stdout = &out
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s replay: %w", program, err)
	}
	peak := watchPeak(cmd.Process.Pid)
	err = cmd.Wait()
	whole, most := time.Since(began), peak()
	if err != nil {
		return nil, fmt.Errorf("%s replay: %w", program, err)
	}
	var summary struct {
		Allocated int     `json:"allocated"`
		Rate      float64 `json:"allocations_per_second"`
	}
	if err := json.Unmarshal(out.Bytes(), &summary); err != nil {
		return nil, fmt.Errorf("%s replay --json: %w", program, err)
	}
	if summary.Allocated != asks {
		return nil, fmt.Errorf("%d of %d asks are allocated", summary.Allocated, asks)
	}
	scheduler := time.Duration(float64(summary.Allocated) / summary.Rate * float64(time.Second))
	rest := whole - scheduler
	return sample{each(whole, 1, time.Millisecond), each(scheduler, 1, time.Millisecond), each(rest, 1, time.Millisecond), float64(rest) / float64(scheduler),
		most}, nil
}

// watchPeak reads the peak of a process's resident memory until the function that it returns is called, which returns the
// last that was read, in megabytes. What the system tells of a process that has ended is no use: it counts the peak of the
// process that started it, too.
func watchPeak(pid int) (stop func() float64) {
	done, peak := make(chan struct{}), make(chan float64)
	go func() {
		most := 0.0
		for {
			most = max(most, peakOf(pid))
			select {
			case <-done:
				peak <- most
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return func() float64 { close(done); return <-peak }
}

// peakOf is the peak of a process's resident memory so far, in megabytes; 0 where the system does not say.
func peakOf(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var kibibytes float64
	_, _ = fmt.Sscan(rest, &kibibytes) // without a figure it stays 0
	return kibibytes * 1024 / 1e6
}

// writeJournal writes the inputs of a workload.
func writeJournal(file string, w workload.Workload) (err error) {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() {
		if closed := out.Close(); err == nil {
			err = closed
		}
	}()
	e := journal.NewEncoder(out, journal.Relative)
	if err := e.Header(journal.Header{}); err != nil {
		return err
	}
	for _, in := range w.All() {
		if err := e.Entry(&journal.Entry{Input: in, Count: 1}); err != nil {
			return err
		}
	}
	return e.Flush()
}
