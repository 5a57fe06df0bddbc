package yunikorn

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server"
)

// running is the configuration in force as YAML, in its normal form.
func (a *API) running() []byte {
	var c *config.Config
	a.view.Read(func(s *scheduler.Scheduler) { c = s.Configuration() })
	return c.Print()
}

// config answers the configuration in force: as YAML or, for who accepts only that, as JSON.
func (a *API) config(w http.ResponseWriter, r *http.Request) error {
	text := a.running()
	if !strings.Contains(r.Header.Get("Accept"), "application/json") {
		w.Header().Set("Content-Type", "application/x-yaml; charset=UTF-8")
		_, err := w.Write(text)
		return err
	}
	var object map[string]any
	err := a.server.Checked(r.Context(), func() (err error) {
		object, err = asObject(text)
		return err
	})
	if err != nil {
		return err
	}
	return answer(w, object)
}

// asObject reads a configuration as data for JSON.
func asObject(text []byte) (map[string]any, error) {
	var object map[string]any
	if err := yaml.Unmarshal(text, &object); err != nil {
		return nil, fmt.Errorf("reading the configuration in force: %w", err)
	}
	return object, nil
}

// mostConfiguration is how large a configuration may be, in bytes.
const mostConfiguration = 16 << 20

// validate says whether a configuration would be put in force.
func (a *API) validate(w http.ResponseWriter, r *http.Request) error {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostConfiguration))
	if err != nil {
		return err
	}
	set := &core.SetConfig{File: "configuration", Config: string(text)}
	err = a.server.Checked(r.Context(), func() error {
		if _, err := a.server.CheckConfig(set); err != nil {
			return err
		}
		return a.server.TryConfig(set)
	})
	var wrong *server.ConfigError
	var refused *server.RefusedConfigError
	switch {
	case errors.As(err, &wrong):
		return answer(w, validated{Reason: wrong.Error()})
	case errors.As(err, &refused):
		return answer(w, validated{Reason: strings.Join(refused.Reasons, "\n")})
	case err != nil:
		return err
	}
	return answer(w, validated{Allowed: true})
}

// applicationHistory answers how many applications ran at the end of each minute.
func (a *API) applicationHistory(w http.ResponseWriter, _ *http.Request) error {
	return answer(w, a.applicationsByMinute())
}

// containerHistory answers how many allocations there were at the end of each minute.
func (a *API) containerHistory(w http.ResponseWriter, _ *http.Request) error {
	return answer(w, a.containersByMinute())
}

func (a *API) applicationsByMinute() []applicationHistory {
	out := []applicationHistory{}
	for _, s := range a.minutes() {
		out = append(out, applicationHistory{nanoseconds(s.at), fmt.Sprint(s.running)})
	}
	return out
}

func (a *API) containersByMinute() []containerHistory {
	out := []containerHistory{}
	for _, s := range a.minutes() {
		out = append(out, containerHistory{nanoseconds(s.at), fmt.Sprint(s.containers)})
	}
	return out
}

// minutes returns the samples there are, oldest first.
func (a *API) minutes() []sample {
	var out []sample
	a.view.Read(func(*scheduler.Scheduler) {
		m := &a.memory.samples
		if m.at != 0 {
			m.until(a.options.Now())
		}
		for n := m.ring.first(); n < m.ring.next; n++ {
			out = append(out, *m.ring.at(n))
		}
	})
	return out
}
