package manager

import (
	resourcev1 "k8s.io/api/resource/v1"

	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/translate"
)

// Objects beside pods decide how pods ask. When one changes, the pods that it affects are looked at.

// namespacesChanged has the pods of namespaces looked at that wait: they may belong to other applications. What a namespace says of its queue
// counts from the next application on.
func (s *pods) namespacesChanged(names, looked map[string]bool) {
	for name := range names {
		for _, pod := range s.view.PodsIn(name) {
			if s.view.stageOf(pod) == translate.Waiting {
				looked[translate.Key(pod)] = true
			}
		}
	}
}

// groupsChanged has the pods of groups that wait ask again: by another policy, or not at all while their group is not there. Where the API server has
// groups of another version now, the others are looked at, too: what they lack may be there, or be called otherwise.
func (s *pods) groupsChanged(groups map[string]bool, moved bool, looked map[string]bool) {
	if len(groups) == 0 && !moved {
		return
	}
	for key, p := range s.byKey {
		group := translate.PodGroupKey(p.seen)
		if groups[group] && p.state == podstate.Asking {
			s.withdraw(p)
		}
		if groups[group] || moved && group != "" {
			looked[key] = true
		}
	}
}

// devicesChanged has the pods looked at that wait for what devices stand for now, or no longer.
func (s *pods) devicesChanged(looked map[string]bool) {
	if s.view.deviceClasses == nil {
		return
	}
	var classes []*resourcev1.DeviceClass
	for _, o := range s.view.deviceClasses.List() {
		classes = append(classes, o.(*resourcev1.DeviceClass))
	}
	changed := s.view.devices.stand(classes)
	if len(changed) == 0 {
		return
	}
	for key, p := range s.byKey {
		if p.state == podstate.Asking && nodefit.UsesDevices(p.submitted, changed) {
			looked[key] = true
		}
	}
}
