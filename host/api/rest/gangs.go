package rest

import (
	"fmt"
	"net/http"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/objects"
)

// gangs have no name of their own: each is named by its application and its ID.
var gangs = kind[objects.Gang]{page: (*objects.Reader).Gangs, where: map[string]bool{"state": true, "queue": true, "app": true, "user": true}}

// domainsBy are the parameters that select domains.
var domainsBy = map[string]bool{"partition": true, "level": true}

// gangRoutes are the routes of atomic gangs, and of the topology in which they are placed.
func (h *API) gangRoutes() []web.Route {
	return []web.Route{
		listRoute(h, "gangs", gangs),
		{Pattern: "GET /v1/gangs/{app}/{gang}", Needs: auth.Viewer, Handler: web.Handler(h.gang), Doc: &web.Doc{
			Summary: "One of the gangs", Parameters: []web.Parameter{fieldsParameter, unlessParameter}, Answers: web.JSON(objects.Gang{}),
			Problems: []int{http.StatusNotFound, http.StatusNotModified}}},
		{Pattern: "GET /v1/topology", Needs: auth.Viewer, Handler: web.Handler(h.topology), Doc: &web.Doc{
			Summary: "The levels of the topology, and its domains with their nodes and room, in pages", Parameters: append(pageParameters(domainsBy), unlessParameter),
			Answers: web.JSON(objects.Topology{}), Problems: []int{http.StatusNotModified}}},
	}
}

// gang serves a gang of an application.
func (h *API) gang(w http.ResponseWriter, r *http.Request) error {
	chosen, err := fieldsOf[objects.Gang](r.URL.Query())
	if err != nil || h.unchanged(w, r) {
		return err
	}
	app, id := r.PathValue("app"), r.PathValue("gang")
	g, ok := h.reader.Gang(app, id)
	switch {
	case !ok:
		w.Header().Del("ETag")
		return web.NewProblem(http.StatusNotFound, "not_found", "Not found", fmt.Sprintf("found no gang %q of application %q", id, app)+h.absentApp(r, app))
	case chosen == nil:
		return web.Answer(w, g)
	}
	return web.Answer(w, chosen.of(g))
}

// absentApp says how an application that is not there has ended, or which names are like it.
func (h *API) absentApp(r *http.Request, app string) string {
	if _, there := h.reader.App(app); there {
		return ""
	}
	return h.absent(r, core.AppKind, app)
}

// topology serves the domains of the topology.
func (h *API) topology(w http.ResponseWriter, r *http.Request) error {
	q, err := pageQuery(r.URL.Query(), domainsBy)
	if err != nil || h.unchanged(w, r) {
		return err
	}
	t, err := h.reader.Topology(r.Context(), q)
	if err != nil {
		return pageError(err, q)
	}
	return web.Answer(w, t)
}
