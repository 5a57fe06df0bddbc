package rpc

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/policy"
)

// Policies runs policy modules beside the scheduler.
type Policies interface {
	// Load passes a module through the gate, tries it, and keeps it under a name; empty: the one its manifest gives. A
	// module of that name that was there before goes. The error may be an *Error with the code BadModule.
	Load(name string, file []byte, limits Limits) (*Loaded, error)
	// Drop forgets a module. Schedulers that use it get no more answers from it.
	Drop(name string)
	// Announce is what a policy.set says of a module with these values of its parameters; those left out have their defaults.
	Announce(name string, parameters map[string]json.RawMessage) (core.PolicyModule, error)
	// Evaluator returns the module that a policy.set announced, nil if there is none.
	Evaluator(core.Announcement) policy.Evaluator
}

// Limits bound a module; zero is the default of each.
type Limits struct {
	Memory      int64 // bytes
	Fuel        int64 // units of a call, plus FuelPerItem for each row
	FuelPerItem int64
}

// Loaded is a module that is there.
type Loaded struct {
	Name   string
	SHA256 string
	Points []string // that it serves
	// Manifest is as the module gives it: columns, parameters with their kinds, defaults and bounds.
	Manifest json.RawMessage
	Report   json.RawMessage // of the gate: sizes, sections, imports, complexity
	Fuel     int64           // of the trial
}

type policyLoadHead struct {
	Op, Name string
	Limits   Limits
}

func (server *Server) policyLoad(h *policyLoadHead, body []byte) (*Loaded, []byte, error) {
	if server.policies == nil {
		return nil, nil, noModules()
	}
	loaded, err := server.policies.Load(h.Name, body, h.Limits)
	if err != nil {
		if e := refusal(err); e.Code != BadRequest {
			return nil, nil, e
		}
		return nil, nil, &Error{Code: BadModule, Message: err.Error()}
	}
	server.modules[loaded.Name] = loaded
	return loaded, nil, nil
}

func noModules() *Error { return &Error{Code: NotThere, Message: "no host runs policy modules here"} }

type policyListAnswer struct{ Policies []*Loaded }

func (server *Server) policyList(*plainHead, []byte) (*policyListAnswer, []byte, error) {
	list := make([]*Loaded, 0, len(server.modules))
	for _, name := range slices.Sorted(maps.Keys(server.modules)) {
		list = append(list, server.modules[name])
	}
	return &policyListAnswer{list}, nil, nil
}

type policyDropHead struct{ Op, Name string }

func (server *Server) policyDrop(h *policyDropHead, _ []byte) (*nothing, []byte, error) {
	if server.modules[h.Name] == nil {
		return nil, nil, &Error{Code: NotThere, Key: "name", Message: "there is no policy " + h.Name}
	}
	server.policies.Drop(h.Name)
	delete(server.modules, h.Name)
	return nil, nil, nil
}

type policyLineHead struct {
	Op, Name   string
	Parameters map[string]json.RawMessage
	At         string // of the line, as the journal writes times; default 0s
}

// policyLine answers with the line that announces a module, at a time of the caller's.
func (server *Server) policyLine(h *policyLineHead, _ []byte) (*nothing, []byte, error) {
	if server.modules[h.Name] == nil {
		return nil, nil, &Error{Code: NotThere, Key: "name", Message: "there is no policy " + h.Name}
	}
	announced, err := server.policies.Announce(h.Name, h.Parameters)
	if err != nil {
		return nil, nil, err
	}
	at, form, err := timeOf(h.At)
	if err != nil {
		return nil, nil, err
	}
	line, err := server.lines.in(form).entry(&journal.Entry{Count: 1, Input: core.Input{At: at, Event: &core.SetPolicy{PolicyModule: announced}}})
	return nil, line, err
}

// serves reports whether a module that is there serves a point.
func (server *Server) serves(point, name string) bool {
	m := server.modules[name]
	return m != nil && slices.Contains(m.Points, point)
}

// options are those of every scheduler here.
func (server *Server) options() core.Options {
	if server.policies == nil {
		return core.Options{}
	}
	return core.Options{Evaluator: server.policies.Evaluator}
}

type checkHead struct{ Op, Format, File string }

// checkAnswer is what is wrong with a configuration, or what it says.
type checkAnswer struct {
	Errors        []config.Error
	Warnings      []config.Warning
	Configuration *Config `json:",omitempty"` // with inherited values in force
	Normal        string  `json:",omitempty"` // as YAML in its normal form
}

// check reads a configuration without applying it. Modules that are loaded may be named in it.
func (server *Server) check(h *checkHead, body []byte) (*checkAnswer, []byte, error) {
	if h.Format != "" && h.Format != string(config.YAML) && h.Format != string(config.TOML) {
		return nil, nil, badKey("format", "yaml or toml", h.Format)
	}
	c, err := config.Decode(body, config.Options{File: h.File, Format: config.Format(h.Format), Policies: server.serves})
	if err != nil {
		var a checkAnswer
		for _, e := range err.(config.Errors) { // as Decode promises
			a.Errors = append(a.Errors, *e)
		}
		return &a, nil, nil
	}
	return &checkAnswer{Warnings: c.Warnings, Configuration: configOf(c), Normal: string(c.Print())}, nil, nil
}

// Config is a configuration: its first partition, and the others.
type Config struct {
	Partition         string           `json:",omitempty"`
	Root              *config.Queue    `json:",omitempty"`
	Rules             []*rule          `json:",omitempty"`
	NodeSort          config.NodeSort  `json:",omitempty"`
	PreemptionEnabled bool             `json:",omitempty"`
	PreemptionObserve bool             `json:",omitempty"`
	QuotaPreemption   bool             `json:",omitempty"`
	ReservationDelay  instant.Delay    `json:",omitempty"`
	Patience          instant.Delay    `json:",omitempty"`
	Resolver          string           `json:",omitempty"`
	AccessControl     bool             `json:",omitempty"` // a queue has an access list
	Topology          []config.Level   `json:",omitempty"`
	Warnings          []config.Warning `json:",omitempty"` // of all partitions
	Others            []*Config        `json:",omitempty"`
}

// rule is a placement rule, as the configuration has it.
type rule struct {
	Name   string
	Create bool        `json:",omitempty"`
	Value  string      `json:",omitempty"`
	Parent *rule       `json:",omitempty"`
	Filter *ruleFilter `json:",omitempty"`
}

type ruleFilter struct {
	Deny   bool     `json:",omitempty"`
	Users  []string `json:",omitempty"`
	Groups []string `json:",omitempty"`
}

func configOf(c *config.Config) *Config {
	list := make([]*Config, 0, len(c.Partitions))
	for _, p := range c.Partitions {
		list = append(list, partitionOf(p))
	}
	first := list[0]
	first.Warnings, first.Others = c.Warnings, list[1:]
	return first
}

func partitionOf(p *config.Partition) *Config {
	return &Config{
		Partition: p.Name, Root: p.Root, Rules: rulesOf(p.Rules), NodeSort: p.NodeSort, PreemptionEnabled: p.PreemptionEnabled, PreemptionObserve: p.PreemptionObserve,
		QuotaPreemption: p.QuotaPreemption, ReservationDelay: p.ReservationDelay, Patience: p.Patience, Resolver: p.Resolver, AccessControl: p.AccessControl,
		Topology: p.Topology,
	}
}

func rulesOf(list []*config.Rule) []*rule {
	rules := make([]*rule, 0, len(list))
	for _, r := range list {
		rules = append(rules, ruleOf(r))
	}
	return rules
}

func ruleOf(r *config.Rule) *rule {
	if r == nil {
		return nil
	}
	made := &rule{Name: string(r.Kind), Create: r.Create, Value: r.Value, Parent: ruleOf(r.Parent)}
	if f := r.Filter; f != nil {
		made.Filter = &ruleFilter{f.Deny, f.Users.Entries(), f.Groups.Entries()}
	}
	return made
}

// keyAnswer documents one key of the configuration.
type keyAnswer struct{ Name, Where, Type, Default, Inherited, Meaning, Status string }

type keysAnswer struct{ Keys []keyAnswer }

func (server *Server) keys(*plainHead, []byte) (*keysAnswer, []byte, error) {
	var a keysAnswer
	for _, k := range config.Keys() {
		a.Keys = append(a.Keys, keyAnswer{k.Key, k.Where, k.Type, k.Default, k.Inherited, k.Effect, string(k.Status)})
	}
	return &a, nil, nil
}
