package state

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/api"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// Quarantine: a policy that fails is asked again after firstBackOff, and each time it fails again after twice as long.
const (
	firstBackOff = time.Second
	lastBackOff  = 5 * time.Minute
)

// Policies keeps what exists and what is in force.
type Policies struct {
	modules    map[string]*module // announced by policy.set
	hosts      map[string]*module // host predicates, by id
	predicates map[string]*policy.Acting
	acting     map[actingKey]*policy.Acting
	answered   []api.Answers
	symbols    *policy.SymbolTable
	types      int // that the policies know

	JudgeApps bool // a module orders applications somewhere
	Filtered  bool // node.filter policies decide about every ask
}

type actingKey struct {
	point policy.Point
	name  string
}

// module is a policy that a policy.set announced, or a host predicate, with its calls and its quarantine.
type module struct {
	policy.Module
	set      api.PolicyModule
	impure   bool
	gone     bool // removed: its fallback answers where it is still named
	calls    uint64
	recorded []api.Answers // to be served, in order
	backOff  time.Duration
	until    time.Duration // in quarantine until then; 0: not
	returned time.Duration // from its last quarantine
}

func newPolicies(types *resource.Types) Policies {
	return Policies{symbols: policy.NewSymbolTable(types), modules: map[string]*module{}, hosts: map[string]*module{}, predicates: map[string]*policy.Acting{}, acting: map[actingKey]*policy.Acting{}}
}

// order returns the policy of a name in force at a point other than node.score.
func (s *State) order(p policy.Point, name string) *policy.Acting {
	k := actingKey{p, name}
	if a := s.Policies.acting[k]; a != nil {
		return a
	}
	a := &policy.Acting{Point: p}
	if !s.actBuiltin(a, name, nil) {
		s.actFor(a, s.Policies.modules[name], nil)
	}
	s.Policies.acting[k] = a
	return a
}

// actBuiltin puts the built-in of a name, if there is one, behind an acting policy.
func (s *State) actBuiltin(a *policy.Acting, name string, weights []policy.Weight) bool {
	m := policy.Builtin(a.Point, name, weights)
	if m != nil && s.Options.Witness != nil {
		if seen := s.Options.Witness(a.Point, m); seen != m {
			m, a.Symbols = seen, s.Policies.symbols
		}
	}
	a.Module = m
	return m != nil
}

// Rewitness shows Options.Witness the built-ins in force once more, where it would return something else than before.
// Nothing is decided otherwise.
func (s *State) Rewitness() {
	for k := range s.Policies.acting {
		if policy.Builtin(k.point, k.name, nil) != nil {
			delete(s.Policies.acting, k)
		}
	}
	s.enforce(s.Conf)
	s.upset()
}

// actFor puts a module behind an acting policy, with its fallback.
func (s *State) actFor(a *policy.Acting, m *module, weights []policy.Weight) {
	spec := m.Points[a.Point]
	if spec == nil || m.gone { // it served the point when it was named
		a.Module = policy.Fallback(a.Point, "", weights)
		if spec != nil {
			a.Module = policy.Fallback(a.Point, spec.Fallback, weights)
		}
		return
	}
	a.Module, a.Fallback, a.Symbols = &m.Module, policy.Fallback(a.Point, spec.Fallback, weights), s.Policies.symbols
	a.OnFault = func(_ *policy.Acting, fault error) { s.fault(m, fault) }
	if m.until > 0 {
		a.Fail()
	}
}

// scoreOf returns the node order of a configuration.
func (s *State) scoreOf(c *config.Partition) *policy.Acting {
	weights := weightsOf(c)
	a := &policy.Acting{Point: policy.NodeScore}
	if !s.actBuiltin(a, c.NodeSort.Policy, weights) {
		s.actFor(a, s.Policies.modules[c.NodeSort.Policy], weights)
	}
	s.Policies.acting[actingKey{policy.NodeScore, c.NodeSort.Policy}] = a
	return a
}

// NodeWeights are the weights of types in a node's utilisation.
func (s *State) NodeWeights() []policy.Weight { return weightsOf(s.Conf) }

func weightsOf(c *config.Partition) []policy.Weight {
	out := make([]policy.Weight, 0, len(c.NodeSort.Weights))
	for _, w := range c.NodeSort.Weights {
		out = append(out, policy.Weight{Type: w.Type, Thousandths: w.Thousandths})
	}
	return out
}

// predicate returns the policy that answers for a host predicate.
func (s *State) predicate(id string) *policy.Acting {
	if a := s.Policies.predicates[id]; a != nil {
		return a
	}
	m := s.Policies.hosts[id]
	if m == nil {
		m = &module{impure: true}
		m.Manifest = policy.Manifest{Name: id, Impure: true, Points: map[policy.Point]*policy.PointSpec{
			policy.NodeFilter: {Keys: 1, Depends: policy.OnAsk},
		}}
		s.bind(m)
		s.Policies.hosts[id] = m
	}
	a := &policy.Acting{Point: policy.NodeFilter}
	s.actFor(a, m, nil)
	a.Fallback = policy.RefuseAll()
	s.Policies.predicates[id] = a
	return a
}

// bind finds the evaluator that answers for a module.
func (s *State) bind(m *module) {
	var e policy.Evaluator
	if s.Options.Evaluator != nil {
		told := api.Announcement{PolicyModule: api.PolicyModule{Name: m.Name, SHA256: m.set.SHA256, Manifest: m.set.Manifest}}
		if m.set.Manifest != "" {
			told.Parsed = m.Manifest.Clone()
		}
		e = s.Options.Evaluator(told)
	}
	if s.Options.Impure != nil && s.Options.Impure(m.Name) {
		m.impure = true
	}
	m.Evaluator = &caller{s, m, e}
}

// fault puts a module in quarantine and says so.
func (s *State) fault(m *module, fault error) {
	d := s.emit(api.PolicyFault)
	d.Policy, d.Reason, d.Message = m.Name, api.ReasonPolicyFailed, fault.Error()
	switch {
	case errors.Is(fault, errDiverged):
		d.Reason = api.ReasonPolicyDiverged
	case errors.Is(fault, policy.ErrImpure):
		d.Reason = api.ReasonPolicyImpure
	case errors.Is(fault, policy.ErrUnstable):
		d.Reason = api.ReasonPolicyUnstable
	case errors.Is(fault, policy.ErrAnswer):
		d.Reason = api.ReasonPolicyAnswer
	case errors.Is(fault, errMissing):
		d.Reason = api.ReasonPolicyMissing
	}
	if m.backOff == 0 || s.Now-m.returned > m.backOff {
		m.backOff = firstBackOff
	} else {
		m.backOff = min(2*m.backOff, lastBackOff)
	}
	m.until = s.Now + m.backOff
	s.eachActing(m, func(a *policy.Acting) {
		a.Fail()
		d.Fallback = a.Fallback.Name
	})
	s.upset()
}

// eachActing calls do with everything that a module stands behind, in a fixed order.
func (s *State) eachActing(m *module, do func(*policy.Acting)) {
	for _, p := range policy.Points() {
		if a := s.Policies.acting[actingKey{p, m.Name}]; a != nil && a.Module == &m.Module {
			do(a)
		}
	}
	if a := s.Policies.predicates[m.Name]; a != nil && a.Module == &m.Module {
		do(a)
	}
}

// all lists modules and then host predicates, each by name.
func (s *Policies) all() []*module {
	var list []*module
	for _, from := range []map[string]*module{s.modules, s.hosts} {
		for _, name := range slices.Sorted(maps.Keys(from)) {
			list = append(list, from[name])
		}
	}
	return list
}

// nextReturn is when the next module leaves quarantine.
func (s *Policies) nextReturn() (at time.Duration, ok bool) {
	for _, from := range []map[string]*module{s.modules, s.hosts} {
		for _, m := range from {
			if m.until > 0 {
				at, ok = Sooner(at, ok, m.until), true
			}
		}
	}
	return at, ok
}

// returnPolicies lets modules answer again whose quarantine is over.
func (s *State) returnPolicies() {
	if at, ok := s.Policies.nextReturn(); !ok || at > s.Now {
		return
	}
	for _, m := range s.Policies.all() {
		if m.until > 0 && m.until <= s.Now {
			m.until, m.returned = 0, s.Now
			s.eachActing(m, func(a *policy.Acting) { a.Recover() })
			s.upset()
		}
	}
}

// widenPolicies has policies that read columns of every type asked anew when there are new types.
func (s *State) widenPolicies() {
	if s.Policies.types == s.Types.Len() {
		return
	}
	s.Policies.types = s.Types.Len()
	upset := false
	for _, m := range s.Policies.all() {
		s.eachActing(m, func(a *policy.Acting) { upset = a.Widen() || upset })
	}
	if upset {
		s.upset()
	}
	for _, a := range s.Policies.acting {
		if a.Fallback == nil { // a built-in, whose answers stay as they are
			a.Widen()
		}
	}
}

// upset has every order looked at anew: another policy answers than before.
func (s *State) upset() {
	s.World++
	s.note(PoliciesChanged)
}

func (s *State) setPolicy(in *api.Input) {
	p := in.Policy
	manifest, err := policy.ParseManifest(p.Manifest)
	if err == nil && manifest.Name != p.Name {
		err = fmt.Errorf("manifest: name: expected %q, found %q", p.Name, manifest.Name)
	}
	if err != nil {
		s.ignore(in, api.ReasonBadManifest, err.Error())
		return
	}
	m := &module{set: *p, impure: manifest.Impure}
	m.Manifest = *manifest
	s.bind(m)
	s.Policies.modules[p.Name] = m
	s.replace(p.Name)
}

func (s *State) removePolicy(in *api.Input) {
	m := s.Policies.modules[in.Policy.Name]
	if m == nil || m.gone {
		s.ignore(in, api.ReasonUnknownPolicy, fmt.Sprintf("there is no policy %q", in.Policy.Name))
		return
	}
	used := false
	fallback := ""
	s.eachActing(m, func(a *policy.Acting) {
		if s.inForce(a) {
			used, fallback = true, a.Fallback.Name
		}
	})
	if used {
		d := s.emit(api.PolicyFault)
		d.Policy, d.Reason, d.Message, d.Fallback = m.Name, api.ReasonPolicyRemoved, "the policy was removed while in force", fallback
	}
	m.gone, m.until = true, 0
	s.replace(m.Name)
}

// replace puts what now exists under a name in force wherever the name is in use.
func (s *State) replace(name string) {
	for k := range s.Policies.acting {
		if k.name == name {
			delete(s.Policies.acting, k)
		}
	}
	s.enforce(s.Conf)
	s.upset()
}

// inForce reports whether the configuration uses an acting policy.
func (s *State) inForce(a *policy.Acting) bool {
	name := a.Module.Name
	switch a.Point {
	case policy.NodeScore:
		return s.Conf.NodeSort.Policy == name
	case policy.NodeFilter:
		return true
	case policy.VictimRank:
		return s.RankPolicy() == a
	}
	for _, q := range s.ByPath {
		if q.Conf.AppSort == name && a.Point == policy.AppOrder || q.Conf.AskSort == name && a.Point == policy.AskOrder ||
			q.Conf.QueueSort == name && a.Point == policy.QueueOrder {
			return true
		}
	}
	return false
}

// serves reports whether a policy of a name exists that serves a point.
func (s *State) serves(point, name string) bool {
	m := s.Policies.modules[name]
	return m != nil && !m.gone && m.Points[policy.Point(point)] != nil
}

// RankPolicy is the victim.rank policy in force: the one that comes first by name, since no configuration names it; nil
// where there is none.
func (s *State) RankPolicy() *policy.Acting {
	for _, name := range slices.Sorted(maps.Keys(s.Policies.modules)) {
		m := s.Policies.modules[name]
		if m.gone || m.Points[policy.VictimRank] == nil {
			continue
		}
		k := actingKey{policy.VictimRank, name}
		if s.Policies.acting[k] == nil {
			a := &policy.Acting{Point: policy.VictimRank}
			s.actFor(a, m, nil)
			s.Policies.acting[k] = a
		}
		return s.Policies.acting[k]
	}
	return nil
}

// Any reports whether any policy module or host predicate has been named.
func (s *Policies) Any() bool { return len(s.modules)+len(s.hosts) > 0 }
