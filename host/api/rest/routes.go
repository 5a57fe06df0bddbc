package rest

import (
	"net/http"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/objects"
)

// Routes are those of the API.
func (h *API) Routes() []web.Route {
	all := []web.Route{
		{Pattern: "GET /healthz", Handler: web.Handler(healthy), Doc: &web.Doc{Summary: "Whether the process is running", Answers: web.JSON(status{})}},
		{Pattern: "GET /readyz", Handler: web.Handler(h.ready), Doc: &web.Doc{
			Summary: "Whether the host accepts inputs and decides about them", Answers: web.JSON(status{}), Problems: []int{http.StatusServiceUnavailable}}},
		{Pattern: "POST /v1/inputs", Needs: auth.Submitter, Handler: web.Handler(h.inputs), Doc: &web.Doc{
			Summary: "Apply inputs, all together or none",
			Parameters: []web.Parameter{
				{Name: "wait", Values: []string{"durable"}, Text: "answer as soon as the inputs are durable, without decisions"},
				{Name: "Idempotency-Key", Header: true, Text: "a repeat with the same key within 24 hours gets the first answer"}},
			Body: []string{"application/jsonl"}, Answers: web.JSON(accepted{}), Problems: []int{http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusServiceUnavailable}}},
		{Pattern: "POST /v1/what-if", Needs: auth.Operator, Handler: web.Handler(h.whatIf), Doc: &web.Doc{
			Summary: "The decisions that inputs would cause now; nothing is kept",
			Body:    []string{"application/jsonl"}, Answers: web.JSON(foretold{}), Problems: []int{http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}}},
		{Pattern: "GET /v1/present", Needs: auth.Viewer, Handler: web.Handler(h.present), Doc: &web.Doc{
			Summary: "The present state as a journal that rebuilds the cluster", Answers: []web.Content{{Type: "application/jsonl", Of: map[string]any{}}},
			Problems: []int{http.StatusUnprocessableEntity}}},
		{Pattern: "GET /v1/decisions", Needs: auth.Viewer, Handler: web.Handler(h.decisions), Doc: decisionsDoc()},
	}
	all = append(append(all, h.explanations()...), h.forecasts())
	all = append(all, lists(h, "queues", queues)...)
	all = append(all, lists(h, "nodes", nodes)...)
	all = append(all, lists(h, "apps", apps)...)
	all = append(all, lists(h, "asks", asks)...)
	all = append(all, lists(h, "windows", windows)...)
	all = append(all, h.gangRoutes()...)
	return append(all, h.configRoutes()...)
}

func decisionsDoc() *web.Doc {
	return &web.Doc{
		Summary: "Decisions by number, one a line; with Accept: text/event-stream as Server-Sent Events",
		Parameters: []web.Parameter{
			{Name: "from", Number: true, Text: "the first number"},
			{Name: "last", Number: true, Text: "instead of from: begin this many before the next one"},
			{Name: "limit", Number: true, Text: "the maximum number, 100 by default; at most 1,000, unless they are followed"},
			{Name: "follow", Values: []string{"true", "false"}, Text: "continue with new decisions as they are made"},
			{Name: "id", Text: "of this ask, application or node"}, {Name: "app", Text: "of this application"}, {Name: "queue", Text: "that name this queue, or a queue below it, in any partition"},
			{Name: "node", Text: "of this node"}, {Name: "type", Text: "of this type"},
			{Name: "Last-Event-ID", Header: true, Text: "for events: continue after this number"}},
		Answers:  []web.Content{{Type: "application/jsonl", Of: map[string]any{}}, {Type: "text/event-stream"}},
		Problems: []int{http.StatusGone},
	}
}

// fieldsParameter and unlessParameter are taken by all routes of things.
var (
	fieldsParameter = web.Parameter{Name: "fields", Text: "only these fields of each object, separated by commas"}
	unlessParameter = web.Parameter{Name: "If-None-Match", Header: true, Text: "the ETag of an earlier answer: 304 if the state is unchanged"}
)

// lists are the routes of things of a kind.
func lists[T any](h *API, what string, k kind[T]) []web.Route {
	var object T
	single := &web.Doc{Summary: "One of the " + what, Parameters: []web.Parameter{fieldsParameter, unlessParameter}, Answers: web.JSON(object),
		Problems: []int{http.StatusNotFound, http.StatusNotModified}}
	return []web.Route{
		listRoute(h, what, k),
		{Pattern: "GET /v1/" + what + "/{name}", Needs: auth.Viewer, Handler: one(h, k), Doc: single},
	}
}

// listRoute is the route of the list of things of a kind.
func listRoute[T any](h *API, what string, k kind[T]) web.Route {
	d := &web.Doc{Summary: "The " + what + ", in pages", Answers: web.JSON(objects.Page[T]{}), Problems: []int{http.StatusNotModified}}
	d.Parameters = append(pageParameters(k.where), fieldsParameter, unlessParameter)
	return web.Route{Pattern: "GET /v1/" + what, Needs: auth.Viewer, Handler: list(h, k), Doc: d}
}

// pageParameters are those of a list that can be selected by some names.
func pageParameters(where map[string]bool) []web.Parameter {
	all := []web.Parameter{
		{Name: "limit", Number: true, Text: "the maximum number, 100 by default; at most 1,000"},
		{Name: "continue", Text: "the token from the previous page"},
	}
	for _, w := range wheres {
		if where[w.name] {
			all = append(all, web.Parameter{Name: w.name, Text: w.text})
		}
	}
	return all
}

// wheres are the parameters that select, in the order in which they are told.
var wheres = []struct {
	name, text string
	of         func(*core.Where) *string
}{
	{"state", "in this state", func(w *core.Where) *string { return &w.State }},
	{"queue", "in this queue, or in a queue below it", func(w *core.Where) *string { return &w.Queue }},
	{"gang", "members of atomic gangs with this ID", func(w *core.Where) *string { return &w.Gang }},
	{"level", "of this level", func(w *core.Where) *string { return &w.Level }},
	{"app", "of this application", func(w *core.Where) *string { return &w.App }},
	{"node", "allocated on this node; of applications: with an allocation there", func(w *core.Where) *string { return &w.Node }},
	{"user", "of this user", func(w *core.Where) *string { return &w.User }},
	{"partition", "of this partition; the first has the empty name", func(w *core.Where) *string { return &w.Partition }},
}
