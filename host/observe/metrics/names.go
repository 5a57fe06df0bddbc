package metrics

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

func counter(r prometheus.Registerer, name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	r.MustRegister(c)
	return c
}

func plain(r prometheus.Registerer, name, help string) prometheus.Counter {
	c := prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	r.MustRegister(c)
	return c
}

func histogram(r prometheus.Registerer, name, help string, buckets []float64) prometheus.Histogram {
	h := prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets})
	r.MustRegister(h)
	return h
}

// other stands for everything that has no series of its own.
const other = "other"

// mostNames is how many names of a kind have series of their own.
const mostNames = 100

// names bounds the values of a label: the first ones that come have series of their own.
type names struct {
	mu    sync.Mutex
	known map[string]bool
}

// label is what stands for a name.
func (n *names) label(name string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.known[name]:
		return name
	case len(n.known) >= mostNames:
		return other
	case n.known == nil:
		n.known = map[string]bool{}
	}
	n.known[name] = true
	return name
}
