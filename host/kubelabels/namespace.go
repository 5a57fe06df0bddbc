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

// AutogenAppID is the application of the pods of a namespace with GenerateAppID that name none.
func AutogenAppID(namespace string) string { return "yunikorn-" + namespace + "-autogen" }

// either returns the value of an annotation that has two names.
func (m Metadata) either(name string) (key, text string) {
	for _, key := range []string{Domain + "namespace." + name, Domain + name} {
		if text := m.Annotations[key]; text != "" {
			return key, text
		}
	}
	return "", ""
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
