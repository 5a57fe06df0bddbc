package clustertest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// A Cluster is a Kubernetes control plane that belongs to one test. Kwok and Scheduler run once the test has started
// them; the others run from the beginning. etcd comes before the API server, and that before all others.
type Cluster struct {
	Etcd, APIServer, ControllerManager *Process
	Scheduler                          *Process // kube-scheduler, as it comes
	Kwok                               *Process // runs the pods of all nodes, and keeps the nodes ready

	programs    []*Process // of the test itself
	folder      string     // of files and logs; removed at the end
	server      string     // URL of the API server
	credentials *credentials
}

// startTimeout bounds the start of the control plane, which takes seconds on an idle machine.
const startTimeout = 2 * time.Minute

// New starts a control plane for a test and ends it with the test. Where its programs are not built, the test is skipped, and in the short form
// of the tests.
func New(t testing.TB) *Cluster {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped, because the short form of the tests plays the scenarios alone on a control plane: make kube-test runs all")
	}
	return NewInShort(t)
}

// NewInShort is New for a test that also belongs to the short form. All of those together may take five minutes.
func NewInShort(t testing.TB) *Cluster {
	t.Helper()
	folder, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	if !built(folder) {
		t.Skip("skipped, because the Kubernetes control plane is not built: make kube-tools builds it")
	}
	c := &Cluster{folder: t.TempDir()}
	if c.credentials, err = newCredentials(c.folder); err != nil {
		t.Fatal(err)
	}
	if err := c.define(folder); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.end(t) })
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	if err := c.start(ctx); err != nil {
		t.Fatal(err)
	}
	return c
}

// start starts the processes that every cluster needs, and waits until pods can be created in the default namespace.
func (c *Cluster) start(ctx context.Context) error {
	for _, p := range []*Process{c.Etcd, c.APIServer, c.ControllerManager} {
		if err := p.Start(ctx); err != nil {
			return err
		}
	}
	return c.waitServiceAccount(ctx, metav1.NamespaceDefault, "default")
}

// waitServiceAccount waits for a service account that the controller manager makes: no pod is admitted before.
func (c *Cluster) waitServiceAccount(ctx context.Context, namespace, name string) error {
	client, err := kubernetes.NewForConfig(c.Admin())
	if err != nil {
		return err
	}
	err = wait.PollUntilContextCancel(ctx, retryAfter, true, func(ctx context.Context) (bool, error) {
		_, err := client.CoreV1().ServiceAccounts(namespace).Get(ctx, name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return false, nil
		}
		return err == nil, err
	})
	if err != nil {
		return fmt.Errorf("service account %s/%s: %w", namespace, name, err)
	}
	return nil
}

// end kills all processes, and shows their logs if the test has failed.
func (c *Cluster) end(t testing.TB) {
	processes := slices.Concat(c.programs, []*Process{c.Kwok, c.Scheduler, c.ControllerManager, c.APIServer, c.Etcd})
	for _, p := range processes {
		if p.cmd != nil && !p.running() && !p.killed {
			t.Errorf("%s ended during the test: %v", p.name, p.status)
		}
		if err := p.Kill(); err != nil {
			t.Error(err)
		}
	}
	if !t.Failed() {
		return
	}
	for _, p := range processes {
		if p.cmd != nil {
			t.Logf("the log of %s ends with:\n%s", p.name, p.logTail())
		}
	}
}

// Admin returns the configuration of a client that may do everything.
func (c *Cluster) Admin() *rest.Config {
	return c.credentials.config(c.server, c.credentials.tokens[userAdmin])
}

// ServiceAccount returns the configuration of a client that acts as a service account, for an hour. The account must
// exist; its rights are those that RBAC gives it.
func (c *Cluster) ServiceAccount(ctx context.Context, namespace, name string) (*rest.Config, error) {
	client, err := kubernetes.NewForConfig(c.Admin())
	if err != nil {
		return nil, err
	}
	request := &authenticationv1.TokenRequest{}
	granted, err := client.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, name, request, metav1.CreateOptions{})
	if err != nil {
		return nil, fmt.Errorf("token of service account %s/%s: %w", namespace, name, err)
	}
	return c.credentials.config(c.server, granted.Status.Token), nil
}
