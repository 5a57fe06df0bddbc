package metrics

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
)

// webMetrics are those of HTTP requests.
type webMetrics struct {
	requests *prometheus.CounterVec
	begun    *prometheus.HistogramVec
}

func newWebMetrics(r prometheus.Registerer) webMetrics {
	m := webMetrics{
		requests: counter(r, "quern_http_requests_total", "HTTP requests, by route and status.", "route", "code"),
		begun: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "quern_http_response_seconds", Buckets: latencyBuckets,
			Help: "Time until the answer to an HTTP request began, by route."}, []string{"route"}),
	}
	r.MustRegister(m.begun)
	return m
}

// Route returns what notes how HTTP requests to a route were answered.
func (m *Metrics) Route(route string) func(web.Seen) {
	begun, answered := m.web.begun.WithLabelValues(route), m.web.requests.WithLabelValues(route, "200")
	return func(s web.Seen) {
		begun.Observe(s.Begun.Seconds())
		if s.Status == http.StatusOK {
			answered.Inc()
			return
		}
		m.web.requests.WithLabelValues(route, strconv.Itoa(s.Status)).Inc()
	}
}

// Routes serve the metrics, without authentication if the settings say so.
func (m *Metrics) Routes(open func() bool) []web.Route {
	return []web.Route{{Pattern: "GET /metrics", Needs: auth.Viewer, Open: open, Handler: m.Handler()}}
}

// Handler answers scrapes.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{EnableOpenMetrics: true, MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
}
