package kubelabels

import (
	"strconv"

	"github.com/quern-project/quern/core/resource"
)

// Namespace is what the annotations of a namespace set for the queue of its pods.
type Namespace struct {
	Parent          string       // name of the queue above; empty: not set
	Max, Guaranteed resource.Set // nil: not set
	MaxApps         uint64
	HasMaxApps      bool
	GenerateAppID   bool // pods without an application belong to one application of the namespace
}

// Namespace reads the annotations of a namespace. One that cannot be read is left out.
func (m Metadata) Namespace() (n Namespace, bad []*Problem) {
	n.Parent = m.Annotations[ParentQueue]
	note := func(p *Problem) {
		if p != nil {
			bad = append(bad, p)
		}
	}
	var p *Problem
	n.Max, p = m.quota(Quota)
	note(p)
	if _, text := m.either(Quota); text == "" {
		n.Max = m.singleMaxima(note)
	}
	n.Guaranteed, p = m.quota(Guaranteed)
	note(p)
	if key, text := m.either(MaxApps); text != "" {
		most, err := strconv.ParseUint(text, 10, 32)
		if n.MaxApps, n.HasMaxApps = most, err == nil; err != nil {
			n.MaxApps = 0
			note(problem(key, "a whole number", text))
		}
	}
	n.GenerateAppID, _, p = m.choice(GenerateAppID)
	note(p)
	return n, bad
}

// Enabled returns what a namespace says of the scheduling of its pods by this scheduler; given is false where it says nothing, or nothing
// that can be read.
func (m Metadata) Enabled() (enabled, given bool, bad *Problem) { return m.choice(Enable) }

// choice reads an annotation with two names that is true or false.
func (m Metadata) choice(name string) (yes, given bool, bad *Problem) {
	switch key, text := m.either(name); text {
	case "":
		return false, false, nil
	case "true", "false":
		return text == "true", true, nil
	default:
		return false, false, problem(key, `"true" or "false"`, text)
	}
}

// YuniKornScheduler is the name in spec.schedulerName of pods that were written for YuniKorn.
const YuniKornScheduler = "yunikorn"

// AutogenAppID is the application of the pods of a namespace that name none, with GenerateAppID or if they were written for YuniKorn.
func AutogenAppID(namespace string) string { return "yunikorn-" + namespace + "-autogen" }

// OfNamespace reports whether a pod that names no application belongs to the one of its namespace, as on YuniKorn: it was written for that, and
// is of no task group, since an application has one gang.
func (m Metadata) OfNamespace(scheduler string) bool {
	return scheduler == YuniKornScheduler && m.TaskGroup() == "" && m.Annotations[TaskGroupsKey] == ""
}

// either returns the value of an annotation that has two names.
func (m Metadata) either(name string) (key, text string) {
	for _, key := range []string{Domain + "namespace." + name, Domain + name} {
		if text := m.Annotations[key]; text != "" {
			return key, text
		}
	}
	return "", ""
}

// singleMaxima reads the maxima of cpu and memory, which older configurations of YuniKorn have in annotations of their own. If one of them
// cannot be read, neither counts: half of a quota is another quota.
func (m Metadata) singleMaxima(note func(*Problem)) resource.Set {
	var set resource.Set
	for _, one := range []struct{ key, name string }{{MaxCPU, "cpu"}, {MaxMemory, "memory"}} {
		text := m.Annotations[one.key]
		if text == "" {
			continue
		}
		amount, p := amounts(one.key, map[string]Quantity{one.name: Quantity(text)})
		if p != nil {
			note(p)
			return nil
		}
		set = append(set, amount...)
	}
	if set == nil {
		return nil
	}
	return resource.NewSet(set...)
}

func (m Metadata) quota(name string) (resource.Set, *Problem) {
	key, text := m.either(name)
	if text == "" {
		return nil, nil
	}
	var q map[string]Quantity
	if err := decode(text, &q); err != nil || q == nil {
		return nil, problem(key, `an object of quantities such as {"cpu":"4","memory":"16Gi"}`, text)
	}
	return amounts(key, q)
}
