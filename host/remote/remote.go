// Package remote reads and changes a live scheduler from somewhere else.
//
// Host is what the command line needs of it; Dial returns one over HTTP. What is read is given as the JSON that the host sent, so that
// nothing of it is lost on its way to whoever asked. Inputs are handed in with an idempotency key and repeated while it makes sense;
// decisions that are followed are picked up again where a connection broke.
package remote

import (
	"context"
	"encoding/json"
	"iter"
	"net/url"
)

// Kind is a kind of things that a host has.
type Kind string

// The kinds, as routes name them.
const (
	Queues Kind = "queues"
	Apps   Kind = "apps"
	Nodes  Kind = "nodes"
	Asks   Kind = "asks"
	// Gangs are atomic gangs. The name of one is APP/GANG.
	Gangs Kind = "gangs"
	// Windows are windows of the calendar.
	Windows Kind = "windows"
	// Policies are policy modules. They cannot be selected.
	Policies Kind = "policies"
)

// Host is a live scheduler that is reached over a network. Its errors are *Problem where the host answers with one, and *UnreachableError
// where there is no answer.
type Host interface {
	// List returns the things of a kind whose fields have these values, by name, at most limit of them; 0: all.
	List(ctx context.Context, kind Kind, filter map[string]string, limit int) ([]json.RawMessage, error)
	// One returns the thing of a name.
	One(ctx context.Context, kind Kind, name string) (json.RawMessage, error)
	// Explain says why the ask, the application or the queue of a name waits, or when the window opens; about asks something else, by parameters of the route.
	Explain(ctx context.Context, kind Kind, name string, about url.Values) (json.RawMessage, error)
	// Limits says what users and groups use where limits hold for them, by parameters of the route.
	Limits(ctx context.Context, about url.Values) (json.RawMessage, error)
	// Placement says in which queue an application would be placed, by parameters of the route.
	Placement(ctx context.Context, about url.Values) (json.RawMessage, error)
	// Consolidation says which moves would make room for an ask or a gang, by parameters of the route.
	Consolidation(ctx context.Context, about url.Values) (json.RawMessage, error)
	// Victims says which allocations an ask would preempt.
	Victims(ctx context.Context, ask string) (json.RawMessage, error)
	// Forecast says when a pending ask will start, by parameters of the route.
	Forecast(ctx context.Context, ask string, about url.Values) (json.RawMessage, error)
	// Submit hands in lines of inputs, all of them or none. The key makes a repeat harmless.
	Submit(ctx context.Context, lines []byte, key string) (*Applied, error)
	// WhatIf returns the decisions that lines of inputs would bring now. Nothing of it is kept.
	WhatIf(ctx context.Context, lines []byte) ([]json.RawMessage, error)
	// Decisions returns decisions, one after the other.
	Decisions(ctx context.Context, wanted Wanted) iter.Seq2[json.RawMessage, error]
	// Config returns the queue configuration in force, or the one of a number in the history.
	Config(ctx context.Context, number uint64) (*Config, error)
	// ConfigHistory lists the configurations that were put in force, the one in force first.
	ConfigHistory(ctx context.Context) ([]PastConfig, error)
	// TryConfig says what a configuration would change.
	TryConfig(ctx context.Context, c *Config) (*Change, error)
	// SetConfig puts a configuration in force, unless another one than that of its tag is in force. The key makes a repeat harmless.
	SetConfig(ctx context.Context, c *Config, key string) (*Change, error)
	// ValidateConfig says whether a configuration could be put in force.
	ValidateConfig(ctx context.Context, c *Config) (*Change, error)
}

// Wanted says which decisions are wanted.
type Wanted struct {
	From   uint64            // seq of the first; 0: Last says
	Last   int               // begin so many before the next one, 1 at least
	Limit  int               // at most so many, unless Follow; 0: 1000
	Filter map[string]string // fields and their values
	Follow bool              // go on with new ones until the context ends
}

// Applied is the answer to inputs.
type Applied struct {
	First     uint64            `json:"first"` // number of an input
	Last      uint64            `json:"last"`
	Decisions []json.RawMessage `json:"decisions"`
}
