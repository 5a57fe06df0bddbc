package main

import (
	"bytes"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/quern-project/quern/host/kube/clustertest"
	"github.com/quern-project/quern/internal/await"
)

// BenchmarkTheRecorder measures what a recorder uses of a processor while 100 pods a second are created, bound, run and deleted on a real
// control plane: 100 microseconds a pod are one percent of a core. It is for an idle machine; on a busy one, switches between processes count
// as well.
func BenchmarkTheRecorder(b *testing.B) {
	if os.Getenv("QUERN_KUBE_BENCH") == "" {
		b.Skip("skipped, because QUERN_KUBE_BENCH is not set: this takes half a minute")
	}
	const rate, pods = 100, 3000
	for b.Loop() {
		p := newPlane(b, 100)
		args, _ := p.installed("record.yaml")
		recorder, dir := p.recorder("recorder", args)
		p.must(recorder.Start(p.ctx))
		p.recorded(dir, `"node.add","id":"node-99"`)
		idle := p.cpuTime(recorder)
		p.churn(rate, pods)
		p.recorded(dir, fmt.Sprintf(`"allocation.release","id":"default/pod-%d"`, pods-1))
		b.ReportMetric(float64((p.cpuTime(recorder)-idle).Microseconds())/pods, "cpu-µs/pod")
		p.must(recorder.Terminate(p.ctx))
	}
}

// life is how long a pod of churn runs.
const life = 2 * time.Second

// churn creates so many pods a second, binds them at once, and deletes each after its life.
func (p *plane) churn(rate, count int) {
	p.Helper()
	pods := p.admin.CoreV1().Pods("default")
	tick := time.NewTicker(time.Second / time.Duration(rate))
	defer tick.Stop()
	var under sync.WaitGroup
	for i := range count {
		<-tick.C
		under.Go(func() {
			pod := podOf(fmt.Sprint("app-", i%20), fmt.Sprint("pod-", i), "root.default", "100m")
			pod.Spec.SchedulerName = "none"
			_, err := pods.Create(p.ctx, pod, metav1.CreateOptions{})
			if err == nil {
				node := corev1.ObjectReference{Kind: "Node", Name: fmt.Sprint("node-", i%100)}
				err = pods.Bind(p.ctx, &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: pod.Name}, Target: node}, metav1.CreateOptions{})
			}
			await.Pause(life)
			if err == nil {
				now := int64(0)
				err = pods.Delete(p.ctx, pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &now})
			}
			if err != nil {
				p.Error(err)
			}
		})
	}
	under.Wait()
}

// cpuTime is the processor time that a process has used.
func (p *plane) cpuTime(of *clustertest.Process) time.Duration {
	p.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", of.PID()))
	if err != nil {
		p.Skip("skipped: ", err)
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+2:])
	var user, system int64
	if _, err := fmt.Sscan(string(fields[11])+" "+string(fields[12]), &user, &system); err != nil {
		p.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond // Linux counts hundredths of a second
}
