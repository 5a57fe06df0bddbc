package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/quern-project/quern/host/kube/clustertest"
	"github.com/quern-project/quern/host/kube/retry"
	"github.com/quern-project/quern/host/kubelabels"
)

// cluster is a control plane that asks webhooks of this process.
type cluster struct {
	*testing.T
	*clustertest.Cluster
	admin *kubernetes.Clientset
	url   string // of the replica that the API server asks
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{T: t, Cluster: clustertest.New(t)}
	c.admin = c.client(c.Admin(), nil)
	return c
}

// client acts for a configuration, and passes its warnings on.
func (c *cluster) client(config *rest.Config, warnings rest.WarningHandler) *kubernetes.Clientset {
	c.Helper()
	config.WarningHandler = warnings
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		c.Fatal(err)
	}
	return client
}

// as is a client of a user that may do all that the admin may, but is no admin to the webhook.
func (c *cluster) as(user string, groups ...string) *kubernetes.Clientset {
	c.Helper()
	config := c.Admin()
	config.Impersonate = rest.ImpersonationConfig{UserName: user, Groups: append(groups, "system:authenticated")}
	return c.client(config, nil)
}

func (c *cluster) must(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

// installation are the objects that the webhook needs.
const installation = "../../../docs/operate/kubernetes/webhook.yaml"

// install creates the objects of webhook.yaml, with a URL in the place of the Service.
func (c *cluster) install(ctx context.Context, url string) {
	c.Helper()
	c.url = url
	text, err := os.ReadFile(installation)
	c.must(err)
	_, err = c.admin.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "quern"}}, metav1.CreateOptions{})
	c.must(err)
	for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
		var meta metav1.TypeMeta
		c.must(yaml.Unmarshal(document, &meta))
		c.must(c.create(ctx, meta.Kind, document))
	}
	everybody := &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "everybody-edits"},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.GroupKind, APIGroup: rbacv1.GroupName, Name: "data"}}}
	_, err = c.admin.RbacV1().ClusterRoleBindings().Create(ctx, everybody, metav1.CreateOptions{})
	c.must(err)
}

func (c *cluster) create(ctx context.Context, kind string, document []byte) error {
	var none metav1.CreateOptions
	read := func(into any) { c.must(yaml.UnmarshalStrict(document, into)) }
	var err error
	switch kind {
	case "": // a comment
	case "ServiceAccount":
		var o corev1.ServiceAccount
		read(&o)
		_, err = c.admin.CoreV1().ServiceAccounts(o.Namespace).Create(ctx, &o, none)
	case "Secret":
		var o corev1.Secret
		read(&o)
		_, err = c.admin.CoreV1().Secrets(o.Namespace).Create(ctx, &o, none)
	case "Service":
		var o corev1.Service
		read(&o)
		_, err = c.admin.CoreV1().Services(o.Namespace).Create(ctx, &o, none)
	case "Role":
		var o rbacv1.Role
		read(&o)
		_, err = c.admin.RbacV1().Roles(o.Namespace).Create(ctx, &o, none)
	case "RoleBinding":
		var o rbacv1.RoleBinding
		read(&o)
		_, err = c.admin.RbacV1().RoleBindings(o.Namespace).Create(ctx, &o, none)
	case "ClusterRole":
		var o rbacv1.ClusterRole
		read(&o)
		_, err = c.admin.RbacV1().ClusterRoles().Create(ctx, &o, none)
	case "ClusterRoleBinding":
		var o rbacv1.ClusterRoleBinding
		read(&o)
		_, err = c.admin.RbacV1().ClusterRoleBindings().Create(ctx, &o, none)
	case "MutatingWebhookConfiguration":
		var o admissionregistrationv1.MutatingWebhookConfiguration
		read(&o)
		for n := range o.Webhooks {
			c.byURL(&o.Webhooks[n].ClientConfig)
		}
		_, err = c.admin.AdmissionregistrationV1().MutatingWebhookConfigurations().Create(ctx, &o, none)
	case "ValidatingWebhookConfiguration":
		var o admissionregistrationv1.ValidatingWebhookConfiguration
		read(&o)
		for n := range o.Webhooks {
			c.byURL(&o.Webhooks[n].ClientConfig)
		}
		_, err = c.admin.AdmissionregistrationV1().ValidatingWebhookConfigurations().Create(ctx, &o, none)
	case "Deployment": // there is no kubelet that would run it
		read(new(appsv1.Deployment))
	case "PodDisruptionBudget":
		read(new(policyv1.PodDisruptionBudget))
	case "NetworkPolicy":
		read(new(networkingv1.NetworkPolicy))
	default:
		err = fmt.Errorf("webhook.yaml: unknown kind %q", kind)
	}
	return err
}

func (c *cluster) byURL(to *admissionregistrationv1.WebhookClientConfig) {
	url := c.url + *to.Service.Path
	to.URL, to.Service = &url, nil
}

// replica is a webhook that runs with the rights of webhook.yaml.
func (c *cluster) replica(ctx context.Context, l net.Listener) *Server {
	c.Helper()
	account, err := c.ServiceAccount(ctx, "quern", "quern-webhook")
	c.must(err)
	s, err := New(Options{
		Client: c.client(account, nil), Listener: l, Namespace: "quern", Secret: "quern-webhook", Names: []string{"127.0.0.1"}, Mutating: "quern", Validating: "quern",
		Rules:  Rules{Schedulers: []string{"quern"}, TrustedUsers: matching("^system:serviceaccount:jobs:gateway$")},
		Queues: Queues{Namespace: "quern", Names: []string{"quern-queues"}, Key: "queues.yaml"},
		Log:    slog.New(slog.NewTextHandler(c.Output(), &slog.HandlerOptions{Level: slog.LevelInfo})),
	})
	c.must(err)
	return s
}

// run runs a replica; the function ends it.
func (c *cluster) run(s *Server) (end func()) {
	ctx, cancel := context.WithCancel(c.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := s.Run(ctx); err != nil {
			c.Error(err)
		}
	}()
	end = sync.OnceFunc(func() { cancel(); <-done })
	c.Cleanup(end)
	return end
}

// eventually tries until there is no error: API servers learn of roles and webhooks by watching.
func (c *cluster) eventually(ctx context.Context, what string, try func() error) {
	c.Helper()
	for {
		err := try()
		if err == nil {
			return
		}
		if !retry.Wait(ctx, 50*time.Millisecond) {
			c.Fatalf("%s: %v", what, err)
		}
	}
}

func newPod(name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "none"}}}}
}

// dry asks for a pod without storing it.
var dry = metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}

// asked tries until the API server asks the webhook about pods.
func (c *cluster) asked(ctx context.Context) {
	c.Helper()
	c.eventually(ctx, "waiting for the webhook", func() error {
		p, err := c.as("ann", "data").CoreV1().Pods("default").Create(ctx, newPod("probe"), dry)
		if err == nil && p.Spec.SchedulerName != "quern" {
			err = fmt.Errorf("the pod names the scheduler %q", p.Spec.SchedulerName)
		}
		return err
	})
}

func TestTheWebhookOfARealAPIServer(t *testing.T) {
	c := newCluster(t)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	l := listen(t)
	c.install(ctx, "https://"+l.Addr().String())
	end := c.run(c.replica(ctx, l))
	c.asked(ctx)
	for _, test := range []struct {
		name string
		run  func(*cluster, context.Context)
	}{
		{"pods are sent to the scheduler with their sender", (*cluster).podsAreStamped},
		{"a user cannot name another", (*cluster).forgeryIsRefused},
		{"pods of controllers keep the owner of their workload", (*cluster).controllersKeepOwners},
		{"namespaces opt out", (*cluster).namespacesOptOut},
		{"a wrong queue configuration is refused with its lines", (*cluster).queuesAreValidated},
	} {
		t.Run(test.name, func(t *testing.T) {
			sub := *c
			sub.T = t
			test.run(&sub, ctx)
		})
	}
	end()
	t.Run("without an answer, namespaces fail as they have chosen", func(t *testing.T) {
		sub := *c
		sub.T = t
		sub.failureIsChosen(ctx)
	})
}

func TestTheWebhookHasTheRightsThatItUses(t *testing.T) {
	c := newCluster(t)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	l := listen(t)
	c.install(ctx, "https://"+l.Addr().String())
	first := c.replica(ctx, l)
	end := c.run(first)
	c.asked(ctx)
	if _, err := first.namespace(ctx, "missing"); err != nil { // which the informer does not know
		t.Error(err)
	}
	end()

	// A server that does not send lists by watches is asked for lists.
	c.must(c.APIServer.Kill())
	c.APIServer.Add("--feature-gates=WatchList=false")
	c.must(c.APIServer.Start(ctx))
	c.run(c.replica(ctx, listen(t)))
	granted := clusterRights(t)
	c.eventually(ctx, "waiting for requests", func() error {
		list, err := c.Requests("quern", "quern-webhook")
		if err != nil {
			return err
		}
		if wrong := clustertest.Complaints(granted, list, nil); len(wrong) > 0 {
			return errors.New(strings.Join(wrong, "; "))
		}
		return nil
	})
}

func (c *cluster) podsAreStamped(ctx context.Context) {
	p, err := c.as("ann", "data").CoreV1().Pods("default").Create(ctx, newPod("stamped"), metav1.CreateOptions{})
	c.must(err)
	m := kubelabels.Metadata{Labels: p.Labels, Annotations: p.Annotations}
	user, groups, bad := m.User()
	if p.Spec.SchedulerName != "quern" || user != "ann" || bad != nil || !sameSet(groups, []string{"data", "system:authenticated"}) {
		c.Errorf("scheduler %q, user %q, groups %q, %v", p.Spec.SchedulerName, user, groups, bad)
	}
	if may := p.Annotations[kubelabels.AllowPreemption]; may != "true" {
		c.Errorf("allow-preemption: found %q", may)
	}
	if p, err = c.as("bob", "data").CoreV1().Pods("default").Create(ctx, newPod("generated"), dry); err != nil || p.Annotations[kubelabels.UserInfo] == "" {
		c.Errorf("bob: %v, %v", p.Annotations, err)
	}
}

func (c *cluster) forgeryIsRefused(ctx context.Context) {
	ann := c.as("ann", "data")
	forged := newPod("forged")
	forged.Annotations = map[string]string{kubelabels.UserInfo: bobsInfo}
	_, err := ann.CoreV1().Pods("default").Create(ctx, forged, metav1.CreateOptions{})
	if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "ann may not name other users") {
		c.Errorf("a pod: expected a refusal, found %v", err)
	}
	if _, err = c.as("system:serviceaccount:jobs:gateway", "data").CoreV1().Pods("default").Create(ctx, forged, dry); err != nil {
		c.Errorf("a trusted sender: %v", err)
	}
	patch := fmt.Appendf(nil, `{"metadata":{"annotations":{%q:%q}}}`, kubelabels.UserInfo, bobsInfo)
	_, err = ann.CoreV1().Pods("default").Patch(ctx, "stamped", "application/merge-patch+json", patch, metav1.PatchOptions{})
	if !apierrors.IsForbidden(err) {
		c.Errorf("an update of a pod: expected a refusal, found %v", err)
	}
	d := newDeployment("forged")
	d.Spec.Template.Annotations = map[string]string{kubelabels.UserInfo: bobsInfo}
	if _, err = ann.AppsV1().Deployments("default").Create(ctx, d, metav1.CreateOptions{}); !apierrors.IsForbidden(err) {
		c.Errorf("a deployment: expected a refusal, found %v", err)
	}
}

func newDeployment(name string) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: appsv1.DeploymentSpec{Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: newPod("").Spec}}}
}

func (c *cluster) controllersKeepOwners(ctx context.Context) {
	_, err := c.as("ann", "data").AppsV1().Deployments("default").Create(ctx, newDeployment("web"), metav1.CreateOptions{})
	c.must(err)
	pods := func() ([]corev1.Pod, error) {
		list, err := c.admin.CoreV1().Pods("default").List(ctx, metav1.ListOptions{LabelSelector: "app=web"})
		return list.Items, err
	}
	c.eventually(ctx, "waiting for a pod of the deployment", func() error {
		list, err := pods()
		if err == nil && len(list) == 0 {
			err = errors.New("there is none")
		}
		return err
	})
	// Another user scales it, with a manifest that does not have the annotation: no new template.
	three := int32(3)
	c.eventually(ctx, "scaling", func() error {
		d, err := c.as("bob", "data").AppsV1().Deployments("default").Get(ctx, "web", metav1.GetOptions{})
		c.must(err)
		delete(d.Spec.Template.Annotations, kubelabels.UserInfo)
		d.Spec.Replicas = &three
		_, err = c.as("bob", "data").AppsV1().Deployments("default").Update(ctx, d, metav1.UpdateOptions{})
		return err
	})
	c.eventually(ctx, "waiting for three pods", func() error {
		list, err := pods()
		if err == nil && len(list) != 3 {
			err = fmt.Errorf("there are %d", len(list))
		}
		return err
	})
	list, err := pods()
	c.must(err)
	for _, p := range list {
		m := kubelabels.Metadata{Annotations: p.Annotations}
		if user, _, _ := m.User(); user != "ann" || p.Spec.SchedulerName != "quern" {
			c.Errorf("pod %s: user %q, scheduler %q", p.Name, user, p.Spec.SchedulerName)
		}
	}
	sets, err := c.admin.AppsV1().ReplicaSets("default").List(ctx, metav1.ListOptions{LabelSelector: "app=web"})
	if err != nil || len(sets.Items) != 1 {
		c.Errorf("expected one ReplicaSet, found %d, %v", len(sets.Items), err)
	}
}

func (c *cluster) namespacesOptOut(ctx context.Context) {
	for name, want := range map[string]string{"false": "default-scheduler", "true": "quern"} {
		n := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "enabled-" + name, Annotations: map[string]string{kubelabels.Domain + kubelabels.Enable: name}}}
		_, err := c.admin.CoreV1().Namespaces().Create(ctx, n, metav1.CreateOptions{})
		c.must(err)
		c.eventually(ctx, "waiting for the service account", func() error {
			_, err := c.admin.CoreV1().ServiceAccounts(n.Name).Get(ctx, "default", metav1.GetOptions{})
			return err
		})
		p, err := c.as("ann", "data").CoreV1().Pods(n.Name).Create(ctx, newPod("p"), dry)
		if err != nil || p.Spec.SchedulerName != want {
			c.Errorf("%s: expected the scheduler %s, found %v, %v", n.Name, want, p.Spec.SchedulerName, err)
		}
	}
}

// warnings collects those of the API server.
type warnings struct{ texts []string }

func (w *warnings) HandleWarningHeader(_ int, _ string, text string) { w.texts = append(w.texts, text) }

func (c *cluster) queuesAreValidated(ctx context.Context) {
	told := &warnings{}
	client := c.client(c.Admin(), told)
	m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "quern-queues"}, Data: map[string]string{
		"queues.yaml": "partitions:\n- name: default\n  queues:\n  - name: a\n    maxapplications: -1\n"}}
	_, err := client.CoreV1().ConfigMaps("quern").Create(ctx, m, metav1.CreateOptions{})
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "queues.yaml:5:") {
		c.Errorf("expected the line of the error, found %v", err)
	}
	c.Log(err)
	if causes := apierrors.APIStatus(nil); !errors.As(err, &causes) || causes.Status().Details == nil || len(causes.Status().Details.Causes) != 1 {
		c.Errorf("expected one cause, found %v", err)
	}
	m.Data["queues.yaml"] = "partitions:\n- name: default\n  queues:\n  - name: a\n    resources: {max: {memroy: 4}}\n"
	if _, err = client.CoreV1().ConfigMaps("quern").Create(ctx, m, metav1.CreateOptions{}); err != nil {
		c.Error(err)
	}
	if len(told.texts) != 1 || !strings.Contains(told.texts[0], "memroy") {
		c.Errorf("expected a warning, found %q", told.texts)
	}
	m.Name = "another"
	m.Data["queues.yaml"] = "nonsense"
	if _, err = client.CoreV1().ConfigMaps("quern").Create(ctx, m, metav1.CreateOptions{}); err != nil {
		c.Errorf("another ConfigMap: %v", err)
	}
}

func (c *cluster) failureIsChosen(ctx context.Context) {
	_, err := c.as("ann", "data").CoreV1().Pods("default").Create(ctx, newPod("closed"), dry)
	if err == nil || !strings.Contains(err.Error(), "fail-closed.admission.quern.io") {
		c.Errorf("by default: expected a failure, found %v", err)
	}
	patch := []byte(`{"metadata":{"labels":{"admission.quern/failure-policy":"Ignore"}}}`)
	_, err = c.admin.CoreV1().Namespaces().Patch(ctx, "default", "application/merge-patch+json", patch, metav1.PatchOptions{})
	c.must(err)
	c.eventually(ctx, "a pod of a namespace that fails open", func() error {
		p, err := c.as("ann", "data").CoreV1().Pods("default").Create(ctx, newPod("open"), dry)
		if err == nil && p.Spec.SchedulerName != corev1.DefaultSchedulerName {
			err = fmt.Errorf("the pod names the scheduler %q", p.Spec.SchedulerName)
		}
		return err
	})
}

// Three replicas start at once without certificates, agree on them, and renew them every few seconds, while the API server asks each in turn.
func TestReplicasRenewTheirCertificatesTogether(t *testing.T) {
	c := newCluster(t)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	balancer := listen(t)
	c.install(ctx, "https://"+balancer.Addr().String())
	var replicas []*Server
	var behind []string
	for range 3 {
		l := listen(t)
		s := c.replica(ctx, l)
		s.lifetimes = lifetimes{authority: 36 * time.Second, serving: 18 * time.Second, settle: 6 * time.Second}
		s.checkEvery = time.Second
		replicas, behind = append(replicas, s), append(behind, l.Addr().String())
		c.run(s)
	}
	go forward(balancer, behind)
	c.asked(ctx)
	serials, bundles, asked := map[string]bool{}, map[string]bool{}, 0
	for until := time.Now().Add(60 * time.Second); time.Now().Before(until); asked++ {
		p, err := c.as("ann", "data").CoreV1().Pods("default").Create(ctx, newPod("p"), dry)
		if err != nil || p.Spec.SchedulerName != "quern" {
			t.Fatalf("after %d requests: %v", asked, err)
		}
		for _, s := range replicas {
			serials[s.certificate.Load().Leaf.SerialNumber.String()] = true
		}
		m, err := c.admin.AdmissionregistrationV1().MutatingWebhookConfigurations().Get(ctx, "quern", metav1.GetOptions{})
		c.must(err)
		bundles[string(m.Webhooks[0].ClientConfig.CABundle)] = true
		retry.Wait(ctx, 20*time.Millisecond)
	}
	t.Logf("%d requests, %d serving certificates, %d sets of authorities", asked, len(serials), len(bundles))
	if len(serials) < 4 || len(serials) > 8 || len(bundles) < 3 {
		t.Error("expected the replicas to share a new certificate every twelve seconds, and several sets of authorities")
	}
}

// forward passes each connection on to the next of several servers.
func forward(l net.Listener, to []string) {
	for n := 0; ; n++ {
		in, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer in.Close()
			out, err := net.Dial("tcp", to[n%len(to)])
			if err != nil {
				return
			}
			defer out.Close()
			go func() { _, _ = io.Copy(out, in) }()
			_, _ = io.Copy(in, out)
		}()
	}
}
