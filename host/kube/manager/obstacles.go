package manager

import (
	"fmt"
	"log/slog"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/podgroup"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/translate"
)

// obstacles decides whether a pod that waits may ask now.
type obstacles struct {
	view     *clusterView
	apps     *apps
	failures *failures
	filters  Filters                            // nil without scheduler plugins
	later    func(key string, in time.Duration) // schedules a look at a pod
	events   *events
	log      *slog.Logger

	lone         bool // pods of pod groups which the API server does not have are scheduled one by one
	saidUnserved bool // that pods name such groups
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

// pauses reports whether a pod has to wait before it asks again, and schedules the look after that.
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
	if group := translate.PodGroupKey(pod); group != "" && c.PodGroup == nil {
		if !o.view.groups.Served().Version.Empty() {
			return "The pod waits for its pod group " + group + ", which is not there.", true
		}
		if why = o.unserved(pod, group); !o.lone {
			return why, true
		}
	}
	if g := c.PodGroup; g != nil && g.WrongTopology != "" {
		return "The pod waits, because its pod group " + g.Namespace + "/" + g.Name + " cannot be used: " + g.WrongTopology + ".", true
	}
	if c.PodGroup != nil {
		if l := o.view.above(c.PodGroup); l.wrong != "" {
			return "The pod waits with its pod group, since " + l.wrong + ".", true
		}
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

// unserved says that a pod names a PodGroup of an API that the API server does not have: the log says so once a run, and an event for each pod.
func (o *obstacles) unserved(pod *corev1.Pod, group string) string {
	why := fmt.Sprintf("The pod names the pod group %s, but the API server has pod groups of no version that this release of the scheduler knows (%s)", group, listed(podgroup.Known()))
	if others := o.view.groups.Served().Others; len(others) > 0 {
		why += fmt.Sprintf("; it has those of %s.", listed(others))
	} else {
		why += "."
	}
	if o.lone {
		why += " It is scheduled by itself."
	}
	if !o.saidUnserved {
		o.saidUnserved = true
		o.log.Error("pods name pod groups, but the API server has none of a version that this release knows", "known", podgroup.Known(), "pod", translate.Key(pod), "group", group, "ignored", o.lone)
	}
	o.events.once(pod, "PodGroupNotServed", why)
	return why
}

// listed names versions.
func listed(versions []schema.GroupVersion) string {
	names := make([]string, len(versions))
	for i, v := range versions {
		names[i] = v.String()
	}
	return strings.Join(names, ", ")
}
