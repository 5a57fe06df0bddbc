package config

import (
	"slices"
	"strconv"

	"github.com/quern-project/quern/core/nearest"
	"github.com/quern-project/quern/core/resource"
)

const (
	littleMemory = 1 << 20   // bytes; less than that is probably a number without its suffix
	manyCores    = 1_000_000 // of a queue, a user or a group
	thousandths  = 1000      // of a core, in one
	mostLetters  = 2.5       // of two letters, whatever the rounding

	memory    = "memory" // stored in bytes
	nvidiaGPU = "nvidia.com/gpu"
)

// DoubtType says why a resource type is probably a slip; empty: it is not. Types are those of the nodes; nil: they are not known.
func DoubtType(name string, types []string) string {
	if name == resource.VCore || name == memory || slices.Contains(types, name) {
		return ""
	}
	known := append([]string{memory, resource.VCore}, types...)
	if len(types) == 0 {
		known = append(known, nvidiaGPU)
	}
	meant := TypeElsewhere(name)
	if meant == "" {
		meant = slipOf(name, known)
	}
	switch {
	case meant == "" || meant == name:
		return ""
	case len(types) > 0:
		return "no node has the resource type " + quote(name) + "; is " + quote(meant) + " meant?"
	}
	return quote(name) + " is an unusual resource type; is " + quote(meant) + " meant?"
}

// slipOf is the known type that differs in two letters at most; empty: none does. Types may be alike on purpose.
func slipOf(name string, known []string) string {
	found := nearest.Names(name, known)
	if len(found) == 0 || nearest.Unlike(name, found[0])*float64(max(len(name), len(found[0]))) > mostLetters {
		return ""
	}
	return found[0]
}

// TypeElsewhere returns the resource type that other systems call by this name; empty: there is none.
func TypeElsewhere(name string) string {
	switch name {
	case "cpu", "cpus", "core", "cores", "vcpu", "vcpus":
		return resource.VCore
	case "mem", "ram":
		return memory
	}
	return ""
}

// DoubtAmount says why an amount is probably a slip; empty: it is not. MostCores bounds plausible amounts of vcore.
func DoubtAmount(q resource.Quantity, mostCores int64) string {
	switch {
	case q.Type == memory && q.Value > 0 && q.Value < littleMemory:
		return strconv.FormatInt(q.Value, 10) + " bytes of memory are implausible; is a suffix such as Mi or Gi missing?"
	case q.Type == resource.VCore && q.Value/thousandths >= mostCores:
		return strconv.FormatInt(q.Value/thousandths, 10) + " cores are implausible; is the suffix m, for thousandths of a core, missing?"
	}
	return ""
}

// doubt warns about a quantity that is legal and probably a slip.
func (d *decoder) doubt(queue, key string, f *field, q resource.Quantity) {
	if !d.options.Doubts {
		return
	}
	d.doubtType(queue, key, f)
	if text := DoubtAmount(q, manyCores); text != "" {
		d.warn(f.value.at, queue, key, text)
	}
}

// doubtType warns about the name of a type.
func (d *decoder) doubtType(queue, key string, f *field) {
	if !d.options.Doubts {
		return
	}
	if text := DoubtType(f.name, d.options.Types); text != "" {
		d.warn(f.at, queue, key, text)
	}
}
