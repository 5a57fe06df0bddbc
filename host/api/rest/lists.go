package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/objects"
	"github.com/quern-project/quern/host/report/explanation"
)

// kind is a kind of things that can be read: in pages, or one by name.
type kind[T any] struct {
	page  func(*objects.Reader, context.Context, objects.Query) (objects.Page[T], error)
	one   func(*objects.Reader, string) (T, bool)
	where map[string]bool // names of the parameters that select
	thing core.ObjectKind
}

var (
	queues  = kind[objects.Queue]{(*objects.Reader).Queues, (*objects.Reader).Queue, map[string]bool{"state": true}, core.QueueKind}
	nodes   = kind[objects.Node]{(*objects.Reader).Nodes, (*objects.Reader).Node, map[string]bool{"state": true, "partition": true}, core.NodeKind}
	apps    = kind[objects.App]{(*objects.Reader).Apps, (*objects.Reader).App, map[string]bool{"state": true, "queue": true, "node": true, "user": true}, core.AppKind}
	asks    = kind[objects.Ask]{(*objects.Reader).Asks, (*objects.Reader).Ask, map[string]bool{"state": true, "queue": true, "app": true, "gang": true, "node": true, "user": true}, core.AskKind}
	windows = kind[objects.Window]{(*objects.Reader).Windows, (*objects.Reader).Window, map[string]bool{"partition": true}, core.WindowKind}
)

// list serves a list in pages. What comes or goes between two pages moves nothing from one to the other.
func list[T any](h *API, k kind[T]) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		query := r.URL.Query()
		q, err := pageQuery(query, k.where)
		if err != nil {
			return err
		}
		chosen, err := fieldsOf[T](query)
		if err != nil || h.unchanged(w, r) {
			return err
		}
		p, err := k.page(h.reader, r.Context(), q)
		if err != nil {
			return pageError(err, q)
		}
		if chosen == nil {
			return web.Answer(w, p)
		}
		part := objects.Page[any]{Items: make([]any, 0, len(p.Items)), Continue: p.Continue, Seq: p.Seq}
		for i := range p.Items {
			part.Items = append(part.Items, chosen.of(p.Items[i]))
		}
		return web.Answer(w, part)
	}
}

// pageQuery reads the parameters of a list that can be selected by some names.
func pageQuery(query url.Values, where map[string]bool) (q objects.Query, err error) {
	q.Continue = query.Get("continue")
	for _, w := range wheres {
		if where[w.name] {
			*w.of(&q.Where) = query.Get(w.name)
		}
	}
	limit, err := number(query, "limit", objects.UsualItems, objects.MostItems)
	q.Limit = int(limit)
	return q, err
}

// pageError names the parameter that has caused an error, if one has.
func pageError(err error, q objects.Query) error {
	if errors.Is(err, objects.ErrContinue) {
		return badParameter("continue", "the token from a page", q.Continue)
	}
	return err
}

// one serves the one of a name.
func one[T any](h *API, k kind[T]) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		query := r.URL.Query()
		chosen, err := fieldsOf[T](query)
		if err != nil || h.unchanged(w, r) {
			return err
		}
		name := r.PathValue("name")
		o, ok := k.one(h.reader, name)
		switch {
		case !ok:
			w.Header().Del("ETag")
			return web.NewProblem(http.StatusNotFound, "not_found", "Not found", fmt.Sprintf("found no %q", name)+h.absent(r, k.thing, name))
		case chosen == nil:
			return web.Answer(w, o)
		}
		return web.Answer(w, chosen.of(o))
	}
}

// unchanged gives an answer the version of the state as its entity tag, and ends it when the client has that already. The tag is taken
// before the state is read: where the state goes on meanwhile, the next request finds another one.
func (h *API) unchanged(w http.ResponseWriter, r *http.Request) bool {
	v := h.server.View().Version()
	tag := fmt.Sprintf(`W/"%d-%d-%x"`, v.Decision, v.Batch, int64(v.Now))
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", "private, no-cache")
	if !slices.Contains(tags(r.Header), tag) {
		return false
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

// absent says how what is not there has ended, or which names are like it, as long as the client may ask for explanations: it takes as
// long.
func (h *API) absent(r *http.Request, thing core.ObjectKind, name string) (hint string) {
	v := h.server.View()
	if err := v.Explain(auth.FromContext(r.Context()).Client(), func(s *scheduler.Scheduler) {
		hint = explanation.Absent(s, v.Endings(), thing, name, true)
	}); err != nil {
		return ""
	}
	return hint
}
