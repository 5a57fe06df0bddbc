package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core"
)

// costs are the events that callgrind counts.
type costs struct{ instructions, l1i, l1d, l2 int64 }

func (c *costs) add(d costs) {
	c.instructions += d.instructions
	c.l1i += d.l1i
	c.l1d += d.l1d
	c.l2 += d.l2
}

// profile is what callgrind counted in one phase, by package.
type profile map[string]costs

func (p profile) total() (sum costs) {
	for _, c := range p {
		sum.add(c)
	}
	return sum
}

// The caches that callgrind simulates are the same on every machine: 32 KiB, 8-way, for instructions and for data, and 2 MiB
// as the last level, which is about what a core has for itself.
var cacheFlags = []string{"--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=2097152,16,64"}

// callgrind runs this program's -phases under valgrind and returns a profile for each phase, and the numbers of asks and
// allocations.
func callgrind(name string) (phases [phaseCount]profile, asked, made int, err error) {
	folder, err := os.MkdirTemp("", "bench-callgrind-")
	if err != nil {
		return phases, 0, 0, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	program, err := os.Executable()
	if err != nil {
		return phases, 0, 0, err
	}
	out := filepath.Join(folder, "out")
	args := append([]string{"--tool=callgrind", "--quiet", "--callgrind-out-file=" + out}, cacheFlags...)
	for _, function := range phaseEnds {
		args = append(args, "--dump-before="+function)
	}
	cmd := exec.Command("valgrind", append(args, program, "-phases", name)...)
	// No collection, no preemption and no instructions that valgrind does not know.
	cmd.Env = append(os.Environ(), "GODEBUG=asyncpreemptoff=1,cpu.all=off", "GOGC=off", "GOMAXPROCS=1")
	counts, err := cmd.Output()
	if err != nil {
		return phases, 0, 0, fmt.Errorf("valgrind: %w", err)
	}
	if _, err := fmt.Sscan(string(counts), &asked, &made); err != nil {
		return phases, 0, 0, fmt.Errorf("-phases %s: %w in %q", name, err, counts)
	}
	phases, err = readPhases(out)
	return phases, asked, made, err
}

// readPhases reads the files out.1, out.2 and so on. A function that ends a phase is entered twice where its stack has to
// grow, and then the phase has two files.
func readPhases(out string) (phases [phaseCount]profile, err error) {
	files, err := filepath.Glob(out + ".*")
	if err != nil {
		return phases, err
	}
	for i := range phases {
		phases[i] = profile{}
	}
	for _, file := range files {
		if err := readProfile(file, &phases); err != nil {
			return phases, err
		}
	}
	for i := range phases {
		if len(phases[i]) == 0 {
			return phases, fmt.Errorf("valgrind: no counts before %s", phaseEnds[i])
		}
	}
	return phases, nil
}

// readProfile adds a file in callgrind's format to its phase. The cost of a function is that of its own instructions.
func readProfile(file string, phases *[phaseCount]profile) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	var p profile
	names := map[string]string{} // functions by their number in the file
	var events []string
	var pkg string
	inclusive := false // the next line is the cost of a call
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		key, value, _ := strings.Cut(line, "=")
		switch {
		case strings.HasPrefix(line, "desc: Trigger: --dump-before="):
			if i := slices.Index(phaseEnds[:], value); i >= 0 {
				p = phases[i]
			}
		case p == nil: // the head of the file, or the end of the run
		case strings.HasPrefix(line, "events: "):
			events = strings.Fields(line)[1:]
		case key == "fn" || key == "cfn":
			name := functionName(names, value)
			if key == "fn" {
				pkg = packageOf(name)
			}
		case key == "calls":
			inclusive = true
		case line != "" && strings.ContainsRune("+-*0123456789", rune(line[0])):
			if !inclusive {
				c := p[pkg]
				c.add(readCosts(events, strings.Fields(line)[1:]))
				p[pkg] = c
			}
			inclusive = false
		}
	}
	return lines.Err()
}

// functionName resolves `(number) name`, which later is `(number)` alone.
func functionName(names map[string]string, text string) string {
	number, name, _ := strings.Cut(text, " ")
	if name != "" {
		names[number] = name
	}
	return names[number]
}

// readCosts reads the counts of a line; those at its end that are 0 are left out.
func readCosts(events, fields []string) (c costs) {
	for i, field := range fields {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil || i >= len(events) {
			return costs{}
		}
		switch events[i] {
		case "Ir":
			c.instructions += n
		case "I1mr":
			c.l1i += n
		case "D1mr", "D1mw":
			c.l1d += n
		case "ILmr", "DLmr", "DLmw":
			c.l2 += n
		}
	}
	return c
}

// module begins the paths of our packages.
const module = "github.com/quern-project/quern/"

// packageOf is the package of a function: within our module without the module's path, and else its own.
func packageOf(function string) string {
	name, ours := strings.CutPrefix(function, module)
	if end := strings.IndexAny(name, "([{"); end >= 0 {
		name = name[:end] // what follows may have paths of its own
	}
	folder, last := "", name
	if slash := strings.LastIndex(name, "/"); slash >= 0 {
		folder, last = name[:slash+1], name[slash+1:]
	}
	last, _, dotted := strings.Cut(last, ".")
	switch {
	case ours:
		return folder + last
	case dotted && folder == "":
		return last // of the standard library, or main
	}
	return "libraries of the system"
}

// printCounts runs a workload for callgrind and prints the numbers of asks and allocations.
func printCounts(name, folder string) error {
	for _, r := range phasedRuns(folder) {
		if r.name != name {
			continue
		}
		inputs, err := r.inputs()
		if err != nil {
			return err
		}
		fmt.Println(runPhases(append([]core.Input(nil), inputs...)))
		return nil
	}
	return fmt.Errorf("-phases: expected the name of a workload, found %q", name)
}
