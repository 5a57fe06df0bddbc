package webhook

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/yaml"

	"github.com/quern-project/quern/host/kube/clustertest"
	"github.com/quern-project/quern/internal/await"
)

// hooks are webhook configurations named quern, without authorities.
func hooks() (*admissionregistrationv1.MutatingWebhookConfiguration, *admissionregistrationv1.ValidatingWebhookConfiguration) {
	meta := metav1.ObjectMeta{Name: "quern"}
	return &admissionregistrationv1.MutatingWebhookConfiguration{ObjectMeta: meta, Webhooks: make([]admissionregistrationv1.MutatingWebhook, 2)},
		&admissionregistrationv1.ValidatingWebhookConfiguration{ObjectMeta: meta, Webhooks: make([]admissionregistrationv1.ValidatingWebhook, 1)}
}

func installed(t *testing.T) (*Server, *fake.Clientset) {
	t.Helper()
	mutating, validating := hooks()
	client := fake.NewClientset(mutating, validating, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "quern", Name: "quern-webhook"}})
	s, err := New(Options{Client: client, Listener: listen(t), Rules: Rules{Schedulers: []string{"quern"}}, Namespace: "quern", Secret: "quern-webhook", Names: serverNames,
		Mutating: "quern", Validating: "quern"})
	if err != nil {
		t.Fatal(err)
	}
	return s, client
}

// bundle returns what API servers trust: one text, if all entries agree.
func bundle(t *testing.T, client *fake.Clientset) []byte {
	t.Helper()
	m, err := client.AdmissionregistrationV1().MutatingWebhookConfigurations().Get(t.Context(), "quern", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := client.AdmissionregistrationV1().ValidatingWebhookConfigurations().Get(t.Context(), "quern", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	all := [][]byte{m.Webhooks[0].ClientConfig.CABundle, m.Webhooks[1].ClientConfig.CABundle, v.Webhooks[0].ClientConfig.CABundle}
	if !bytes.Equal(all[0], all[1]) || !bytes.Equal(all[0], all[2]) {
		t.Fatalf("the entries trust different authorities: %q", all)
	}
	return all[0]
}

func TestWhatOthersChangeIsRepaired(t *testing.T) {
	s, client := installed(t)
	sync := func() *certificates {
		if err := s.sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		secret, err := client.CoreV1().Secrets("quern").Get(t.Context(), "quern-webhook", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := readCertificates(secret.Data)
		if err != nil {
			t.Fatal(err)
		}
		if s.certificate.Load().Leaf.SerialNumber.Cmp(c.serving.certificate.SerialNumber) != 0 {
			t.Fatal("the server has another certificate than the Secret")
		}
		if err := verify(c, bundle(t, client), serverNames[0], s.now()); err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := sync()
	if again := sync(); !again.serving.certificate.Equal(first.serving.certificate) {
		t.Error("the certificate was replaced without a reason")
	}
	empty, _ := hooks()
	if _, err := client.AdmissionregistrationV1().MutatingWebhookConfigurations().Update(t.Context(), empty, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	sync()
	for _, data := range []map[string][]byte{nil, {secretAuthorities: []byte("broken")}} {
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "quern", Name: "quern-webhook"}, Data: data}
		if _, err := client.CoreV1().Secrets("quern").Update(t.Context(), secret, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		if next := sync(); next.serving.certificate.Equal(first.serving.certificate) {
			t.Error("the old certificate has come back")
		}
	}
	if err := client.CoreV1().Secrets("quern").Delete(t.Context(), "quern-webhook", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	sync()
}

// The rights in webhook.yaml are those that the server uses, and no others.
func TestTheRightsAreThoseThatAreUsed(t *testing.T) {
	s, client := installed(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s.factory.Start(ctx.Done())
	if err := s.sync(ctx); err != nil || !cache.WaitForCacheSync(ctx.Done(), s.informed...) {
		t.Fatal(err)
	}
	if _, err := s.namespace(ctx, "missing"); err != nil {
		t.Fatal(err)
	}
	granted := clusterRights(t)
	await.Right(t, func() string { // informers ask when they please
		return strings.Join(clustertest.Complaints(granted, requests(t, client, granted), nil), "\n")
	})
}

// clusterRights are those that webhook.yaml gives.
func clusterRights(t *testing.T) (granted []clustertest.Right) {
	t.Helper()
	text, err := os.ReadFile(installation)
	if err != nil {
		t.Fatal(err)
	}
	for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
		var role rbacv1.ClusterRole // a Role has its rules in the same place
		if err := yaml.Unmarshal(document, &role); err != nil {
			t.Fatal(err)
		}
		granted = append(granted, clustertest.RightsOf(role.Namespace, role.Rules)...)
	}
	return granted
}

// requests are what a client was asked, as an API server with the given rights would see it.
func requests(t *testing.T, client *fake.Clientset, granted []clustertest.Right) (list []clustertest.Request) {
	t.Helper()
	for _, a := range client.Actions() {
		q := clustertest.Request{Verb: a.GetVerb(), Group: a.GetResource().Group, Resource: a.GetResource().Resource, Namespace: a.GetNamespace()}
		switch a := a.(type) {
		case clienttesting.GetAction:
			q.Name = a.GetName()
		case clienttesting.UpdateAction:
			o, err := meta.Accessor(a.GetObject())
			if err != nil {
				t.Fatal(err)
			}
			q.Name = o.GetName()
		}
		q.Forbidden = !slices.ContainsFunc(granted, func(r clustertest.Right) bool { return r.UsedBy(&q) })
		list = append(list, q)
	}
	return list
}
