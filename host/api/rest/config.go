package rest

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/server"
)

// The languages of a configuration, and what a change may be sent with.
var (
	configBodies = []string{"application/yaml", "application/toml"}
	configTexts  = []web.Content{{Type: "application/yaml"}, {Type: "application/toml"}}
	unlessKnown  = web.Parameter{Name: "If-None-Match", Header: true, Text: "the ETag of an earlier answer: 304 if the configuration is unchanged"}
)

// configRoutes are those of the queue configuration.
func (h *API) configRoutes() []web.Route {
	return []web.Route{
		{Pattern: "GET /v1/config", Needs: auth.Viewer, Handler: web.Handler(h.config), Doc: &web.Doc{
			Summary: "The current configuration, as it was written", Parameters: []web.Parameter{unlessKnown}, Answers: configTexts, Problems: []int{http.StatusNotModified}}},
		{Pattern: "PUT /v1/config", Needs: auth.Admin, Handler: web.Handler(h.putConfig), Doc: &web.Doc{
			Summary: "Apply a configuration", Body: configBodies, Answers: web.JSON(changed{}),
			Parameters: []web.Parameter{
				{Name: "dry-run", Values: []string{"false", "true"}, Text: "true: report what would change, and change nothing"},
				{Name: "If-Match", Header: true, Text: "the ETag of the configuration that the change is based on, or *; not needed for a dry run"},
				{Name: "Idempotency-Key", Header: true, Text: "a repeat with the same key within 24 hours gets the first answer"}},
			Problems: []int{http.StatusPreconditionFailed, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity,
				http.StatusPreconditionRequired, http.StatusServiceUnavailable}}},
		{Pattern: "POST /v1/config/validate", Needs: auth.Viewer, Handler: web.Handler(h.validateConfig), Doc: &web.Doc{
			Summary: "Check whether a configuration could be applied", Body: configBodies, Answers: web.JSON(valid{}),
			Problems: []int{http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity}}},
		{Pattern: "GET /v1/config/history", Needs: auth.Viewer, Handler: web.Handler(h.configHistory), Doc: &web.Doc{
			Summary: "The configurations that have been applied, the current one first", Answers: web.JSON(pastConfigs{})}},
		{Pattern: "GET /v1/config/history/{number}", Needs: auth.Viewer, Handler: web.Handler(h.pastConfig), Doc: &web.Doc{
			Summary: "A configuration from the history", Parameters: []web.Parameter{unlessKnown}, Answers: configTexts,
			Problems: []int{http.StatusNotModified, http.StatusNotFound}}},
	}
}

// fileErrorHeader says what is wrong with the watched file, which is why it is not in force.
const fileErrorHeader = "Quern-Config-File-Error"

// config answers with the configuration in force, as it was written.
func (h *API) config(w http.ResponseWriter, r *http.Request) error {
	if fault := h.server.ConfigFault(); fault != nil {
		first, _, _ := strings.Cut(fault.Error, "\n")
		w.Header().Set(fileErrorHeader, first)
	}
	c := h.server.View().Configuration()
	return writeConfig(w, r, &c)
}

// writeConfig writes the text of a configuration, unless the client has it.
func writeConfig(w http.ResponseWriter, r *http.Request, c *server.Configuration) error {
	w.Header().Set("Content-Type", "application/"+c.Format)
	w.Header().Set("ETag", etag(c))
	w.Header().Set("Quern-Config-Number", strconv.FormatUint(c.N, 10))
	if matches(r.Header.Get("If-None-Match"), etag(c)) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	_, err := io.WriteString(w, c.Text)
	return err
}

func etag(c *server.Configuration) string { return strconv.Quote(c.Tag()) }

// matches reports whether a condition names a tag, or any.
func matches(condition, tag string) bool {
	return slices.ContainsFunc(strings.Split(condition, ","), func(one string) bool {
		one = strings.TrimPrefix(strings.TrimSpace(one), "W/")
		return one == "*" || one == tag
	})
}

// changed answers a configuration that is, or would be, put in force.
type changed struct {
	Number      uint64       `json:"number,omitempty"` // in the history; left out of a dry run
	SHA256      string       `json:"sha256"`
	DryRun      bool         `json:"dry_run,omitempty"`
	Warnings    []string     `json:"warnings"`
	Differences []Difference `json:"differences,omitempty"`
}

// putConfig puts a configuration in force, or says what it would change.
func (h *API) putConfig(w http.ResponseWriter, r *http.Request) error {
	in, err := readConfig(r)
	if err != nil {
		return err
	}
	if r.URL.Query().Get("dry-run") == "true" {
		return h.tryConfig(w, r, in)
	}
	request := &server.Request{Inputs: []core.Input{{Event: in}}, Key: r.Header.Get("Idempotency-Key"), By: permission.Actor(r.Context())}
	if len(request.Key) > mostKey {
		return keyTooLong(request.Key)
	}
	if request.IfConfig, err = precondition(r); err != nil {
		return err
	}
	warnings, err := h.checkConfig(r, in)
	if err != nil {
		return err
	}
	source, done := h.sources.Of(auth.FromContext(r.Context()).Client())
	defer done()
	set, err := h.server.SetConfig(r.Context(), source, request)
	if err != nil {
		return h.server.Checked(r.Context(), func() error { return h.configProblem(in, err) })
	}
	w.Header().Set("ETag", etag(&set))
	return web.Answer(w, changed{Number: set.N, SHA256: set.SHA256, Warnings: warnings})
}

// checkConfig returns the warnings about a configuration that is to be put in force, or what is wrong with it, which the host keeps as its state.
func (h *API) checkConfig(r *http.Request, in *core.SetConfig) (warnings []string, err error) {
	err = h.server.Checked(r.Context(), func() error {
		read, err := h.server.CheckConfig(in)
		if err != nil {
			h.server.RefuseConfig(err)
			return h.configProblem(in, err)
		}
		warnings = warningTexts(read.Warnings)
		return nil
	})
	return warnings, err
}

// precondition reads which configuration a change was made for. Empty: any.
func precondition(r *http.Request) (string, error) {
	condition := strings.TrimSpace(r.Header.Get("If-Match"))
	switch tag, err := strconv.Unquote(condition); {
	case condition == "":
		return "", web.NewProblem(http.StatusPreconditionRequired, "precondition_required", "The change does not name the configuration that it is based on",
			`If-Match: expected the ETag of GET /v1/config, or * for any, found none`)
	case condition == "*":
		return "", nil
	case err != nil || tag == "":
		return "", badHeader("If-Match", "one ETag of GET /v1/config, or *", condition)
	default:
		return tag, nil
	}
}

func badHeader(name, expected, found string) error {
	return web.NewProblem(http.StatusBadRequest, "bad_parameter", "A header is invalid", fmt.Sprintf("%s: expected %s, found %q", name, expected, found))
}

// tryConfig says what a configuration would change. A precondition is judged, but not asked for.
func (h *API) tryConfig(w http.ResponseWriter, r *http.Request, in *core.SetConfig) error {
	now, before := h.inForce()
	if condition := r.Header.Get("If-Match"); condition != "" && !matches(condition, etag(&now)) {
		return server.ErrConfigChanged
	}
	out := changed{SHA256: server.SumOf(in.Config), DryRun: true}
	err := h.server.Checked(r.Context(), func() error {
		after, err := h.server.CheckConfig(in)
		if err == nil {
			err = h.server.TryConfig(in)
		}
		if err != nil {
			return h.configProblem(in, err)
		}
		out.Warnings = warningTexts(after.Warnings)
		out.Differences, err = differences(before, after)
		return err
	})
	if err != nil {
		return err
	}
	w.Header().Set("ETag", etag(&now))
	return web.Answer(w, out)
}

// inForce is the configuration in force, as it was written and as it was read.
func (h *API) inForce() (written server.Configuration, read *config.Config) {
	h.server.View().Read(func(s *scheduler.Scheduler) { read = s.Configuration() })
	return h.server.View().Configuration(), read
}

// validateConfig says whether a configuration could be put in force.
func (h *API) validateConfig(w http.ResponseWriter, r *http.Request) error {
	in, err := readConfig(r)
	if err != nil {
		return err
	}
	var warnings []string
	err = h.server.Checked(r.Context(), func() error {
		read, err := h.server.CheckConfig(in)
		if err == nil {
			err = h.server.TryConfig(in)
		}
		if err != nil {
			return h.configProblem(in, err)
		}
		warnings = warningTexts(read.Warnings)
		return nil
	})
	if err != nil {
		return err
	}
	return web.Answer(w, valid{true, warnings})
}

// valid answers a configuration that could be put in force.
type valid struct {
	Valid    bool     `json:"valid"`
	Warnings []string `json:"warnings"`
}

// readConfig reads the text of a configuration, whose content type says in which language it is.
func readConfig(r *http.Request) (*core.SetConfig, error) {
	language := "yaml"
	if given := r.Header.Get("Content-Type"); given != "" {
		kind, _, err := mime.ParseMediaType(given)
		_, name, _ := strings.Cut(kind, "/")
		if language = strings.TrimPrefix(name, "x-"); err != nil || language != "yaml" && language != "toml" {
			return nil, web.NewProblem(http.StatusUnsupportedMediaType, "unsupported_media_type", "The format of the configuration is unknown",
				fmt.Sprintf("Content-Type: expected application/yaml or application/toml, found %q", given))
		}
	}
	var text strings.Builder // which needs no second copy
	if _, err := io.Copy(&text, r.Body); err != nil {
		return nil, err
	}
	return &core.SetConfig{Config: text.String(), Format: language}, nil
}

// entry is a configuration in the history.
type entry struct {
	Number uint64 `json:"number"`
	At     string `json:"at"`
	By     string `json:"by,omitempty"` // user
	Source string `json:"source"`
	File   string `json:"file,omitempty"`
	SHA256 string `json:"sha256"`
	Format string `json:"format"`
	Bytes  int    `json:"bytes"`
	ETag   string `json:"etag"`
}

// pastConfigs lists configurations.
type pastConfigs struct {
	Items []entry             `json:"items"`
	File  *server.ConfigFault `json:"file,omitempty"` // why the watched file is not in force
}

// configHistory lists the configurations that were put in force, the one in force first.
func (h *API) configHistory(w http.ResponseWriter, _ *http.Request) error {
	out := pastConfigs{Items: []entry{}, File: h.server.ConfigFault()}
	for _, c := range slices.Backward(h.server.View().Configurations()) {
		out.Items = append(out.Items, entry{Number: c.N, At: format.At(c.At, true), By: c.By, Source: c.Source, File: c.File,
			SHA256: c.SHA256, Format: c.Format, Bytes: len(c.Text), ETag: etag(&c)})
	}
	return web.Answer(w, out)
}

// pastConfig answers with the text of a configuration in the history.
func (h *API) pastConfig(w http.ResponseWriter, r *http.Request) error {
	wanted := r.PathValue("number")
	for _, c := range h.server.View().Configurations() {
		if strconv.FormatUint(c.N, 10) == wanted {
			return writeConfig(w, r, &c)
		}
	}
	return web.NewProblem(http.StatusNotFound, "not_found", "The history has no such configuration", fmt.Sprintf("no configuration has the number %q; the oldest are removed", wanted))
}
