package yunikorn

import (
	"fmt"
	"net/http"
	"strings"
)

// healthCheck answers whether the host can write, and whether what it knows is consistent.
func (a *API) healthCheck(w http.ResponseWriter, _ *http.Request) error {
	return answer(w, a.health())
}

func (a *API) health() health {
	h := health{Healthy: true, Checks: []healthCheck{a.storeCheck()}}
	c := &consistency{api: a}
	for _, p := range a.partitions() {
		c.nodes(&p)
		c.queues(&p)
		c.applications(&p)
	}
	h.Checks = append(h.Checks,
		check("Negative resources", "No amount of a node, a queue or an application is negative", c.negative),
		check("Node capacity", "Nodes hold no more than their capacity", c.beyond),
		check("Node allocations", "What a node has allocated is the sum of its allocations", c.nodeSums),
		check("Application allocations", "What an application uses is the sum of its allocations", c.appSums),
		check("Queue usage", "What a queue uses is the sum of what the queues below it use", c.queueSums),
		check("Reservations", "Each reservation is that of an ask that waits", c.reservations),
	)
	for _, one := range h.Checks {
		h.Healthy = h.Healthy && one.Succeeded
	}
	return h
}

// storeCheck says whether the record can be written.
func (a *API) storeCheck() healthCheck {
	var found []string
	if err := a.view.Failure(); err != nil {
		found = []string{err.Error()}
	}
	return check("Store", "The record can be written, so that inputs are taken", found)
}

// mostFindings is how many a message names.
const mostFindings = 10

func check(name, description string, found []string) healthCheck {
	message := ""
	if len(found) > 0 {
		message = strings.Join(found[:min(len(found), mostFindings)], "; ")
		if more := len(found) - mostFindings; more > 0 {
			message += fmt.Sprintf("; and %d more", more)
		}
	}
	return healthCheck{Name: name, Succeeded: len(found) == 0, Description: description, DiagnosisMessage: message}
}
