package features

import (
	"fmt"
	"slices"

	"github.com/quern-project/quern/core"
)

// quotaPreemption switches preemption by quota for the whole partition.
func (w *world) quotaPreemption(state, partition string) error {
	w.config.partition(partition).quotas = map[string]string{"on": "true", "off": "false"}[state]
	return w.configure()
}

// quotaPreempts expects exactly these victims of a queue over its max since the last When began, in order of allocation.
func (w *world) quotaPreempts(queue, names string) error {
	var found []string
	for _, d := range w.recentOf(core.Preemption) {
		if d.Quota == queue {
			found = append(found, d.ID)
		}
	}
	if want := namesOf(names); !slices.Equal(want, found) {
		return fmt.Errorf("expected the quota of %s to preempt %s, found %s", queue, list(want), list(found))
	}
	return nil
}
