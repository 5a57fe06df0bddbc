package rest

import (
	"cmp"
	"maps"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/policy/registry"
	"github.com/quern-project/quern/host/server"
)

// policyObject is a policy module: what the scheduler knows of it, and what the folder has.
type policyObject struct {
	Policy      string         `json:"policy"`
	State       string         `json:"state"` // as below
	SHA256      string         `json:"sha256,omitempty"`
	Version     string         `json:"version,omitempty"`
	Process     bool           `json:"process,omitempty"`
	Points      []string       `json:"points"`
	InForce     bool           `json:"in_force"` // the configuration names it, or it acts wherever it can
	Calls       uint64         `json:"calls"`    // since it was announced
	Faults      uint64         `json:"faults"`
	LastFault   *faultObject   `json:"last_fault,omitempty"`
	Quarantine  string         `json:"quarantine,omitempty"` // its fallback answers until then
	Fuel        int64          `json:"fuel,omitempty"`       // that a call may use, about an instruction each
	FuelPerItem int64          `json:"fuel_per_item,omitempty"`
	Memory      int64          `json:"memory,omitempty"` // bytes
	ShadowOf    string         `json:"shadow_of,omitempty"`
	Shadows     []shadowObject `json:"shadows,omitempty"`  // what it was compared with, as a shadow, since the host was started
	Refused     string         `json:"refused,omitempty"`  // why its files, as they are in the folder, are not in force
	Previous    bool           `json:"previous,omitempty"` // there is a version before, to roll back to
}

// States of policy modules.
const (
	policyServing     = "serving"
	policyQuarantined = "quarantined"
	policyShadow      = "shadow"
	policyRefused     = "refused" // and there is no version before that serves
)

type faultObject struct {
	At       string `json:"at"`
	Reason   string `json:"reason"`
	Message  string `json:"message"`
	Fallback string `json:"fallback"`
}

type shadowObject struct {
	Of        string             `json:"of"`
	Point     string             `json:"point"`
	Rounds    int                `json:"rounds"`    // that both answered
	Differing int                `json:"differing"` // in which the shadow would have put another item first
	Faults    int                `json:"faults"`
	Fault     string             `json:"fault,omitempty"` // the last one
	First     []differenceObject `json:"first"`           // differences
}

type differenceObject struct {
	At       string `json:"at"`
	Acting   string `json:"acting"`
	Shadow   string `json:"shadow"`
	Compared int    `json:"compared"` // items
}

// objects lists the modules by name.
func (h *Policies) objects() []policyObject {
	all := map[string]*policyObject{}
	of := func(name string) *policyObject {
		if all[name] == nil {
			all[name] = &policyObject{Policy: name, State: policyRefused, Points: []string{}}
		}
		return all[name]
	}
	var uses []core.PolicyUse
	h.server.View().Read(func(s *scheduler.Scheduler) { uses = s.PolicyUses() })
	for i := range uses {
		of(uses[i].Name).use(&uses[i])
	}
	for _, m := range h.server.View().Modules() {
		if all[m.Name] != nil && m.Retired == 0 {
			all[m.Name].failed(&m)
		}
	}
	folder := h.service.Report()
	for _, m := range folder.Serving {
		of(m.Name).serve(&m)
	}
	for _, x := range folder.Refused {
		of(x.Name).Refused = x.Err.Error()
	}
	for _, s := range folder.Shadows {
		of(s.Name).compared(&s)
	}
	for _, name := range folder.Previous {
		if all[name] != nil {
			all[name].Previous = true
		}
	}
	list := make([]policyObject, 0, len(all))
	for _, name := range slices.SortedFunc(maps.Keys(all), cmp.Compare[string]) {
		list = append(list, *all[name])
	}
	return list
}

func (o *policyObject) use(u *core.PolicyUse) {
	o.State, o.SHA256, o.Points, o.Process = policyServing, u.SHA256, u.Points, u.Impure
	o.InForce, o.Calls = u.InForce, u.Calls
	if u.Quarantined {
		o.State, o.Quarantine = policyQuarantined, format.At(u.Until, true)
	}
}

func (o *policyObject) failed(m *server.Module) {
	o.Faults = m.Faults
	if f := m.Last; f != nil {
		o.LastFault = &faultObject{format.At(f.At, true), f.Reason, f.Message, f.Fallback}
	}
}

// serve takes in what the folder has.
func (o *policyObject) serve(m *registry.Info) {
	if m.ShadowOf != "" {
		o.State, o.ShadowOf, o.Process = policyShadow, m.ShadowOf, m.Process
		o.SHA256, o.Points = m.SHA256, []string{}
		for _, p := range m.Points {
			o.Points = append(o.Points, string(p))
		}
	}
	if o.SHA256 == m.SHA256 {
		o.Version, o.Memory, o.Fuel, o.FuelPerItem = m.Version, m.Memory, m.Fuel, m.FuelPerItem
	}
}

func (o *policyObject) compared(s *registry.Shadow) {
	x := shadowObject{Of: s.Of, Point: string(s.Point), Rounds: s.Rounds, Differing: s.Differing, Faults: s.Faults, Fault: s.Fault, First: []differenceObject{}}
	for _, d := range s.First {
		x.First = append(x.First, differenceObject{format.At(d.At, true), d.Acting, d.Shadow, d.Compared})
	}
	o.Shadows = append(o.Shadows, x)
}
