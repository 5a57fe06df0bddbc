package replay

import "github.com/quern-project/quern/core"

// Uses is what a scheduler says of the modules that were announced to it.
type Uses interface {
	PolicyUses() []core.PolicyUse
	HasType(name string) bool
}

// Unused says, a sentence each, which modules of the folder were never used in a run with the last scheduler, and which
// resource types they read that there are not.
func (p *Policies) Unused(s Uses) []string {
	if p.binding == nil || p.options.Off {
		return nil
	}
	use := map[string]core.PolicyUse{}
	for _, u := range s.PolicyUses() {
		use[u.Name] = u
	}
	asked := func(name string) bool { return use[name].Calls > 0 || use[name].InForce }
	return p.binding.Unused(asked, s.HasType)
}
