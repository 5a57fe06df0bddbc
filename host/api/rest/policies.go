package rest

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"

	"github.com/quern-project/quern/core/nearest"
	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/policy/live"
	"github.com/quern-project/quern/host/policy/registry"
	"github.com/quern-project/quern/host/server"
)

// Policies answers the routes of the policy modules of a live scheduler.
type Policies struct {
	server  *server.Server
	service *live.Service
	upload  func() bool // reports whether the folder may be written to
}

// NewPolicies returns the API of the modules of a server.
func NewPolicies(s *server.Server, p *live.Service, upload func() bool) *Policies {
	return &Policies{s, p, upload}
}

// Routes are those of the API.
func (h *Policies) Routes() []web.Route {
	changes := func(summary string, body []string, answer any) *web.Doc {
		return &web.Doc{Summary: summary, Body: body, Answers: web.JSON(answer), Problems: []int{http.StatusNotFound, http.StatusRequestEntityTooLarge,
			http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusServiceUnavailable}}
	}
	return []web.Route{
		{Pattern: "GET /v1/policies", Needs: auth.Viewer, Handler: web.Handler(h.list), Doc: &web.Doc{
			Summary: "The loaded policy modules, and the files that are refused", Answers: web.JSON(policyList{})}},
		{Pattern: "GET /v1/policies/{name}", Needs: auth.Viewer, Handler: web.Handler(h.one), Doc: &web.Doc{
			Summary: "A policy module", Answers: web.JSON(policyObject{}), Problems: []int{http.StatusNotFound}}},
		{Pattern: "PUT /v1/policies/{name}", Needs: auth.Admin, Handler: h.writes(h.put), Doc: changes("Check a module, and write it to the folder of policies", []string{"application/wasm", "application/toml", "multipart/form-data"}, policyObject{})},
		{Pattern: "DELETE /v1/policies/{name}", Needs: auth.Admin, Handler: h.writes(h.remove), Doc: changes("Remove a module from the folder of policies", nil, removedPolicy{})},
		{Pattern: "POST /v1/policies/{name}/rollback", Needs: auth.Admin, Handler: h.writes(h.rollback), Doc: rollbackDoc(changes("Restore the previous version of a module, or the serving one if the files in the folder are refused", nil, policyObject{}))},
	}
}

func rollbackDoc(d *web.Doc) *web.Doc {
	d.Problems = append(d.Problems, http.StatusConflict)
	return d
}

// policyList lists modules by name.
type policyList struct {
	Items  []policyObject `json:"items"`
	Upload string         `json:"upload"` // whether the caller may write to the folder: as below
}

// Whether a caller may write to the folder of policies.
const (
	uploadAllowed = "allowed"
	uploadDenied  = "denied" // another role is needed
	uploadOff     = "off"    // the host runs without --policy-upload
)

// removedPolicy answers a removal.
type removedPolicy struct {
	Policy  string `json:"policy"`
	Removed bool   `json:"removed"`
}

func (h *Policies) list(w http.ResponseWriter, r *http.Request) error {
	return web.Answer(w, policyList{h.objects(), h.uploadBy(auth.FromContext(r.Context()))})
}

func (h *Policies) uploadBy(c *auth.Caller) string {
	switch {
	case !h.upload():
		return uploadOff
	case !c.Role.May(auth.Admin):
		return uploadDenied
	}
	return uploadAllowed
}

func (h *Policies) one(w http.ResponseWriter, r *http.Request) error {
	return h.answer(w, r.PathValue("name"))
}

// answer answers with a module.
func (h *Policies) answer(w http.ResponseWriter, name string) error {
	for _, o := range h.objects() {
		if o.Policy == name {
			return web.Answer(w, o)
		}
	}
	return h.noPolicy(name)
}

func (h *Policies) noPolicy(name string) error {
	search := nearest.For(name)
	for _, o := range h.objects() {
		if o.Policy == name { // a process, or one that only the record names
			return web.NewProblem(http.StatusNotFound, "not_found", "The folder has no such module", fmt.Sprintf("the folder of policies has no %s.wasm", name))
		}
		search.Add(o.Policy)
	}
	return web.NewProblem(http.StatusNotFound, "not_found", "There is no policy module of this name", fmt.Sprintf("found no %q", name)+nearest.Hint(search.Found()))
}

// writes is a handler of a route that writes to the folder.
func (h *Policies) writes(change func(r *http.Request, name string) error) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if !h.upload() {
			return web.NewProblem(http.StatusForbidden, "upload_off", "Uploads of modules are off", "the host runs without --policy-upload")
		}
		name := r.PathValue("name")
		err := change(r, name)
		var refused registry.Refusal
		switch {
		case errors.As(err, &refused):
			return web.NewProblem(http.StatusUnprocessableEntity, "policy_refused", "The module is refused", refused.Err.Error())
		case errors.Is(err, live.ErrNoPrevious):
			return web.NewProblem(http.StatusConflict, "no_previous", "There is no previous version", fmt.Sprintf("%q has no previous version: the host keeps one when other files replace those that serve", name))
		case errors.Is(err, registry.ErrNoModule):
			return h.noPolicy(name)
		case err != nil:
			return err
		case r.Method == http.MethodDelete:
			return web.Answer(w, removedPolicy{name, true})
		}
		return h.answer(w, name)
	}
}

func (h *Policies) put(r *http.Request, name string) error {
	files, err := readFiles(r)
	if err != nil {
		return err
	}
	return h.service.Put(r.Context(), name, files, permission.Actor(r.Context()))
}

func (h *Policies) remove(r *http.Request, name string) error {
	return h.service.Delete(r.Context(), name, permission.Actor(r.Context()))
}

func (h *Policies) rollback(r *http.Request, name string) error {
	return h.service.Rollback(r.Context(), name, permission.Actor(r.Context()))
}

// readFiles reads the files of a module: NAME.wasm, NAME.toml, or a form with both, as module and settings.
func readFiles(r *http.Request) (f registry.Files, err error) {
	kind, parameters, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch kind {
	case "application/wasm":
		f.Wasm, err = io.ReadAll(r.Body)
	case "application/toml":
		f.Settings, err = io.ReadAll(r.Body)
	case "multipart/form-data":
		return readForm(multipart.NewReader(r.Body, parameters["boundary"]))
	default:
		return f, web.NewProblem(http.StatusUnsupportedMediaType, "unsupported_media_type", "The body is not a module",
			fmt.Sprintf("Content-Type: expected application/wasm, application/toml or multipart/form-data, found %q", r.Header.Get("Content-Type")))
	}
	return f, err
}

// readForm reads the parts of a form.
func readForm(form *multipart.Reader) (f registry.Files, err error) {
	wrong := func(text string) error {
		return web.NewProblem(http.StatusBadRequest, "bad_input", "The form is invalid", text)
	}
	for {
		part, err := form.NextPart()
		if err == io.EOF && f.Wasm == nil && f.Settings == nil {
			return f, wrong("expected the parts module and settings, or one of them, found none")
		}
		if err == io.EOF {
			return f, nil
		}
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return f, err
		}
		if err != nil {
			return f, wrong(err.Error())
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return f, err
		}
		switch name := part.FormName(); {
		case name == "module" && f.Wasm == nil:
			f.Wasm = data
		case name == "settings" && f.Settings == nil:
			f.Settings = data
		default:
			return f, wrong(fmt.Sprintf("expected the parts module and settings, each once, found %q", name))
		}
	}
}
