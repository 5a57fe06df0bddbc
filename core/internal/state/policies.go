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

// Modules keeps the policies that exist, for all partitions.
type Modules struct {
	announced map[string]*module // by policy.set
	hosts     map[string]*module // host predicates, by id
	answered  []api.Answers

	Faults uint64 // that there have been: each may have asks of any partition looked at anew
}

func newModules() Modules {
	return Modules{announced: map[string]*module{}, hosts: map[string]*module{}}
}

// Policies keeps what is in force in a partition.
type Policies struct {
	predicates map[string]*policy.Acting
	acting     map[actingKey]*policy.Acting
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

// newPolicies makes the policies of one more partition. Texts have the same numbers in all of them, since a module serves
// all.
func newPolicies(c *Shared, types *resource.Types) Policies {
	p := Policies{predicates: map[string]*policy.Acting{}, acting: map[actingKey]*policy.Acting{}}
	if len(c.Partitions) == 0 {
		p.symbols = policy.NewSymbolTable(types)
	} else {
		p.symbols = c.Partitions[0].Policies.symbols.Share(types)
	}
	return p
}

// order returns the policy of a name in force at a point other than node.score.
func (s *State) order(p policy.Point, name string) *policy.Acting {
	k := actingKey{p, name}
	if a := s.Policies.acting[k]; a != nil {
		return a
	}
	a := &policy.Acting{Point: p}
	if !s.actBuiltin(a, name, nil) {
		s.actFor(a, s.Modules.announced[name], nil)
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
func (c *Shared) Rewitness() {
	for _, s := range c.Partitions {
		for k := range s.Policies.acting {
			if policy.Builtin(k.point, k.name, nil) != nil {
				delete(s.Policies.acting, k)
			}
		}
		s.enforce(s.Conf)
		s.upset()
	}
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
		s.actFor(a, s.Modules.announced[c.NodeSort.Policy], weights)
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
	a := &policy.Acting{Point: policy.NodeFilter}
	s.actFor(a, s.host(id), nil)
	a.Fallback = policy.RefuseAll()
	s.Policies.predicates[id] = a
	return a
}

// host is the module of a host predicate.
func (c *Shared) host(id string) *module {
	m := c.Modules.hosts[id]
	if m == nil {
		m = &module{impure: true}
		m.Manifest = policy.Manifest{Name: id, Impure: true, Points: map[policy.Point]*policy.PointSpec{
			policy.NodeFilter: {Keys: 1, Depends: policy.OnAsk},
		}}
		c.bind(m)
		c.Modules.hosts[id] = m
	}
	return m
}

// bind finds the evaluator that answers for a module.
func (c *Shared) bind(m *module) {
	var e policy.Evaluator
	if c.Options.Evaluator != nil {
		told := api.Announcement{PolicyModule: api.PolicyModule{Name: m.Name, SHA256: m.set.SHA256, Manifest: m.set.Manifest}}
		if m.set.Manifest != "" {
			told.Parsed = m.Manifest.Clone()
		}
		e = c.Options.Evaluator(told)
	}
	if c.Options.Impure != nil && c.Options.Impure(m.Name) {
		m.impure = true
	}
	m.Evaluator = &caller{c, m, e}
}

// fault puts a module in quarantine and says so.
func (c *Shared) fault(m *module, fault error) {
	d := c.emit(api.PolicyFault)
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
	if m.backOff == 0 || c.Now-m.returned > m.backOff {
		m.backOff = firstBackOff
	} else {
		m.backOff = min(2*m.backOff, lastBackOff)
	}
	m.until = c.Now + m.backOff
	c.Modules.Faults++
	for _, s := range c.Partitions {
		s.eachActing(m, func(a *policy.Acting) {
			a.Fail()
			d.Fallback = a.Fallback.Name
		})
		s.upset()
	}
}

// eachActing calls do with everything in the partition that a module stands behind, in a fixed order.
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
func (s *Modules) all() []*module {
	var list []*module
	for _, from := range []map[string]*module{s.announced, s.hosts} {
		for _, name := range slices.Sorted(maps.Keys(from)) {
			list = append(list, from[name])
		}
	}
	return list
}

// nextReturn is when the next module leaves quarantine.
func (s *Modules) nextReturn() (at time.Duration, ok bool) {
	for _, from := range []map[string]*module{s.announced, s.hosts} {
		for _, m := range from {
			if m.until > 0 {
				at, ok = Sooner(at, ok, m.until), true
			}
		}
	}
	return at, ok
}

// Any reports whether any policy module or host predicate has been named.
func (s *Modules) Any() bool { return len(s.announced)+len(s.hosts) > 0 }

// returnPolicies lets modules answer again whose quarantine is over.
func (c *Shared) returnPolicies() {
	if at, ok := c.Modules.nextReturn(); !ok || at > c.Now {
		return
	}
	for _, m := range c.Modules.all() {
		if m.until == 0 || m.until > c.Now {
			continue
		}
		m.until, m.returned = 0, c.Now
		for _, s := range c.Partitions {
			s.eachActing(m, func(a *policy.Acting) { a.Recover() })
			s.upset()
		}
	}
}

// widenPolicies has policies that read columns of every type asked anew when there are new types.
func (s *State) widenPolicies() {
	s.Policies.types = s.Types.Len()
	upset := false
	for _, m := range s.Modules.all() {
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

func (c *Shared) setPolicy(in *api.Input) {
	p := in.Policy
	manifest, err := policy.ParseManifest(p.Manifest)
	if err == nil && manifest.Name != p.Name {
		err = fmt.Errorf("manifest: name: expected %q, found %q", p.Name, manifest.Name)
	}
	if err != nil {
		c.ignore(in, api.ReasonBadManifest, err.Error())
		return
	}
	m := &module{set: *p, impure: manifest.Impure}
	m.Manifest = *manifest
	c.bind(m)
	c.Modules.announced[p.Name] = m
	c.replace(p.Name)
}

func (c *Shared) removePolicy(in *api.Input) {
	m := c.Modules.announced[in.Policy.Name]
	if m == nil || m.gone {
		c.ignore(in, api.ReasonUnknownPolicy, fmt.Sprintf("there is no policy %q", in.Policy.Name))
		return
	}
	used := false
	fallback := ""
	for _, s := range c.Partitions {
		s.eachActing(m, func(a *policy.Acting) {
			if s.inForce(a) {
				used, fallback = true, a.Fallback.Name
			}
		})
	}
	if used {
		d := c.emit(api.PolicyFault)
		d.Policy, d.Reason, d.Message, d.Fallback = m.Name, api.ReasonPolicyRemoved, "the policy was removed while in force", fallback
	}
	m.gone, m.until = true, 0
	c.replace(m.Name)
}

// replace puts what now exists under a name in force wherever the name is in use.
func (c *Shared) replace(name string) {
	for _, s := range c.Partitions {
		for k := range s.Policies.acting {
			if k.name == name {
				delete(s.Policies.acting, k)
			}
		}
		s.enforce(s.Conf)
		s.upset()
	}
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
func (c *Shared) serves(point, name string) bool {
	m := c.Modules.announced[name]
	return m != nil && !m.gone && m.Points[policy.Point(point)] != nil
}

// RankPolicy is the victim.rank policy in force: the one that comes first by name, since no configuration names it; nil
// where there is none.
func (s *State) RankPolicy() *policy.Acting {
	for _, name := range slices.Sorted(maps.Keys(s.Modules.announced)) {
		m := s.Modules.announced[name]
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
