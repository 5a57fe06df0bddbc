package webhook

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/quern-project/quern/host/kubelabels"
)

// Patterns match a name if one of them matches a part of it. A pattern for whole names begins with ^ and ends with $.
type Patterns []*regexp.Regexp

func (p Patterns) match(name string) bool {
	for _, pattern := range p {
		if pattern.MatchString(name) {
			return true
		}
	}
	return false
}

// SystemUsers are the controllers of Kubernetes, which create pods from the templates of workloads.
var SystemUsers = Patterns{regexp.MustCompile(`^system:serviceaccount:kube-system:`), regexp.MustCompile(`^system:kube-controller-manager$`)}

// SystemNamespaces are the namespaces that are bypassed by default.
var SystemNamespaces = Patterns{regexp.MustCompile(`^kube-system$`)}

// Rules say which pods are sent to the scheduler, and who may name a user. In a namespace, the annotation enableYuniKorn counts before
// Process, Bypass and Namespaces.
type Rules struct {
	Schedulers []string        // the names of the scheduler in spec.schedulerName; the first is for pods that name none
	Queue      string          // for pods that name no queue; empty: they stay without one, so that placement rules decide
	Process    Patterns        // namespaces whose pods are sent to the scheduler; empty: all
	Bypass     Patterns        // namespaces that are left out, also if Process matches; nil: SystemNamespaces
	Namespaces labels.Selector // of namespaces besides; nil: all

	TrustedUsers, TrustedGroups Patterns // may name any user and groups in their pods and workloads
	System                      Patterns // users whose pods keep the user info of their template, or stay without; nil: SystemUsers
}

// check sets defaults, and refuses what would spoil every pod.
func (r *Rules) check() error {
	if r.Bypass == nil {
		r.Bypass = SystemNamespaces
	}
	if r.System == nil {
		r.System = SystemUsers
	}
	if len(r.Schedulers) == 0 {
		return errors.New("scheduler name: expected one or more, found none")
	}
	for _, name := range r.Schedulers {
		if name == "" || name == corev1.DefaultSchedulerName {
			return fmt.Errorf("scheduler name: expected a name other than that of the default scheduler, found %q", name)
		}
	}
	if bad := validation.IsValidLabelValue(r.Queue); bad != nil {
		return fmt.Errorf("default queue: expected the value of a label, found %q: %s", r.Queue, bad[0])
	}
	return nil
}

// Mutate returns the patch for a pod or a workload that is created or updated; empty: it stays as it is. The error is an apierrors.APIStatus
// for the sender. Without a namespace, that of the request is taken to have neither labels nor annotations. class returns a priority class by its
// name, or nil if it is not known; a nil class knows none, and leaves pods as they are in this respect.
func (r *Rules) Mutate(q *admissionv1.AdmissionRequest, namespace *corev1.Namespace, class func(string) *schedulingv1.PriorityClass) ([]Operation, error) {
	template, known := templates[q.Kind.Group+"/"+q.Kind.Kind]
	if !known || q.SubResource != "" || q.Operation != admissionv1.Create && q.Operation != admissionv1.Update {
		return nil, nil
	}
	now, old, err := versions(q, template)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	s := &step{Rules: r, request: q, now: now, old: old, processed: r.processes(q.Namespace, namespace), namespace: namespace, class: class}
	if len(template) == 0 {
		err = s.pod()
	} else {
		err = s.workload()
	}
	if err != nil {
		return nil, err
	}
	return now.patch, nil
}

// templates are the paths to the pod templates of workloads, by group and kind; that of a pod is empty.
var templates = map[string][]string{
	"/Pod":                   {},
	"/ReplicationController": {"spec", "template"},
	"apps/Deployment":        {"spec", "template"},
	"apps/StatefulSet":       {"spec", "template"},
	"apps/ReplicaSet":        {"spec", "template"},
	"apps/DaemonSet":         {"spec", "template"},
	"batch/Job":              {"spec", "template"},
	"batch/CronJob":          {"spec", "jobTemplate", "spec", "template"},
}

// versions returns the pod or the template of a request, and its old version; nil: it is created.
func versions(q *admissionv1.AdmissionRequest, template []string) (now, old *pod, err error) {
	if now, err = version(q.Object.Raw, template); err != nil || q.Operation == admissionv1.Create {
		return now, nil, err
	}
	if old, err = version(q.OldObject.Raw, template); err != nil {
		err = fmt.Errorf("old version: %w", err)
	}
	return now, old, err
}

func version(raw []byte, template []string) (*pod, error) {
	d, err := parse(raw)
	if err != nil {
		return nil, err
	}
	return d.pod(template)
}

// processes reports whether the pods of a namespace are sent to the scheduler.
func (r *Rules) processes(name string, namespace *corev1.Namespace) bool {
	set := labels.Set{}
	if namespace != nil {
		if enabled, given, _ := metadata(namespace).Enabled(); given {
			return enabled
		}
		set = namespace.Labels
	}
	return (len(r.Process) == 0 || r.Process.match(name)) && !r.Bypass.match(name) && (r.Namespaces == nil || r.Namespaces.Matches(set))
}

// ours reports whether the scheduler has a name.
func (r *Rules) ours(scheduler string) bool { return slices.Contains(r.Schedulers, scheduler) }

func metadata(n *corev1.Namespace) kubelabels.Metadata {
	return kubelabels.Metadata{Labels: n.Labels, Annotations: n.Annotations}
}

// step is one use of the rules.
type step struct {
	*Rules
	request   *admissionv1.AdmissionRequest
	now, old  *pod // old is nil if now is created
	processed bool
	namespace *corev1.Namespace // nil: not known
	class     func(name string) *schedulingv1.PriorityClass
}

// pod defaults a pod that is created, and guards its user in each version. The user is checked whatever scheduler the pod names, since Quern may have
// names that this webhook does not know. Static pods, which are the kubelet's, and the pods of DaemonSets get no defaults.
func (s *step) pod() error {
	_, mirror := s.now.Annotations[corev1.MirrorPodAnnotationKey]
	static := mirror || s.now.ownedBy("Node")
	if s.old == nil && s.processed && !static && !s.now.ownedBy("DaemonSet") {
		s.defaults()
	}
	is := s.now.Annotations[kubelabels.UserInfo]
	if is == "" && (static || !s.ours(s.now.scheduler)) {
		return nil
	}
	if s.old == nil {
		return s.stamp()
	}
	if is == s.old.Annotations[kubelabels.UserInfo] {
		return nil
	}
	if s.sender() == ordinary {
		return s.refuse("no change of a pod's user")
	}
	return s.readable()
}

// defaults sends a pod to the scheduler unless it names another, gives it an application and a queue where rules say so, and writes whether others
// may preempt it.
func (s *step) defaults() {
	p := s.now
	if p.scheduler == "" || p.scheduler == corev1.DefaultSchedulerName {
		p.setScheduler(s.Schedulers[0])
	}
	if !s.ours(p.scheduler) {
		return
	}
	if p.App() == "" && s.namespace != nil {
		if n, _ := metadata(s.namespace).Namespace(); n.GenerateAppID {
			s.nameApp(kubelabels.AutogenAppID(s.namespace.Name))
		}
	}
	if p.Queue() == "" && s.Queue != "" {
		p.label(kubelabels.QueueName, s.Queue)
	}
	if s.class != nil && p.Annotations[kubelabels.AllowPreemption] == "" {
		s.allowPreemption()
	}
}

// allowPreemption writes what the priority class of a pod says of its preemption, "true" if it says nothing. If the class is not known yet, the pod
// stays as it is, and the scheduler reads the class.
func (s *step) allowPreemption() {
	may := true
	if name := s.now.priorityClass(); name != "" {
		class := s.class(name)
		if class == nil {
			return
		}
		may, _, _ = kubelabels.Metadata{Annotations: class.Annotations}.Preemptable()
	}
	s.now.annotate(kubelabels.AllowPreemption, strconv.FormatBool(may))
}

// nameApp sets a label, which selectors can use, or an annotation if the name is too long for a label.
func (s *step) nameApp(id string) {
	if len(id) <= validation.LabelValueMaxLength {
		s.now.label(kubelabels.AppID, id)
	} else {
		s.now.annotate(kubelabels.AppID, id)
	}
}

// workload guards the user in the template of a workload, which its pods inherit. What names a user is checked whatever the scheduler, since
// another one may be named later. A template that its sender does not change keeps its user: a change would replace all pods.
func (s *step) workload() error {
	is, was := s.now.Annotations[kubelabels.UserInfo], ""
	if s.old != nil {
		was = s.old.Annotations[kubelabels.UserInfo]
	}
	ours := s.ours(s.now.scheduler) || s.processed && (s.now.scheduler == "" || s.now.scheduler == corev1.DefaultSchedulerName)
	switch {
	case is != "" && is == was:
		return nil
	case is != "":
		return s.stamp() // no more than a check
	case !ours || s.sender() == system || s.old != nil && was == "" && s.sameTemplate():
		return nil
	case was != "":
		s.now.annotate(kubelabels.UserInfo, was) // the sender has sent a manifest without it
		return nil
	}
	return s.stamp()
}

func (s *step) sameTemplate() bool {
	now, _ := s.now.at(s.now.base)
	old, _ := s.old.at(s.old.base)
	return reflect.DeepEqual(now, old)
}
