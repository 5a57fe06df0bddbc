package main

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// By priority and fairness, the API server takes one request about pods at a time from the scheduler, and refuses the others with Retry-After. All pods
// are bound, by a scheduler that leads all along and does not ask more often than it is told to.
func TestAThrottledSchedulerBindsAllPods(t *testing.T) {
	const pods = 30
	p := newPlane(t, 5)
	p.admin = p.unlimited(p.Admin())
	args, _ := p.installed("quern.yaml")
	scheduler := p.replica("first", p.kubeconfig("quern"), p.file("queues.yaml", twoQueues), args)
	p.must(scheduler.Start(p.ctx))
	p.create("before", 1, "root.batch", "100m")
	p.bound("default", "applicationId=before", 1)
	holder := p.leads("")
	p.throttle("pods", "pods/binding", "pods/status")
	already := p.throttled()
	began := time.Now()
	p.create("slow", pods, "root.batch", "100m")
	p.bound("default", "applicationId=slow", pods)
	took, refused := time.Since(began), p.throttled()-already
	t.Logf("%d pods were bound in %v; %d requests were refused", pods, took, refused)
	if most := pods * (2 + int(took/time.Second)); refused == 0 || refused > most {
		t.Errorf("%d requests were refused, expected 1 to %d", refused, most)
	}
	if now := p.leads(""); now != holder {
		t.Errorf("%s leads in the place of %s", now, holder)
	}
}

// throttle has the API server take one request of the scheduler about some resources at a time: a level without seats lets that many through.
func (p *plane) throttle(resources ...string) {
	p.Helper()
	const name = "throttled"
	none := int32(0)
	level := &flowcontrolv1.PriorityLevelConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: flowcontrolv1.PriorityLevelConfigurationSpec{
		Type: flowcontrolv1.PriorityLevelEnablementLimited, Limited: &flowcontrolv1.LimitedPriorityLevelConfiguration{NominalConcurrencyShares: &none, LendablePercent: &none,
			BorrowingLimitPercent: &none, LimitResponse: flowcontrolv1.LimitResponse{Type: flowcontrolv1.LimitResponseTypeReject}}}}
	_, err := p.admin.FlowcontrolV1().PriorityLevelConfigurations().Create(p.ctx, level, metav1.CreateOptions{})
	p.must(err)
	rule := flowcontrolv1.PolicyRulesWithSubjects{
		Subjects:      []flowcontrolv1.Subject{{Kind: rbacv1.ServiceAccountKind, ServiceAccount: &flowcontrolv1.ServiceAccountSubject{Namespace: "quern", Name: "quern"}}},
		ResourceRules: []flowcontrolv1.ResourcePolicyRule{{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: resources, Namespaces: []string{"*"}}},
	}
	flow := &flowcontrolv1.FlowSchema{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: flowcontrolv1.FlowSchemaSpec{MatchingPrecedence: 2,
		PriorityLevelConfiguration: flowcontrolv1.PriorityLevelConfigurationReference{Name: name}, Rules: []flowcontrolv1.PolicyRulesWithSubjects{rule}}}
	_, err = p.admin.FlowcontrolV1().FlowSchemas().Create(p.ctx, flow, metav1.CreateOptions{})
	p.must(err)
	config, err := p.ServiceAccount(p.ctx, "quern", "quern")
	p.must(err)
	client := p.unlimited(config)
	p.awaits("waiting for the API server to throttle", func() string {
		var refused atomic.Bool
		var all sync.WaitGroup
		for range 32 {
			all.Go(func() {
				err := client.CoreV1().RESTClient().Get().Namespace("default").Resource("pods").MaxRetries(0).Do(p.ctx).Error()
				if apierrors.IsTooManyRequests(err) {
					refused.Store(true)
				}
			})
		}
		if all.Wait(); !refused.Load() {
			return "all requests are taken"
		}
		return ""
	})
}

// unlimited is a client that sends as fast as it can.
func (p *plane) unlimited(config *rest.Config) *kubernetes.Clientset {
	p.Helper()
	config.QPS = -1
	client, err := kubernetes.NewForConfig(config)
	p.must(err)
	return client
}

// throttled counts the requests of the scheduler that were refused.
func (p *plane) throttled() (n int) {
	p.Helper()
	list, err := p.Requests("quern", "quern")
	p.must(err)
	for i := range list {
		if list[i].Throttled {
			n++
		}
	}
	return n
}
