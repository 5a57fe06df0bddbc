package rest

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/api/web"
)

// kind is a kind of things that can be listed: its parts of the state, its filters, and how its objects are made.
type kind[T any] struct {
	parts core.Parts
	// filters are the parameters that select, each with the value of an object.
	filters map[string]func(*T) string
	name    func(*T) string
	objects func(*core.Dump) []T
}

var queues = kind[queueObject]{
	parts:   core.OfQueues,
	filters: map[string]func(*queueObject) string{"state": func(q *queueObject) string { return q.State }},
	name:    func(q *queueObject) string { return q.Queue },
	objects: func(d *core.Dump) (list []queueObject) {
		for i := range d.Queues {
			list = append(list, queueOf(&d.Queues[i]))
		}
		return list
	},
}

var nodes = kind[nodeObject]{
	parts: core.OfNodes,
	filters: map[string]func(*nodeObject) string{
		"partition": func(n *nodeObject) string { return n.Partition },
	},
	name: func(n *nodeObject) string { return n.Node },
	objects: func(d *core.Dump) (list []nodeObject) {
		for i := range d.Nodes {
			list = append(list, nodeOf(&d.Nodes[i]))
		}
		return list
	},
}

var apps = kind[appObject]{
	parts: core.OfApplications,
	filters: map[string]func(*appObject) string{
		"queue": func(a *appObject) string { return a.Queue },
		"state": func(a *appObject) string { return a.State },
	},
	name: func(a *appObject) string { return a.App },
	objects: func(d *core.Dump) (list []appObject) {
		for i := range d.Applications {
			list = append(list, appOf(&d.Applications[i]))
		}
		return list
	},
}

var asks = kind[askObject]{
	parts: core.OfApplications,
	filters: map[string]func(*askObject) string{
		"queue": func(a *askObject) string { return a.Queue },
		"state": func(a *askObject) string { return a.State },
		"node":  func(a *askObject) string { return a.Node },
		"app":   func(a *askObject) string { return a.App },
	},
	name: func(a *askObject) string { return a.Ask },
	objects: func(d *core.Dump) (list []askObject) {
		for i := range d.Applications {
			a := &d.Applications[i]
			for k := range a.Asks {
				list = append(list, askOf(a, &a.Asks[k]))
			}
		}
		return list
	},
}

// page is a part of a list. Continue asks for the next one; it is left out at the end.
type page[T any] struct {
	Items    []T    `json:"items"`
	Continue string `json:"continue,omitempty"`
}

const (
	usualItems = 100
	mostItems  = 1000
)

// list serves a list in pages, by name. What comes or goes between two pages moves nothing from one to the other.
func list[T any](h *API, k kind[T]) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		query := r.URL.Query()
		known := []string{"limit", "continue"}
		for name := range k.filters {
			known = append(known, name)
		}
		if err := only(query, known...); err != nil {
			return err
		}
		limit, err := number(query, "limit", usualItems, mostItems)
		if err != nil {
			return err
		}
		after, err := base64.RawURLEncoding.DecodeString(query.Get("continue"))
		if err != nil {
			return badParameter("continue", "what a page gave", query.Get("continue"))
		}
		all := slices.DeleteFunc(k.read(h), func(o T) bool {
			for name, value := range k.filters {
				if query.Has(name) && value(&o) != query.Get(name) {
					return true
				}
			}
			return query.Has("continue") && k.name(&o) <= string(after)
		})
		slices.SortFunc(all, func(a, b T) int { return cmp.Compare(k.name(&a), k.name(&b)) })
		p := page[T]{Items: append([]T{}, all[:min(len(all), int(limit))]...)}
		if len(all) > len(p.Items) {
			p.Continue = base64.RawURLEncoding.EncodeToString([]byte(k.name(&p.Items[len(p.Items)-1])))
		}
		return web.Answer(w, p)
	}
}

// one serves the one of a name.
func one[T any](h *API, k kind[T]) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		name := r.PathValue("name")
		for _, o := range k.read(h) {
			if k.name(&o) == name {
				return web.Answer(w, o)
			}
		}
		return web.NewProblem(http.StatusNotFound, "not_found", "There is nothing of that name", fmt.Sprintf("found no %q", name))
	}
}

// read makes all objects of a kind.
func (k *kind[T]) read(h *API) []T {
	var d core.Dump
	h.server.View().Read(func(s *core.Scheduler) { d = s.Read(k.parts) })
	return k.objects(&d)
}
