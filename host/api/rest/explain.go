package rest

import (
	"errors"
	"net/http"

	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/report/explanation"
)

// explanations are the routes of questions.
func (h *API) explanations() []web.Route {
	user := web.Parameter{Name: "user", Text: "the user"}
	groups := web.Parameter{Name: "groups", Text: "the groups of the user, separated by commas"}
	return []web.Route{
		h.explained("/v1/asks/{name}/explanation", explanation.Ask, "Why an ask waits, or where it is"),
		h.explained("/v1/asks/{name}/victims", explanation.Preemption, "The allocations that an ask would preempt"),
		h.explained("/v1/apps/{name}/explanation", explanation.App, "Why an application waits"),
		h.explained("/v1/queues/{name}/explanation", explanation.Queue, "The state of a queue, what it would release, or what a user may do in it",
			web.Parameter{Name: "max", Text: "instead of its state: what it would release if this were its max, such as vcore=40,memory=100Gi"},
			web.Parameter{Name: "user", Text: "instead of its state: what this user may do in it"}, groups),
		h.explained("/v1/windows/{name}/explanation", explanation.Window, "When a window opens, for which applications, and which allocations are on its nodes"),
		h.explained("/v1/limits", explanation.Limits, "What users and groups use of their limits",
			web.Parameter{Name: "user", Text: "of this user"}, web.Parameter{Name: "groups", Text: "only these groups, separated by commas"}),
		h.explained("/v1/consolidation", explanation.Consolidation, "The moves of allocations that would make room for an ask or a gang; nothing is moved",
			web.Parameter{Name: "ask", Text: "the ID of the ask that waits, or of a member of the gang"},
			web.Parameter{Name: "app", Text: "instead of an ask, with gang: the application"}, web.Parameter{Name: "gang", Text: "with app: the gang that waits"}),
		h.explained("/v1/placement", explanation.Place, "In which queue an application would be placed", user, groups,
			web.Parameter{Name: "to", Text: "the queue that the application names"},
			web.Parameter{Name: "tag", Many: true, Text: "a tag of the application, name=value; repeatable"},
			web.Parameter{Name: "partition", Text: "the partition of the application; the first has the empty name"}),
	}
}

// explained is the route of questions of a kind.
func (h *API) explained(path string, kind explanation.Kind, summary string, parameters ...web.Parameter) web.Route {
	d := &web.Doc{Summary: summary, Parameters: parameters, Answers: web.JSON(map[string]any{})}
	needs := auth.Viewer
	switch kind {
	case explanation.Consolidation:
		needs, d.Problems = auth.Operator, []int{http.StatusNotFound}
	case explanation.Limits, explanation.Place:
	case explanation.Preemption:
		d.Problems = []int{http.StatusNotFound, http.StatusConflict}
	default:
		d.Problems = []int{http.StatusNotFound}
	}
	return web.Route{Pattern: "GET " + path, Needs: needs, Handler: h.explain(kind), Doc: d}
}

// explain answers questions of a kind about what the path names.
func (h *API) explain(kind explanation.Kind) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		q, err := question(kind, r)
		if err != nil {
			return err
		}
		if err := permission.Explain(r.Context(), h.server.View(), q); err != nil {
			return err
		}
		var given explanation.Answer
		q.Endings = h.server.View().Endings()
		h.server.Refresh(r.Context())
		permission.Placement(r.Context(), h.server, q)
		if err := h.server.View().Explain(auth.FromContext(r.Context()).Client(), func(s *scheduler.Scheduler) { given, err = q.Put(s) }); err != nil {
			return err
		}
		if err != nil {
			return unanswered(err)
		}
		w.Header().Set("Content-Type", "application/json")
		return given.Write(w, true)
	}
}

// unanswered is why a question has no answer.
func unanswered(err error) error {
	var pending *explanation.NotPendingError
	if errors.As(err, &pending) {
		return web.NewProblem(http.StatusConflict, "not_pending", "The ask is not pending", err.Error())
	}
	return web.NewProblem(http.StatusNotFound, "not_found", "Not found", err.Error())
}

// question is what a request asks.
func question(kind explanation.Kind, r *http.Request) (*explanation.Question, error) {
	q, asked := &explanation.Question{Kind: kind, Name: r.PathValue("name"), Absolute: true}, r.URL.Query()
	if asked.Has("user") {
		user := asked.Get("user")
		q.User = &user
	}
	var err error
	if q.Groups, err = explanation.ParseGroups(asked.Get("groups")); err != nil {
		return nil, unusable("groups", err)
	}
	switch kind {
	case explanation.Queue:
		switch {
		case asked.Has("max") && asked.Has("user"):
			return nil, unusable("max", errors.New("expected no user beside it, found one"))
		case asked.Has("groups") && !asked.Has("user"):
			return nil, unusable("groups", errors.New("expected a user beside them, found none"))
		case asked.Has("user"):
			q.Kind = explanation.Access
		case asked.Has("max"):
			q.Kind = explanation.Max
			if q.Max, err = explanation.ParseMax(asked.Get("max")); err != nil {
				return nil, unusable("max", err)
			}
		}
	case explanation.Consolidation:
		if q.Name, q.Gang = asked.Get("ask"), asked.Get("gang"); q.Gang != "" && q.Name == "" {
			q.Name = asked.Get("app")
		} else if q.Gang != "" || q.Name == "" || asked.Has("app") {
			return nil, unusable("ask", errors.New("expected either an ask, or an app and a gang"))
		}
		if q.Name == "" {
			return nil, unusable("app", errors.New("expected the application of the gang, found none"))
		}
	case explanation.Place:
		q.App = explanation.Application{Queue: asked.Get("to"), Partition: asked.Get("partition")}
		if q.App.Tags, err = explanation.ParseTags(asked["tag"]); err != nil {
			return nil, unusable("tag", err)
		}
	}
	return q, nil
}

// unusable refuses a parameter that cannot be read.
func unusable(name string, err error) error {
	return web.NewProblem(http.StatusBadRequest, "bad_parameter", "A parameter is invalid", name+": "+err.Error())
}
