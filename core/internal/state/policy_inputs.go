package state

import (
	"fmt"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
)

func (c *Shared) setPolicy(in *core.SetPolicy) {
	manifest, err := policy.ParseManifest(in.Manifest)
	if err == nil && manifest.Name != in.Name {
		err = fmt.Errorf("manifest: name: expected %q, found %q", in.Name, manifest.Name)
	}
	if err != nil {
		c.ignore(in, core.ReasonBadManifest, err.Error())
		return
	}
	m := &module{set: in.PolicyModule, impure: manifest.Impure}
	m.Manifest = *manifest
	c.bind(m)
	c.modules.announced[in.Name] = m
	c.replace(in.Name)
}

func (c *Shared) removePolicy(in *core.RemovePolicy) {
	m := c.modules.announced[in.Name]
	if m == nil || m.gone {
		if c.forgetPredicate(in.Name) {
			return
		}
		c.ignore(in, core.ReasonUnknownPolicy, fmt.Sprintf("there is no policy %q", in.Name))
		return
	}
	used := false
	fallback := ""
	for _, s := range c.partitions {
		s.eachActing(m, func(a *policy.Acting) {
			if s.inForce(a) {
				used, fallback = true, a.Fallback.Name
			}
		})
	}
	if used {
		d := c.emit(core.PolicyFault)
		d.Policy, d.Reason, d.Message, d.Fallback = m.Name, core.ReasonPolicyRemoved, "the policy was removed while in force", fallback
	}
	m.gone, m.until = true, 0
	c.replace(m.Name)
}

// forgetPredicate removes a host predicate with its answers and its quarantine, and reports whether it existed. The next ask that names it
// causes new calls for all nodes, so that a restored scheduler makes the same calls as one that was not restored.
func (c *Shared) forgetPredicate(name string) bool {
	if c.modules.hosts[name] == nil {
		return false
	}
	delete(c.modules.hosts, name)
	for _, s := range c.partitions {
		delete(s.policies.predicates, name)
		s.finder.ForgetPredicate(name)
		s.upsetOnce()
	}
	return true
}

// replace uses the policy that now has a name, wherever the name is configured.
func (c *Shared) replace(name string) {
	for _, s := range c.partitions {
		for k := range s.policies.acting {
			if k.name == name {
				delete(s.policies.acting, k)
			}
		}
		s.enforce(s.conf)
		s.policyReplaced()
		s.upset()
	}
}

// inForce reports whether the configuration uses an acting policy.
func (s *State) inForce(a *policy.Acting) bool {
	name := a.Module.Name
	switch a.Point {
	case policy.NodeScore:
		return s.conf.NodeSort.Policy == name
	case policy.NodeFilter:
		return true
	case policy.VictimRank:
		return s.RankPolicy() == a
	}
	for q := range s.Queues().All {
		if conf := s.Queues().Conf(q); conf.AppSort == name && a.Point == policy.AppOrder || conf.AskSort == name && a.Point == policy.AskOrder ||
			conf.QueueSort == name && a.Point == policy.QueueOrder {
			return true
		}
	}
	return false
}

// serves reports whether there is a policy with a name that serves a point.
func (c *Shared) serves(point, name string) bool {
	m := c.modules.announced[name]
	return m != nil && !m.gone && m.Points[policy.Point(point)] != nil
}
