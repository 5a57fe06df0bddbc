package server

import (
	"strings"
	"sync"
	"time"

	"github.com/quern-project/quern/core"
)

// ConfigHealth says which configuration is in force, and which later one is not.
type ConfigHealth struct {
	Number  uint64          // in the history; 0: there has been none
	Source  string          // of the one in force; empty: there has been none
	File    string          // that it came from
	Since   time.Duration   // since the Unix epoch, when it was put in force
	Refused []ConfigRefusal // by source: each is not in force; empty: nothing is wrong
}

// ConfigRefusal is a configuration that is not in force.
type ConfigRefusal struct {
	Source string
	File   string        // that it came from
	Since  time.Duration // since the Unix epoch, when the first one of this source was refused
	Errors []string      // at least one
}

// refusalAge is how long a refusal over the API counts. A file stays wrong until it is corrected, but the caller of the API knows of the refusal and
// may have given up.
const refusalAge = 15 * time.Minute

// configHealth keeps what was refused.
type configHealth struct {
	changed chan struct{} // has a value after a change
	mu      sync.Mutex
	watched ConfigOrigin
	file    *ConfigRefusal // of the watched file; nil: it is in force, or was
	api     *ConfigRefusal // the last one that came over the API since a configuration was put in force; nil: none
}

// ConfigOrigin is where a watched configuration comes from.
type ConfigOrigin struct {
	File   string
	Source string // FromFile or FromConfigMap
}

func newConfigHealth() *configHealth { return &configHealth{changed: make(chan struct{}, 1)} }

// announce reports a change.
func (h *configHealth) announce() {
	select {
	case h.changed <- struct{}{}:
	default:
	}
}

// refuse notes that a configuration of the API was refused at a time.
func (h *configHealth) refuse(at time.Duration, errors []string) {
	defer h.announce()
	h.mu.Lock()
	defer h.mu.Unlock()
	since := at
	if h.api != nil && at-h.api.Since < refusalAge {
		since = h.api.Since
	}
	h.api = &ConfigRefusal{Source: FromAPI, Since: since, Errors: errors}
}

// decided notes the result of the configuration of a request.
func (h *configHealth) decided(at time.Duration, w *waiting, d *core.Decision) {
	switch {
	case d.Type == core.ConfigAccepted:
		h.mu.Lock()
		defer h.mu.Unlock()
		h.api = nil
	case d.Type == core.ConfigRejected && w.Applied.File == "": // a file is read again by its watcher, which says so
		h.refuse(at, append([]string{}, d.Errors...))
	}
}

// WatchConfig says which file is watched.
func (s *Server) WatchConfig(o ConfigOrigin) {
	s.health.mu.Lock()
	defer s.health.mu.Unlock()
	s.health.watched = o
}

// RefuseConfig notes that a configuration which came over the API has errors, and was not submitted. A dry run is no reason to call it.
func (s *Server) RefuseConfig(err error) {
	s.health.refuse(s.o.Clock.Now(), strings.Split(err.Error(), "\n"))
}

// ConfigFault says why the watched configuration file is not in force.
type ConfigFault struct {
	File  string    `json:"file"`
	Error string    `json:"error"` // a line an error
	Since time.Time `json:"since"`
}

// ConfigFault is what is wrong with the watched file; nil: nothing is.
func (s *Server) ConfigFault() *ConfigFault {
	s.health.mu.Lock()
	defer s.health.mu.Unlock()
	if f := s.health.file; f != nil {
		return &ConfigFault{f.File, strings.Join(f.Errors, "\n"), time.Unix(0, int64(f.Since)).UTC()}
	}
	return nil
}

// FaultConfig notes what is wrong with the watched file; nil: nothing is any more.
func (s *Server) FaultConfig(err error) {
	h, now := s.health, s.o.Clock.Now()
	defer h.announce()
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil {
		h.file = nil
		return
	}
	if h.file != nil {
		now = h.file.Since
	}
	h.file = &ConfigRefusal{Source: h.watched.Source, File: h.watched.File, Since: now, Errors: strings.Split(err.Error(), "\n")}
}

// ConfigHealthChanged has a value after the health of the configuration may have changed, for one reader. That a refusal over the API is too
// old to count is not reported.
func (s *Server) ConfigHealthChanged() <-chan struct{} { return s.health.changed }

// ConfigHealth is the health of the configuration.
func (s *Server) ConfigHealth() ConfigHealth {
	c, now := s.view.Configuration(), s.o.Clock.Now()
	h := s.health
	h.mu.Lock()
	defer h.mu.Unlock()
	out := ConfigHealth{Number: c.N, Source: c.Source, File: c.File, Since: c.At}
	if c.Source == FromFile && c.File == h.watched.File {
		out.Source = h.watched.Source
	}
	if h.api != nil && now-h.api.Since < refusalAge {
		out.Refused = append(out.Refused, *h.api)
	}
	if h.file != nil {
		out.Refused = append(out.Refused, *h.file)
	}
	return out
}
