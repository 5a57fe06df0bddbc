package rest

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/server"
)

// configProblem is the problem that a configuration is refused with: all that is wrong, with places where they are known, and the warnings
// about it.
func (h *API) configProblem(in *core.SetConfig, err error) error {
	var (
		wrong   *server.ConfigError
		places  config.Errors
		refused *server.RefusedConfigError
	)
	p := web.NewProblem(http.StatusUnprocessableEntity, "invalid_config", "The configuration cannot be applied", "")
	switch {
	case errors.As(err, &places):
		for _, e := range places {
			p.Errors = append(p.Errors, web.Fault{Line: e.Line, Column: e.Column, Queue: e.Queue, Key: e.Key,
				Message: fmt.Sprintf("expected %s, found %s", e.Expected, e.Found)})
		}
		p.Detail = places[0].Error()
	case errors.As(err, &wrong):
		p.Errors = []web.Fault{{Message: wrong.Error()}}
	case errors.As(err, &refused):
		for _, reason := range refused.Reasons {
			p.Errors = append(p.Errors, web.Fault{Message: reason})
		}
	default:
		return err
	}
	if p.Detail == "" {
		p.Detail = p.Errors[0].Message
	}
	if more := max(len(p.Errors), places.Total()) - 1; more > 0 {
		p.Detail += fmt.Sprintf("; further errors: %d", more)
	}
	if errors.As(err, &wrong) {
		p.Warnings = warningTexts(wrong.Warnings)
	} else {
		p.Warnings = warningTexts(h.server.ConfigWarnings(in))
	}
	return p
}

// warningTexts lists warnings, one text each.
func warningTexts(all []config.Warning) []string {
	list := make([]string, 0, len(all))
	for _, w := range all {
		list = append(list, w.String())
	}
	return list
}
