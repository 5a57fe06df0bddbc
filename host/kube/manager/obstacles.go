package manager

import (
	"fmt"
	"log/slog"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1alpha2 "k8s.io/api/scheduling/v1alpha2"

	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/translate"
)

// obstacles decides whether a pod that waits may ask now.
type obstacles struct {
	view     *clusterView
	apps     *apps
	failures *failures
	filters  Filters                            // nil without scheduler plugins
	later    func(key string, in time.Duration) // has a pod looked at
	events   *events
	log      *slog.Logger

	saidUnserved bool // that pods name pod groups which the API server does not have
}

// of reports whether a pod that waits must not ask now, and the reason for its conditions; the pause after a failed binding has none.
func (o *obstacles) of(p *pod) (why string, waits bool) {
	switch p.state {
	case podstate.Condemned, podstate.Failing:
		o.failures.fail(p)
		return p.why, true
	}
	if o.pauses(p) {
		return p.backoff.why, true
	}
	if a := o.apps.of(p); a != nil && a.state.holds() {
		return a.why, true
	}
	return o.missing(p.seen)
}

// pauses reports whether a pod has to wait before it asks again, and has it looked at then.
func (o *obstacles) pauses(p *pod) bool {
	wait := time.Until(p.backoff.until)
	if wait > 0 {
		o.later(p.key, wait)
	}
	return wait > 0
}

// missing says in a sentence what a pod needs that is not there, and whether there is anything.
func (o *obstacles) missing(pod *corev1.Pod) (why string, is bool) {
	c := o.view.context(pod)
	if group := translate.PodGroupKey(pod); group != "" && o.view.groups == nil {
		return o.unserved(pod, group), true
	} else if group != "" && c.PodGroup == nil {
		return "The pod waits for its pod group " + group + ", which is not there.", true
	}
	if o.filters != nil {
		return "", false
	}
	if plugins := nodefit.Plugins(pod, &c.Cluster); len(plugins) > 0 {
		return "The pod is not scheduled, because its nodes have to be asked about by scheduler plugins that this scheduler runs without: " +
			strings.Join(plugins, ", ") + ".", true
	}
	return "", false
}

// unserved says that a pod names a PodGroup of an API that the API server does not have, which no event of that server ever will: so the log
// says it once a run, and an event for each pod.
func (o *obstacles) unserved(pod *corev1.Pod, group string) string {
	why := fmt.Sprintf("The pod names the pod group %s, but the API server does not serve %v", group, schedulingv1alpha2.SchemeGroupVersion)
	if others := o.view.otherGroups; len(others) > 0 {
		why += fmt.Sprintf(": it has pod groups of %s, which this release of the scheduler does not know.", strings.Join(others, ", "))
	} else {
		why += ": expected that API switched on when the scheduler starts."
	}
	if !o.saidUnserved {
		o.saidUnserved = true
		o.log.Error("pods of pod groups are not scheduled, since the API server does not serve pod groups that this release knows", "api", schedulingv1alpha2.SchemeGroupVersion, "pod", translate.Key(pod), "group", group)
	}
	o.events.once(pod, "PodGroupNotServed", why)
	return why
}
