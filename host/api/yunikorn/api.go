package yunikorn

import (
	"net/http"
	"time"

	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/server"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// API answers the routes.
type API struct {
	view    view
	server  *server.Server
	memory  *Memory
	options Options
}

// view is what of a server.View is needed.
type view interface {
	Read(show func(*scheduler.Scheduler))
	Borrow(show func(*scheduler.Scheduler))
	Changed() <-chan struct{}
	Failure() error
}

// Managers tells of resource managers what the scheduler does not know.
type Managers interface {
	// BuildInformation is what each says of itself.
	BuildInformation() []map[string]string
	// Foreign lists what occupies nodes, by node.
	Foreign() map[string][]*siv1.Allocation
	// Told returns asks and allocations as they were told, by key; those that none of them told are left out. It may wait for a reader
	// of the view, so the view must not be held.
	Told(keys []string) map[string]*siv1.Allocation
}

// Cluster tells what the scheduler does not know of nodes, asks and allocations, where no resource manager does. It may be called concurrently.
type Cluster interface {
	// Tags are those of an ask or an allocation, and when it was created; nil: they are not known.
	Tags(id string) (tags map[string]string, created time.Time)
	// Cordoned reports whether a node takes no new allocations but those that tolerate it.
	Cordoned(node string) bool
	// Occupants lists what occupies a node besides allocations, by ID.
	Occupants(node string) []Occupant
}

// Occupant is what runs on a node without this scheduler.
type Occupant struct {
	ID          string
	Tags        map[string]string
	Created     time.Time
	Resources   resource.Set
	Priority    int32
	Preemptable bool // it is not the node's own, such as a static pod
}

// Options of an API.
type Options struct {
	// Cluster tells of what Managers does not. Nil: there is none.
	Cluster Cluster
	// Metrics answers what Prometheus asks for.
	Metrics http.Handler
	// Managers tells of the resource managers. Nil: there are none.
	Managers Managers
	// Now is the present, since the Unix epoch. Nil: the system's clock tells it.
	Now func() time.Duration
}

// New returns the API of a server that was made with the memory as its watcher.
func New(s *server.Server, m *Memory, o Options) *API {
	if o.Now == nil {
		o.Now = func() time.Duration { return time.Duration(time.Now().UnixNano()) }
	}
	return &API{view: s.View(), server: s, memory: m, options: o}
}

// Routes are those of the API.
func (a *API) Routes() []web.Route {
	var routes []web.Route
	add := func(needs auth.Role, pattern string, h http.Handler) {
		routes = append(routes, web.Route{Pattern: pattern, Needs: needs, Handler: h})
	}
	for path, h := range map[string]web.Handler{
		"clusters":                    a.clusters,
		"config":                      a.config,
		"history/apps":                a.applicationHistory,
		"history/containers":          a.containerHistory,
		"partitions":                  a.partitionInfos,
		"events/batch":                a.eventBatch,
		"events/stream":               a.eventStream,
		"scheduler/healthcheck":       a.healthCheck,
		"scheduler/node-utilizations": a.nodeUtilizations,

		"partition/{partition}/placementrules":                          a.placementRules,
		"partition/{partition}/queues":                                  a.queues,
		"partition/{partition}/queue/{queue}":                           a.queue,
		"partition/{partition}/nodes":                                   a.nodes,
		"partition/{partition}/node/{node}":                             a.node,
		"partition/{partition}/queue/{queue}/applications":              a.applicationsOfQueue,
		"partition/{partition}/queue/{queue}/applications/{state}":      a.applicationsOfQueue,
		"partition/{partition}/queue/{queue}/application/{application}": a.application,
		"partition/{partition}/application/{application}":               a.application,
		"partition/{partition}/applications/{state}":                    a.applications,
		"partition/{partition}/usage/users":                             a.users,
		"partition/{partition}/usage/user/{user}":                       a.user,
		"partition/{partition}/usage/groups":                            a.groups,
		"partition/{partition}/usage/group/{group}":                     a.group,
	} {
		add(auth.Viewer, "GET /ws/v1/"+path, h)
	}
	if a.options.Metrics != nil {
		add(auth.Viewer, "GET /ws/v1/metrics", a.options.Metrics)
	}
	add(auth.Viewer, "POST /ws/v1/validate-conf", web.Handler(a.validate))
	add(auth.Admin, "GET /debug/stack", web.Handler(a.stack))
	add(auth.Admin, "GET /debug/fullstatedump", web.Handler(a.stateDump))
	return routes
}
