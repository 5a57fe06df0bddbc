package manager

import (
	resourcev1 "k8s.io/api/resource/v1"

	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/translate"
)

// Pods ask according to other objects, too. When one changes, the pods that depend on it are looked at.

// namespacesChanged marks the waiting pods of namespaces: they may belong to other applications now. A new queue of a namespace applies to applications
// that begin later.
func (s *pods) namespacesChanged(names, looked map[string]bool) {
	for name := range names {
		for _, pod := range s.view.PodsIn(name) {
			if s.view.stageOf(pod) == translate.Waiting {
				looked[translate.Key(pod)] = true
			}
		}
	}
}

// groupsChanged lets the waiting pods of groups ask again: by another policy, or not at all while their group does not exist. If the API server has
// groups of another version now, all pods with a group are looked at, since what they lack may exist under that version.
func (s *pods) groupsChanged(groups, composites map[string]bool, moved bool, looked map[string]bool) {
	if len(groups) == 0 && len(composites) == 0 && !moved {
		return
	}
	for key, p := range s.byKey {
		group := translate.PodGroupKey(p.seen)
		changed := groups[group] || len(composites) > 0 && s.view.descends(s.view.group(group), composites)
		if changed && p.state == podstate.Asking {
			s.withdraw(p)
		}
		if changed || moved && group != "" {
			looked[key] = true
		}
	}
}

// devicesChanged marks the waiting pods that request a device class whose extended resource has changed.
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
