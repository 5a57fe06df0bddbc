package state

import (
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// Modules holds the existing policies for all partitions.
type Modules struct {
	announced map[string]*module // by name: policies announced by policy.set
	hosts     map[string]*module // host predicates, by id
	answered  []core.Answers

	Faults uint64 // number of faults so far; each may cause asks of any partition to be visited again
}

func newModules() Modules {
	return Modules{announced: map[string]*module{}, hosts: map[string]*module{}}
}

// Policies holds the policies that a partition uses.
type Policies struct {
	predicates map[string]*policy.Acting
	acting     map[actingKey]*policy.Acting
	symbols    *policy.SymbolTable
	types      int // number of resource types that the policies know

	JudgeApps bool // a module orders applications in some leaf
	Filtered  bool // node.filter policies are called for every ask
}

type actingKey struct {
	point policy.Point
	name  string
}

// module is a policy announced by policy.set, or a host predicate, with its calls and its quarantine.
type module struct {
	policy.Module
	set      core.PolicyModule
	impure   bool
	gone     bool // removed; its fallback is used if the name is still configured
	calls    uint64
	recorded []core.Answers // answers to be served, in order
	backOff  time.Duration
	until    time.Duration // end of its quarantine; 0 if it is not in quarantine
	returned time.Duration // end of its last quarantine
}

// newPolicies makes the policies of another partition. Codes of texts are the same in all partitions, since they share modules.
func newPolicies(c *Shared, types *resource.Types) Policies {
	p := Policies{predicates: map[string]*policy.Acting{}, acting: map[actingKey]*policy.Acting{}}
	if len(c.partitions) == 0 {
		p.symbols = policy.NewSymbolTable(types)
	} else {
		p.symbols = c.partitions[0].policies.symbols.Share(types)
	}
	return p
}

// order returns the policy with a name for a point other than node.score.
func (s *State) order(p policy.Point, name string) *policy.Acting {
	k := actingKey{p, name}
	if a := s.policies.acting[k]; a != nil {
		return a
	}
	a := &policy.Acting{Point: p}
	if !s.actBuiltin(a, name, nil) {
		s.actFor(a, s.modules.announced[name], nil)
	}
	s.policies.acting[k] = a
	return a
}

// actBuiltin uses the built-in with a name for an acting policy. It reports whether there is one.
func (s *State) actBuiltin(a *policy.Acting, name string, weights []policy.Weight) bool {
	m := policy.Builtin(a.Point, name, weights)
	if m != nil && s.options.Witness != nil {
		if seen := s.options.Witness(a.Point, m); seen != m {
			m, a.Symbols = seen, s.policies.symbols
		}
	}
	a.Module = m
	return m != nil
}

// RefreshShadows passes the built-ins in use to Options.Witness again, after its result would have changed. Decisions are unchanged.
func (c *Shared) RefreshShadows() {
	for _, s := range c.partitions {
		for k := range s.policies.acting {
			if policy.Builtin(k.point, k.name, nil) != nil {
				delete(s.policies.acting, k)
			}
		}
		s.enforce(s.conf)
		s.upset()
	}
}

// actFor uses a module for an acting policy, with its fallback.
func (s *State) actFor(a *policy.Acting, m *module, weights []policy.Weight) {
	spec := m.Points[a.Point]
	if spec == nil || m.gone { // the module served the point when it was configured
		a.Module = policy.Fallback(a.Point, "", weights)
		if spec != nil {
			a.Module = policy.Fallback(a.Point, spec.Fallback, weights)
		}
		return
	}
	a.Module, a.Fallback, a.Symbols = &m.Module, policy.Fallback(a.Point, spec.Fallback, weights), s.policies.symbols
	a.Recorded = m.impure
	a.OnFault = func(_ *policy.Acting, fault error) { s.fault(m, fault) }
	if m.until != 0 {
		a.Fail()
	}
}

// scoreOf returns the node.score policy of a configuration.
func (s *State) scoreOf(c *config.Partition) *policy.Acting {
	weights := weightsOf(c)
	a := &policy.Acting{Point: policy.NodeScore}
	if !s.actBuiltin(a, c.NodeSort.Policy, weights) {
		s.actFor(a, s.modules.announced[c.NodeSort.Policy], weights)
	}
	s.policies.acting[actingKey{policy.NodeScore, c.NodeSort.Policy}] = a
	return a
}

// NodeWeights returns the weights of resource types in the utilisation of nodes.
func (s *State) NodeWeights() []policy.Weight { return weightsOf(s.conf) }

func weightsOf(c *config.Partition) []policy.Weight {
	out := make([]policy.Weight, 0, len(c.NodeSort.Weights))
	for _, w := range c.NodeSort.Weights {
		out = append(out, policy.Weight{Type: w.Type, Thousandths: w.Thousandths})
	}
	return out
}

// predicate returns the policy for a host predicate.
func (s *State) predicate(id string) *policy.Acting {
	if a := s.policies.predicates[id]; a != nil {
		return a
	}
	a := &policy.Acting{Point: policy.NodeFilter}
	s.actFor(a, s.host(id), nil)
	a.Fallback = policy.RefuseAll()
	s.policies.predicates[id] = a
	return a
}

// predicateFails reports whether the fallback is used for a host predicate.
func (s *State) predicateFails(id string) bool {
	m := s.modules.hosts[id]
	return m != nil && m.until != 0
}

// host returns the module of a host predicate.
func (c *Shared) host(id string) *module {
	m := c.modules.hosts[id]
	if m == nil {
		m = &module{impure: true}
		m.Manifest = policy.Manifest{Name: id, Impure: true, Points: map[policy.Point]*policy.PointSpec{
			policy.NodeFilter: {Keys: 1, Depends: policy.PredicateDependence(id)},
		}}
		c.bind(m)
		c.modules.hosts[id] = m
	}
	return m
}

// all returns the modules and then the host predicates, each sorted by name.
func (s *Modules) all() []*module {
	var list []*module
	for _, from := range []map[string]*module{s.announced, s.hosts} {
		for _, name := range slices.Sorted(maps.Keys(from)) {
			list = append(list, from[name])
		}
	}
	return list
}

// Any reports whether any policy module or host predicate has been named.
func (s *Modules) Any() bool { return len(s.announced)+len(s.hosts) > 0 }

// widenPolicies handles new resource types: policies that read columns of every type are called again.
func (s *State) widenPolicies() {
	s.policies.types = s.types.Len()
	upset := false
	for _, m := range s.modules.all() {
		s.eachActing(m, func(a *policy.Acting) { upset = a.Widen() || upset })
	}
	if upset {
		s.upset()
	}
	for _, a := range s.policies.acting {
		if a.Fallback == nil { // a built-in, whose answers do not change
			a.Widen()
		}
	}
}

// upset records that another policy is used, so that every order is updated.
func (s *State) upset() {
	s.shrinkEpoch++
	s.note(PoliciesChanged)
}

// upsetOnce is upset for one of several inputs in a row, between which the log is not read: it records the change once.
func (s *State) upsetOnce() {
	if last := len(s.log.entries) - 1; last >= 0 && s.log.entries[last].kind == PoliciesChanged {
		s.shrinkEpoch++
		return
	}
	s.upset()
}

// RankPolicy returns the victim.rank policy in use, or nil. It is the first by name, since no configuration names it.
func (s *State) RankPolicy() *policy.Acting {
	if len(s.modules.announced) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.modules.announced)) {
		m := s.modules.announced[name]
		if m.gone || m.Points[policy.VictimRank] == nil {
			continue
		}
		k := actingKey{policy.VictimRank, name}
		if s.policies.acting[k] == nil {
			a := &policy.Acting{Point: policy.VictimRank}
			s.actFor(a, m, nil)
			s.policies.acting[k] = a
		}
		return s.policies.acting[k]
	}
	return nil
}
