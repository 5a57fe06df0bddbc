package recording

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
)

// recordFrom is the variable that makes the test binary a recorder of the API server that it names.
const recordFrom = "QUERN_TEST_RECORD_FROM"

func TestMain(m *testing.M) {
	if host := os.Getenv(recordFrom); host != "" {
		record(host)
		return
	}
	os.Exit(m.Run())
}

func record(host string) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	create := func(time.Time) (io.WriteCloser, error) { return os.Stdout, nil }
	r, err := New(Options{Cluster: &rest.Config{Host: host}, Create: create, Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	if err == nil {
		err = r.Run(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// BenchmarkAHundredPodsASecond is what a recorder in a process of its own uses of a processor, while the API server tells it of the four
// versions of 100 pods a second, for ten seconds: 100 microseconds a pod are one percent of a core. It is for an idle machine; on a busy one,
// the switches between processes count as well.
func BenchmarkAHundredPodsASecond(b *testing.B) {
	if os.Getenv("QUERN_KUBE_BENCH") == "" {
		b.Skip("skipped, because QUERN_KUBE_BENCH is not set: this takes ten seconds")
	}
	for b.Loop() {
		s, history := newServer(b), &sharedParts{}
		out, _ := history.create(time.Time{})
		cmd := exec.Command(os.Args[0])
		cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), recordFrom+"="+s.URL), out, os.Stderr
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		history.awaitText(b, `"id":"default/a"`)
		before := cpuTime(b, cmd.Process.Pid)
		s.churn(b, 100, 10*time.Second)
		history.awaitText(b, `"allocation.release","id":"default/pod-999"`)
		used := cpuTime(b, cmd.Process.Pid) - before
		b.ReportMetric(float64(used.Microseconds())/1000, "cpu-µs/pod")
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			b.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			b.Error(err)
		}
	}
}

// churn sends the lives of so many pods a second.
func (s *server) churn(b *testing.B, rate int, d time.Duration) {
	tick := time.NewTicker(time.Second / time.Duration(rate))
	defer tick.Stop()
	for i := range rate * int(d/time.Second) {
		<-tick.C
		pod := lifelike()
		pod.Name = fmt.Sprintf("pod-%d", i)
		s.send(watch.Added, pod)
		pod.Spec.NodeName = "n1"
		s.send(watch.Modified, pod)
		s.send(watch.Modified, pod)
		s.send(watch.Deleted, pod)
	}
}

// cpuTime is the processor time that a process has used, as Linux counts it in hundredths of a second.
func cpuTime(b *testing.B, pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Skip("skipped: ", err)
	}
	var user, system int64
	if _, err := fmt.Sscanf(string(text[bytes.LastIndexByte(text, ')')+2:]), "%s %d %d %d %d %d %d %d %d %d %d %d %d", new(string), new(int), new(int), new(int), new(int), new(int),
		new(int), new(int), new(int), new(int), new(int), &user, &system); err != nil {
		b.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}
