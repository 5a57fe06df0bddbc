package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/quern-project/quern/host/kube/clustertest"
)

// The churn of a soak. 24 pods a second for an hour are one a second for a day.
const (
	soakNodes    = 100
	podsASecond  = 24
	lives        = 40 * time.Second // of a pod, on average
	killEvery    = time.Minute      // a leader, in the first third
	reloadEvery  = 20 * time.Second
	replaceEvery = 5 * time.Second // a node
	bindWithin   = time.Minute     // a pod that fits
)

// TestAClusterThatChurns has pods, gangs, nodes, queues and leaders come and go for as long as QUERN_KUBE_SOAK says. No pod is ever bound twice or to a
// full node, none waits that fits, and what the scheduler takes does not grow once leaders are no longer killed.
func TestAClusterThatChurns(t *testing.T) {
	length, err := time.ParseDuration(cmp.Or(os.Getenv("QUERN_KUBE_SOAK"), "0"))
	if err != nil {
		t.Fatal(err)
	}
	if length == 0 {
		t.Skip("skipped, because QUERN_KUBE_SOAK is not set: make kube-soak takes an hour and both processors")
	}
	s := newSoak(t)
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	s.start(ctx)
	s.awaitLeader(ctx)
	var all sync.WaitGroup
	for _, churn := range []func(context.Context){s.createPods, s.deletePods, s.replaceNodes, s.reloadQueues, s.checks.watch} {
		all.Go(func() { churn(ctx) })
	}
	s.killLeaders(ctx, length/3)
	s.profile("third")
	samples := s.sample(ctx, length/90)
	all.Wait()
	s.profile("end")
	s.checks.report(t)
	judgeSamples(t, samples)
}

// soak is a cluster that churns.
type soak struct {
	*plane
	client   kubernetes.Interface
	checks   *checks
	replicas []*soakReplica
	leader   *soakReplica

	mu      sync.Mutex
	dying   []dyingPod // in the order of creation
	number  int        // of pods created
	queues  string     // the file
	randoms *rand.Rand // of createPods
}

type dyingPod struct {
	name string
	at   time.Time
}

// soakReplica is one of two schedulers.
type soakReplica struct {
	process *clustertest.Process
	health  string
	http    string
}

func newSoak(t *testing.T) *soak {
	p := &plane{TB: t, Cluster: clustertest.New(t), dir: t.TempDir(), ctx: t.Context()}
	config := p.Admin()
	config.ContentType, config.QPS = "application/vnd.kubernetes.protobuf", -1
	client, err := kubernetes.NewForConfig(config)
	p.must(err)
	p.admin = client
	p.must(p.Kwok.Start(p.ctx))
	p.must(p.AddNodes(p.ctx, "node", soakNodes, soakCapacity))
	s := &soak{plane: p, client: client, checks: newChecks(client), randoms: rand.New(rand.NewPCG(1, 2))}
	s.must(s.writeQueues(0))
	return s
}

var soakCapacity = corev1.ResourceList{
	corev1.ResourceCPU: resource.MustParse("16"), corev1.ResourceMemory: resource.MustParse("64Gi"), corev1.ResourcePods: resource.MustParse("110"),
}

// start starts both replicas.
func (s *soak) start(ctx context.Context) {
	file, err := s.Kubeconfig("soak", s.Admin())
	s.must(err)
	for i := range 2 {
		r := &soakReplica{health: s.freeAddress(), http: s.freeAddress()}
		r.process = s.program(fmt.Sprint("quern-", i), "kube", "--kubeconfig", file, "--config", s.queues, "--http", r.http, "--grpc", "127.0.0.1:0",
			"--health", r.health, "--metrics-open", "--log-level", "warn", "--segment-size", "1MiB", "--snapshot-batches", "1000")
		s.must(r.process.Start(ctx))
		s.replicas = append(s.replicas, r)
	}
}

// awaitLeader waits until one of the replicas leads.
func (s *soak) awaitLeader(ctx context.Context) {
	for ctx.Err() == nil {
		for _, r := range s.replicas {
			if m, err := readMetrics(ctx, r.health); err == nil && m["quern_rounds_total"] > 0 {
				s.leader = r
				return
			}
		}
		pauseFor(ctx, 100*time.Millisecond)
	}
	s.Fatal("no replica leads")
}

// killLeaders kills the leader now and then for a time, and starts it again as the one that waits.
func (s *soak) killLeaders(ctx context.Context, until time.Duration) {
	for end := time.Now().Add(until); time.Until(end) > killEvery && pauseFor(ctx, killEvery); {
		s.must(s.leader.process.Kill())
		s.checks.killed++
		killed := s.leader
		s.must(killed.process.Start(ctx))
		s.awaitLeader(ctx)
		s.Logf("leader %d was killed", s.checks.killed)
	}
}

// createPods creates pods at an even rate: most alone, some as gangs, some that keep apart, some that fit nowhere.
func (s *soak) createPods(ctx context.Context) {
	for pace := time.NewTicker(time.Second / podsASecond); ; {
		select {
		case <-ctx.Done():
			pace.Stop()
			return
		case <-pace.C:
		}
		pod := s.nextPod()
		if _, err := s.client.CoreV1().Pods(metav1.NamespaceDefault).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
			s.complain(ctx, "creating a pod", err)
			continue
		}
		life := time.Duration(s.randoms.ExpFloat64() * float64(lives))
		s.mu.Lock()
		s.dying = append(s.dying, dyingPod{pod.Name, time.Now().Add(min(life, 5*lives) + bindWithin/6)})
		s.mu.Unlock()
	}
}

// nextPod is the next pod of the churn. Its kind depends on its number alone.
func (s *soak) nextPod() *corev1.Pod {
	n := s.number
	s.number++
	pod := benchPod("pod", "quern", n)
	pod.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = *resource.NewMilliQuantity(100+s.randoms.Int64N(900), resource.DecimalSI)
	app := fmt.Sprint("app-", n/20)
	pod.Labels = map[string]string{"applicationId": app, "queue": fmt.Sprint("root.q", n/20%4), "app": app}
	switch n % 60 {
	case 7:
		pod.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("1000")
		pod.Labels[stuckLabel] = "yes"
	case 11, 31, 51:
		pod.Spec.Affinity = apart(app)
	case 13, 33:
		pod.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 5, TopologyKey: corev1.LabelHostname,
			WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}}}
	case 17:
		delete(pod.Labels, "app") // or the node may have one of the application that keeps others off
		pod.Spec.NodeSelector = map[string]string{corev1.LabelHostname: fmt.Sprint("node-", s.randoms.IntN(soakNodes/2))}
	}
	return pod
}

// stuckLabel has the pods that fit nowhere.
const stuckLabel = "stuck"

// apart keeps pods of an application on different nodes.
func apart(app string) *corev1.Affinity {
	return &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
		TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}},
	}}}}
}

// deletePods deletes pods whose time is over.
func (s *soak) deletePods(ctx context.Context) {
	for pauseFor(ctx, 100*time.Millisecond) {
		s.mu.Lock()
		var due []string
		s.dying = slices.DeleteFunc(s.dying, func(d dyingPod) bool {
			over := time.Now().After(d.at)
			if over {
				due = append(due, d.name)
			}
			return over
		})
		s.mu.Unlock()
		for _, name := range due {
			err := s.client.CoreV1().Pods(metav1.NamespaceDefault).Delete(ctx, name, metav1.DeleteOptions{})
			if err != nil && !apierrors.IsNotFound(err) {
				s.complain(ctx, "deleting a pod", err)
			}
		}
	}
}

// replaceNodes removes a node of the upper half, pods and all, and brings it back, one after the other.
func (s *soak) replaceNodes(ctx context.Context) {
	for i := 0; pauseFor(ctx, replaceEvery); i++ {
		name := fmt.Sprint("node-", soakNodes/2+i%(soakNodes/2))
		if err := s.client.CoreV1().Nodes().Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
			s.complain(ctx, "deleting a node", err)
			continue
		}
		if !pauseFor(ctx, replaceEvery/2) {
			return
		}
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}},
			Status: corev1.NodeStatus{Capacity: soakCapacity, Allocatable: soakCapacity}}
		if _, err := s.client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
			s.complain(ctx, "creating a node", err)
		}
	}
}

// reloadQueues changes a guarantee again and again.
func (s *soak) reloadQueues(ctx context.Context) {
	for i := 1; pauseFor(ctx, reloadEvery); i++ {
		if err := s.writeQueues(i); err != nil {
			s.complain(ctx, "writing the queues", err)
		}
	}
}

// writeQueues replaces the file as a whole.
func (s *soak) writeQueues(i int) error {
	text := "partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n"
	for q := range 4 {
		text += fmt.Sprintf("    - {name: q%d, resources: {guaranteed: {vcore: %d}}}\n", q, 100+i%7)
	}
	s.queues = filepath.Join(s.dir, "queues.yaml")
	if err := os.WriteFile(s.queues+".new", []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(s.queues+".new", s.queues)
}

// profile writes what the leader's heap has to the folder PROFILES.
func (s *soak) profile(name string) {
	if folder := os.Getenv("PROFILES"); folder != "" {
		s.must(fetch("http://"+s.leader.http+"/debug/pprof/heap", filepath.Join(folder, "heap-"+name+".pprof")))
	}
}

// complain reports an error of the churn itself, unless the soak is over.
func (s *soak) complain(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		s.Errorf("%s: %v", what, err)
	}
}

// pauseFor waits, and reports false if the context ended meanwhile.
func pauseFor(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
