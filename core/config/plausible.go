package config

import (
	"slices"
	"strconv"

	"github.com/quern-project/quern/core/nearest"
	"github.com/quern-project/quern/core/resource"
)

const (
	littleMemory = 1 << 20   // bytes; a smaller amount probably lacks its suffix
	manyCores    = 1_000_000 // of a queue, a user or a group
	thousandths  = 1000      // of a core, in one
	mostLetters  = 2.5       // two letters, with a margin for rounding

	memory    = "memory" // stored in bytes
	nvidiaGPU = "nvidia.com/gpu"
)

// ImplausibleType returns the reason why a resource type is probably a mistake, or "". types are the types of the nodes, or nil if unknown.
func ImplausibleType(name string, types []string) string {
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

// slipOf returns the known type that differs in at most two letters, or "". Larger differences may be intended.
func slipOf(name string, known []string) string {
	found := nearest.Names(name, known)
	if len(found) == 0 || nearest.Distance(name, found[0])*float64(max(len(name), len(found[0]))) > mostLetters {
		return ""
	}
	return found[0]
}

// TypeElsewhere returns the resource type that has this name in other systems, or "".
func TypeElsewhere(name string) string {
	switch name {
	case "cpu", "cpus", "core", "cores", "vcpu", "vcpus":
		return resource.VCore
	case "mem", "ram":
		return memory
	}
	return ""
}

// ImplausibleAmount returns the reason why an amount is probably a mistake, or "". mostCores is the largest plausible amount of vcore.
func ImplausibleAmount(q resource.Quantity, mostCores int64) string {
	switch {
	case q.Type == memory && q.Value > 0 && q.Value < littleMemory:
		return strconv.FormatInt(q.Value, 10) + " bytes of memory are implausible; is a suffix such as Mi or Gi missing?"
	case q.Type == resource.VCore && q.Value/thousandths >= mostCores:
		return strconv.FormatInt(q.Value/thousandths, 10) + " cores are implausible; is the suffix m, for thousandths of a core, missing?"
	}
	return ""
}

// warnAmount warns about a quantity that is valid, but probably a mistake.
func (d *decoder) warnAmount(queue, key string, f *field, q resource.Quantity) {
	if !d.options.Implausible {
		return
	}
	d.warnType(queue, key, f)
	if text := ImplausibleAmount(q, manyCores); text != "" {
		d.warn(f.value.at, queue, key, text)
	}
}

// warnType warns about the name of a type that is probably a mistake.
func (d *decoder) warnType(queue, key string, f *field) {
	if !d.options.Implausible {
		return
	}
	if text := ImplausibleType(f.name, d.options.Types); text != "" {
		d.warn(f.at, queue, key, text)
	}
}
