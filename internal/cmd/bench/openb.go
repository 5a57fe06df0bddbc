package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal/openb"
	"github.com/quern-project/quern/core/scheduler"
)

// lists yields the lists of a trace: nodes and pods.
type lists func() (nodes, pods []byte, err error)

func readOpenb(folder string) (nodes, pods []byte, err error) {
	if nodes, err = os.ReadFile(filepath.Join(folder, "nodes.csv")); err != nil {
		return nil, nil, err
	}
	pods, err = os.ReadFile(filepath.Join(folder, "pods-default.csv"))
	return nodes, pods, err
}

// openbRun runs a trace. Only the time inside the scheduler counts, not the reading of the lists.
func openbRun(read lists, atOnce bool) (sample, error) {
	before := live()
	inputs, err := openbInputs(read, atOnce)
	if err != nil {
		return nil, err
	}
	runtime.GC()

	d := driver{scheduler.New(core.Options{})}
	began := time.Now()
	made := 0
	for from := 0; from < len(inputs); {
		to, at := from+1, inputs[from].At
		for to < len(inputs) && inputs[to].At == at {
			to++
		}
		made += d.advance(at)
		d.apply(inputs[from:to])
		made += d.decide()
		from = to
	}
	took := time.Since(began)
	if made == 0 {
		return nil, errors.New("nothing is allocated")
	}
	inputs = nil
	megabytes := grown(before)
	runtime.KeepAlive(d.Scheduler)
	return sample{each(took, 1, time.Millisecond), float64(made) / took.Seconds(), float64(made), megabytes}, nil
}

func openbInputs(read lists, atOnce bool) ([]core.Input, error) {
	nodes, pods, err := read()
	if err != nil {
		return nil, err
	}
	source, config, err := openb.Read(bytes.NewReader(nodes), bytes.NewReader(pods), openb.Options{NodesName: "nodes", PodsName: "pods", Fill: atOnce})
	if err != nil {
		return nil, err
	}
	inputs := []core.Input{{Event: &core.SetConfig{Config: config}}}
	for {
		entry, err := source.Next()
		if errors.Is(err, io.EOF) {
			return inputs, nil
		}
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, entry.Input)
	}
}
