package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal/openb"
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

	d := driver{core.New(core.Options{})}
	began := time.Now()
	made := 0
	for from := 0; from < len(inputs); {
		to, at := from+1, inputs[from].At
		for to < len(inputs) && inputs[to].At == at {
			to++
		}
		made += d.advance(at)
		d.apply(inputs[from:to])
		made += d.settle()
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
	inputs := []core.Input{{Type: core.ConfigSet, Config: config}}
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

// Kinds of nodes and pods of the generated trace, with their parts in a hundred.
var (
	openbMachines = []struct {
		part, cores, gibibytes, gpus int
		model                        string
	}{
		{40, 96, 384, 8, "A"}, {25, 104, 512, 2, "B"}, {20, 64, 256, 0, ""}, {10, 16, 120, 2, "C"}, {5, 128, 768, 8, "D"},
	}
	openbShares = []int{250, 330, 500, 660, 1000, 1000, 1000, 1000} // of one GPU, in thousandths
	openbQoS    = []string{"LS", "LS", "LS", "LS", "LS", "LS", "BE", "BE", "BE", "BE", "BE", "Burstable"}
)

// generateOpenb makes a trace in the form of the public one: machines of a few kinds, pods in some 150 shapes of which
// most want a GPU or a share of one, and times over five months in which few pods stay long.
func generateOpenb(nodes, pods int, seed uint64) (nodeList, podList []byte, err error) {
	rng := rand.New(rand.NewPCG(seed, openbPods))
	var machines, tasks bytes.Buffer
	machines.WriteString("sn,cpu_milli,memory_mib,gpu,model\n")
	for i := range nodes {
		m, part := 0, rng.IntN(100)
		for part >= openbMachines[m].part {
			part -= openbMachines[m].part
			m++
		}
		k := &openbMachines[m]
		fmt.Fprintf(&machines, "node-%04d,%d,%d,%d,%s\n", i, k.cores*1000, k.gibibytes<<10, k.gpus, k.model)
	}
	tasks.WriteString("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n")
	for i := range pods {
		cores, memory := 2+2*rng.IntN(5), 4+4*rng.IntN(3)
		gpus, share := "1", fmt.Sprint(openbShares[rng.IntN(len(openbShares))])
		switch rng.IntN(100) {
		case 0:
			gpus, share = fmt.Sprint(2<<rng.IntN(3)), "1000"
		case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13:
			gpus, share = "0", ""
		}
		created := rng.IntN(13_000_000)
		stays := int(100 * rng.ExpFloat64() * rng.ExpFloat64() * 10)
		fmt.Fprintf(&tasks, "pod-%04d,%d,%d,%s,%s,,%s,Running,%d,%d,%d\n", i, cores*1000, memory<<10, gpus, share,
			openbQoS[rng.IntN(len(openbQoS))], created, created+1+stays, created)
	}
	return machines.Bytes(), tasks.Bytes(), nil
}
