package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/workqueue"

	"github.com/quern-project/quern/host/kube/clustertest"
	"github.com/quern-project/quern/internal/await"
)

// The contenders of BenchmarkBinds, which are the names of their schedulers too.
const (
	bare  = "bare"
	quern = "quern"
	stock = corev1.DefaultSchedulerName
)

// BenchmarkBinds measures how many pods a second are bound, from the first to the last, that were there before: by requests alone, which is
// the most that the API server takes, by quern and by kube-scheduler, one after the other on one control plane. Kwok and the controller
// manager are paused while pods are bound, unless OTHERS=run: what they write counts against the API server.
//
// NODES (1000) and PODS (5000) are the sizes, TURNS (1) is how often all are measured, CONTENDERS (bare,quern,default-scheduler) are those to
// measure. With GANG=n, pods are of gangs of n, each with a PodGroup. With STUCK=n, n pods wait besides that fit nowhere: because of their size, or with STUCKBY=affinity because plugins find no pod that they
// would be beside. QUERN is the program; its profiles go to the folder PROFILES.
func BenchmarkBinds(b *testing.B) {
	program := os.Getenv("QUERN")
	if program == "" {
		b.Skip("skipped, because QUERN is not set: make kube-bench takes minutes and both processors")
	}
	for b.Loop() {
		p := newBench(b, program)
		sums := map[string]time.Duration{}
		for turn := range number(b, "TURNS", 1) {
			contenders := strings.Split(setting("CONTENDERS", strings.Join([]string{bare, quern, stock}, ",")), ",")
			for i := range contenders {
				who := contenders[(i+turn)%len(contenders)] // none is always the one on a full disk
				sums[who] += p.measure(fmt.Sprintf("%s-%d", who, turn), who)
			}
		}
		for _, who := range []string{bare, quern, stock} {
			if sums[who] > 0 {
				b.ReportMetric(float64(p.pods*number(b, "TURNS", 1))/sums[who].Seconds(), who+"-binds/s")
			}
			if sums[who] > 0 && sums[bare] > 0 {
				b.ReportMetric(float64(sums[bare])/float64(sums[who]), who+"/bare")
			}
		}
	}
}

func setting(name, otherwise string) string {
	if text := os.Getenv(name); text != "" {
		return text
	}
	return otherwise
}

func number(b *testing.B, name string, otherwise int) int {
	b.Helper()
	n, err := strconv.Atoi(setting(name, strconv.Itoa(otherwise)))
	if err != nil || n < 0 {
		b.Fatalf("%s: expected a number, found %q", name, os.Getenv(name))
	}
	return n
}

// bench is a control plane with nodes.
type bench struct {
	*clustertest.Cluster
	b           *testing.B
	program     string
	client      kubernetes.Interface
	nodes, pods int
	stuck       int
	gang        int // members of each gang; 0: the pods are of none
}

func newBench(b *testing.B, program string) *bench {
	p := &bench{Cluster: clustertest.New(b), b: b, program: program, nodes: number(b, "NODES", 1000), pods: number(b, "PODS", 5000), stuck: number(b, "STUCK", 0), gang: number(b, "GANG", 0)}
	p.offerGroups()
	config := p.Admin()
	config.ContentType = runtime.ContentTypeProtobuf
	var err error
	if p.client, err = kubernetes.NewForConfig(config); err != nil {
		b.Fatal(err)
	}
	if err := p.Kwok.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	if err := p.AddNodes(b.Context(), "node", p.nodes, corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("32"), corev1.ResourceMemory: resource.MustParse("256Gi"), corev1.ResourcePods: resource.MustParse("110"),
	}); err != nil {
		b.Fatal(err)
	}
	return p
}

// benchPod is number i of a name's pods, with requests as of a usual service.
func benchPod(name, scheduler string, i int) *corev1.Pod {
	grace := int64(0)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: metav1.NamespaceDefault, Name: fmt.Sprintf("%s-%d", name, i),
		Labels: map[string]string{"applicationId": fmt.Sprint(name, "-", i/100), "app": name}}}
	pod.Spec = corev1.PodSpec{SchedulerName: scheduler, TerminationGracePeriodSeconds: &grace, Containers: []corev1.Container{{Name: "main", Image: "none",
		Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("128Mi")}}}}}
	return pod
}

// each does something for the numbers up to count, many at a time.
func (p *bench) each(count int, do func(i int) error) {
	workqueue.ParallelizeUntil(p.b.Context(), 64, count, func(i int) {
		if err := do(i); err != nil {
			p.b.Error(err)
		}
	})
}

func (p *bench) create(name, scheduler string, count int, change func(*corev1.Pod)) {
	p.each(count, func(i int) error {
		pod := benchPod(name, scheduler, i)
		if change != nil {
			change(pod)
		}
		_, err := p.client.CoreV1().Pods(pod.Namespace).Create(p.b.Context(), pod, metav1.CreateOptions{})
		return err
	})
}

// measure has pods bound by a contender, and returns how long that took.
func (p *bench) measure(name, who string) time.Duration {
	if p.stuck > 0 {
		p.create(name+"-stuck", who, p.stuck, p.sticks())
	}
	join, disband := p.gangs(name)
	p.create(name, who, p.pods, join)
	resume := p.pause()
	count := newCounter(p, name)
	end, processor := p.begin(name, who)
	took := count.wait(processor)
	p.b.Logf("%s: %s", name, count.report(processor != nil))
	end()
	p.clean(name, p.pods)
	p.clean(name+"-stuck", p.stuck)
	disband()
	resume()
	p.recover()
	return took
}

// sticks is what has a pod fit nowhere.
func (p *bench) sticks() func(*corev1.Pod) {
	switch by := setting("STUCKBY", "size"); by {
	case "size":
		return func(pod *corev1.Pod) {
			pod.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("1000")
		}
	case "affinity":
		return func(pod *corev1.Pod) {
			pod.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
				TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "nowhere"}},
			}}}}
		}
	default:
		p.b.Fatalf("STUCKBY: expected size or affinity, found %q", by)
		return nil
	}
}

// pause stops the others that write, and returns how to let them go on. Nodes that do not answer stay ready meanwhile, since nobody looks.
func (p *bench) pause() (resume func()) {
	others := []*clustertest.Process{p.ControllerManager, p.Kwok}
	if setting("OTHERS", "pause") == "run" {
		others = nil
	}
	for _, o := range others {
		p.must(o.Pause())
	}
	return func() {
		for _, o := range slices.Backward(others) {
			p.must(o.Resume())
		}
	}
}

func (p *bench) must(err error) {
	if err != nil {
		p.b.Fatal(err)
	}
}

// begin has a contender bind. It returns how to end it, and its processor time so far; nil: not known.
func (p *bench) begin(name, who string) (end func(), processor func() time.Duration) {
	switch who {
	case bare:
		done := make(chan struct{})
		go func() {
			defer close(done)
			p.each(p.pods, func(i int) error {
				return p.client.CoreV1().Pods(metav1.NamespaceDefault).Bind(p.b.Context(), &corev1.Binding{
					ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-%d", name, i)}, Target: corev1.ObjectReference{Kind: "Node", Name: fmt.Sprintf("node-%d", i%p.nodes)},
				}, metav1.CreateOptions{})
			})
		}()
		return func() { <-done }, nil
	case stock:
		p.must(p.Scheduler.Start(p.b.Context()))
		return func() { p.must(p.Scheduler.Kill()) }, func() time.Duration { return processorTime(p.b, p.Scheduler.PID()) }
	}
	return p.quern(name)
}

// quern starts the program.
func (p *bench) quern(name string) (end func(), processor func() time.Duration) {
	folder := p.b.TempDir()
	http := freeAddress(p.b)
	cmd := exec.Command(p.program, "kube", "--kubeconfig", kubeconfig(p.b, folder, p.Admin()), "--leader-elect=false", "--http", http, "--grpc", freeAddress(p.b),
		"--config", queues(p.b, folder), "--log-level", "warn")
	cmd.Stderr = os.Stderr
	p.must(cmd.Start())
	p.b.Cleanup(func() { _ = cmd.Process.Kill() }) // where it has not ended, since the benchmark has failed
	stopped := make(chan struct{})
	go p.profiles(name, http, stopped)
	return func() {
		close(stopped)
		p.must(cmd.Process.Signal(os.Interrupt))
		_ = cmd.Wait() // its end is of no interest: the pods are bound
	}, func() time.Duration { return processorTime(p.b, cmd.Process.Pid) }
}

// queues writes a configuration with one queue, and returns its name.
func queues(b *testing.B, folder string) string {
	const text = "partitions:\n- name: default\n  placementrules:\n  - {name: tag, value: namespace, create: true}\n  queues:\n  - name: root\n"
	file := filepath.Join(folder, "queues.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	return file
}

// kubeconfig writes how an API server is reached, and returns the name of the file.
func kubeconfig(b *testing.B, folder string, from *rest.Config) string {
	c := clientcmdapi.NewConfig()
	c.Clusters["bench"] = &clientcmdapi.Cluster{Server: from.Host, CertificateAuthorityData: from.CAData}
	c.AuthInfos["bench"] = &clientcmdapi.AuthInfo{Token: from.BearerToken}
	c.Contexts["bench"] = &clientcmdapi.Context{Cluster: "bench", AuthInfo: "bench"}
	c.CurrentContext = "bench"
	file := filepath.Join(folder, "kubeconfig")
	if err := clientcmd.WriteToFile(*c, file); err != nil {
		b.Fatal(err)
	}
	return file
}

func freeAddress(b *testing.B) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// clean deletes the pods of a name, and waits until the nodes are as before. A pod of which nobody has written any more is gone at once.
func (p *bench) clean(name string, count int) {
	now := int64(0)
	p.each(count, func(i int) error {
		return p.client.CoreV1().Pods(metav1.NamespaceDefault).Delete(p.b.Context(), fmt.Sprintf("%s-%d", name, i), metav1.DeleteOptions{GracePeriodSeconds: &now})
	})
}

// recover waits until nodes that have not answered for a while count as ready again.
func (p *bench) recover() {
	for range await.Each(p.b.Context(), 500*time.Millisecond) {
		nodes, err := p.client.CoreV1().Nodes().List(p.b.Context(), metav1.ListOptions{ResourceVersion: "0"})
		p.must(err)
		if !slices.ContainsFunc(nodes.Items, func(n corev1.Node) bool { return len(n.Spec.Taints) > 0 }) {
			return
		}
	}
}
