package rest

import (
	"net/http"
	"time"

	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/observe/audit"
	"github.com/quern-project/quern/host/observe/logging"
	"github.com/quern-project/quern/host/observe/metrics"
	"github.com/quern-project/quern/host/server"
)

// Operation answers what operators ask about the host itself.
type Operation struct {
	metrics *metrics.Metrics
	logs    *logging.Logs
	version Version
	lapse   Lapse // nil: the cluster is not simulated
	changed Changed
}

// Changed is called after a request has changed the host itself, such as PUT /v1/log. Nil disables it.
type Changed func(by *server.Actor, what string, list []audit.Change)

// NewOperation returns what answers about a host of a version. A nil lapse: its cluster is not simulated.
func NewOperation(m *metrics.Metrics, l *logging.Logs, version string, lapse Lapse, changed Changed) *Operation {
	return &Operation{metrics: m, logs: l, version: versionOf(version), lapse: lapse, changed: changed}
}

// Routes are those of the operation.
func (o *Operation) Routes() []web.Route {
	return []web.Route{
		{Pattern: "GET /v1/stats", Needs: auth.Viewer, Handler: web.Handler(o.stats), Doc: &web.Doc{
			Summary: "Statistics of the host: rates, latencies, and the state of intake, cluster, store, view and queues", Answers: web.JSON(metrics.Stats{})}},
		{Pattern: "GET /v1/version", Needs: auth.Viewer, Handler: web.Handler(o.tellVersion), Doc: &web.Doc{
			Summary: "The version that runs", Answers: web.JSON(Version{})}},
		{Pattern: "GET /v1/log", Needs: auth.Admin, Handler: web.Handler(o.log), Doc: &web.Doc{
			Summary: "The log levels, by subsystem", Answers: web.JSON(logObject{})}},
		{Pattern: "PUT /v1/log", Needs: auth.Admin, Handler: web.Handler(o.setLog), Doc: &web.Doc{
			Summary: "Set the log levels of the subsystems that the body names", Body: []string{"application/json"}, Answers: web.JSON(logObject{}),
			Problems: []int{http.StatusRequestEntityTooLarge}}},
	}
}

// stats tells how the host does.
func (o *Operation) stats(w http.ResponseWriter, _ *http.Request) error {
	return web.Answer(w, o.metrics.Stats(time.Now()))
}
