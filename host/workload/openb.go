package workload

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
)

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

// Openb makes the lists of a trace in the form of the public openb trace: machines of a few kinds, pods in some 150
// shapes of which most want a GPU or a share of one, and times over five months in which few pods stay long.
func Openb(nodes, pods int, seed uint64) (nodeList, podList []byte) {
	rng := random(seed, openbStream)
	return machineList(rng, nodes), taskList(rng, pods)
}

func machineList(rng *rand.Rand, n int) []byte {
	var list bytes.Buffer
	list.WriteString("sn,cpu_milli,memory_mib,gpu,model\n")
	for i := range n {
		kind, part := 0, rng.IntN(100)
		for part >= openbMachines[kind].part {
			part -= openbMachines[kind].part
			kind++
		}
		m := &openbMachines[kind]
		fmt.Fprintf(&list, "node-%04d,%d,%d,%d,%s\n", i, m.cores*1000, m.gibibytes<<10, m.gpus, m.model)
	}
	return list.Bytes()
}

// latestStart is when the last pods come, in seconds.
const latestStart = 13_000_000

func taskList(rng *rand.Rand, n int) []byte {
	var list bytes.Buffer
	list.WriteString("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n")
	for i := range n {
		cores, gibibytes := 2+2*rng.IntN(5), 4+4*rng.IntN(3)
		qos := openbQoS[rng.IntN(len(openbQoS))]
		created := rng.IntN(latestStart)
		deleted := created + 1 + int(1000*rng.ExpFloat64()*rng.ExpFloat64()) // many short, a few long
		fmt.Fprintf(&list, "pod-%04d,%d,%d,%s,,%s,Running,%d,%d,%d\n", i, cores*1000, gibibytes<<10, gpuFields(rng), qos, created, deleted, created)
	}
	return list.Bytes()
}

// gpuFields returns the number of GPUs and the part of each that is wanted.
func gpuFields(rng *rand.Rand) string {
	switch percent := rng.IntN(100); {
	case percent < 1:
		return strconv.Itoa(2<<rng.IntN(3)) + ",1000"
	case percent < 14:
		return "0,"
	}
	return "1," + strconv.Itoa(openbShares[rng.IntN(len(openbShares))])
}
