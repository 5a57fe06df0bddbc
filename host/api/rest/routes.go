package rest

import (
	"net/http"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/state"
)

// Routes are those of the API.
func (h *API) Routes() []web.Route {
	all := []web.Route{
		{Pattern: "GET /healthz", Handler: web.Handler(h.healthy), Doc: &web.Doc{Summary: "Whether the process serves", Answers: web.JSON(status{})}},
		{Pattern: "GET /readyz", Handler: web.Handler(h.ready), Doc: &web.Doc{
			Summary: "Whether inputs are taken", Answers: web.JSON(status{}), Problems: []int{http.StatusServiceUnavailable}}},
		{Pattern: "POST /v1/inputs", Needs: auth.Submitter, Handler: web.Handler(h.inputs), Doc: &web.Doc{
			Summary: "Apply inputs, all of them at one time or none",
			Parameters: []web.Parameter{
				{Name: "wait", Values: []string{"durable"}, Text: "answer as soon as the inputs are durable, without decisions"},
				{Name: "Idempotency-Key", Header: true, Text: "a repeat with the same key within 24 hours gets the first answer"}},
			Body: "application/jsonl", Answers: web.JSON(accepted{}), Problems: []int{http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusServiceUnavailable}}},
		{Pattern: "POST /v1/what-if", Needs: auth.Operator, Handler: web.Handler(h.whatIf), Doc: &web.Doc{
			Summary: "The decisions that inputs would bring now; nothing of it is kept",
			Body:    "application/jsonl", Answers: web.JSON(foretold{}), Problems: []int{http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}}},
		{Pattern: "GET /v1/present", Needs: auth.Viewer, Handler: web.Handler(h.present), Doc: &web.Doc{
			Summary: "The present as a journal that builds the cluster as it is", Answers: []web.Content{{Type: "application/jsonl", Of: map[string]any{}}},
			Problems: []int{http.StatusUnprocessableEntity}}},
		{Pattern: "GET /v1/decisions", Needs: auth.Viewer, Handler: web.Handler(h.decisions), Doc: decisionsDoc()},
	}
	all = append(all, h.explanations()...)
	all = append(all, lists(h, "queues", queues)...)
	all = append(all, lists(h, "nodes", nodes)...)
	all = append(all, lists(h, "apps", apps)...)
	all = append(all, lists(h, "asks", asks)...)
	return append(all, h.configRoutes()...)
}

func decisionsDoc() *web.Doc {
	return &web.Doc{
		Summary: "Decisions by number, one a line; with Accept: text/event-stream as Server-Sent Events",
		Parameters: []web.Parameter{
			{Name: "from", Number: true, Text: "the first number"},
			{Name: "last", Number: true, Text: "in place of from: begin so many before the next one"},
			{Name: "limit", Number: true, Text: "at most so many: 100, and at most 1,000, unless they are followed"},
			{Name: "follow", Values: []string{"true", "false"}, Text: "go on with new ones as they are made"},
			{Name: "id", Text: "of this ask, application or node"}, {Name: "app", Text: "of this application"}, {Name: "queue", Text: "of this queue"},
			{Name: "node", Text: "of this node"}, {Name: "type", Text: "of this type"},
			{Name: "Last-Event-ID", Header: true, Text: "of events: go on behind this number"}},
		Answers:  []web.Content{{Type: "application/jsonl", Of: map[string]any{}}, {Type: "text/event-stream"}},
		Problems: []int{http.StatusGone},
	}
}

// lists are the routes of things of a kind.
func lists[T any](h *API, what string, k kind[T]) []web.Route {
	var object T
	fields := web.Parameter{Name: "fields", Text: "these fields of each object alone, with commas between them"}
	unless := web.Parameter{Name: "If-None-Match", Header: true, Text: "the ETag of an earlier answer: 304 while the state has not changed"}
	several := &web.Doc{Summary: "The " + what + ", in pages", Answers: web.JSON(state.Page[T]{}), Problems: []int{http.StatusNotModified}}
	several.Parameters = append(several.Parameters, web.Parameter{Name: "limit", Number: true, Text: "at most so many: 100, and at most 1,000"},
		web.Parameter{Name: "continue", Text: "what the page before gave"})
	for _, w := range wheres {
		if k.where[w.name] {
			several.Parameters = append(several.Parameters, web.Parameter{Name: w.name, Text: w.text})
		}
	}
	several.Parameters = append(several.Parameters, fields, unless)
	single := &web.Doc{Summary: "One of the " + what, Parameters: []web.Parameter{fields, unless}, Answers: web.JSON(object),
		Problems: []int{http.StatusNotFound, http.StatusNotModified}}
	return []web.Route{
		{Pattern: "GET /v1/" + what, Needs: auth.Viewer, Handler: list(h, k), Doc: several},
		{Pattern: "GET /v1/" + what + "/{name}", Needs: auth.Viewer, Handler: one(h, k), Doc: single},
	}
}

// wheres are the parameters that select, in the order in which they are told.
var wheres = []struct {
	name, text string
	of         func(*core.Where) *string
}{
	{"state", "in this state", func(w *core.Where) *string { return &w.State }},
	{"queue", "in this leaf queue", func(w *core.Where) *string { return &w.Queue }},
	{"app", "of this application", func(w *core.Where) *string { return &w.App }},
	{"node", "allocated on this node", func(w *core.Where) *string { return &w.Node }},
	{"user", "of this user", func(w *core.Where) *string { return &w.User }},
	{"partition", "of this partition; the first has the empty name", func(w *core.Where) *string { return &w.Partition }},
}
