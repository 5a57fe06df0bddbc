package recording

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
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
		b.ReportMetric(float64(usedForPods(b, 1000)[0].Microseconds())/1000, "cpu-µs/pod")
	}
}

// slack is for what a busy machine makes of the processor time: caches are cold after each switch between processes. With fourteen other processes
// for each processor, it was four times the aim.
const slack = 8

func TestRecorder_CostOfAHundredPodsASecond(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped in short mode: it takes ten seconds")
	}
	const part = 200
	used := usedForPods(t, part, part, part, part, part)
	least := slices.Min(used) / part
	t.Logf("%v a pod, of %v", least, used)
	if most := 10 * time.Millisecond / 100; least > slack*most {
		t.Errorf("a recorder uses %v of a processor a pod, expected no more than %v, or %d times that on a busy machine", least, most, slack)
	}
}

// usedForPods is the processor time that a recorder uses for numbers of pods, one after the other, of which there are 100 a second.
func usedForPods(tb testing.TB, numbers ...int) (used []time.Duration) {
	s, history := newServer(tb, nodeObject("n1"), podObject("a", "")), &sharedParts{}
	out, _ := history.create(time.Time{})
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), recordFrom+"="+s.URL, "GOMAXPROCS=1"), out, os.Stderr // as the command has it
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = cmd.Process.Kill() }) // where the test has failed
	history.awaitText(tb, `"id":"default/a"`)
	last := 0
	for _, n := range numbers {
		before := cpuTime(tb, cmd.Process.Pid)
		s.churn(100, last, n)
		last += n
		history.awaitText(tb, fmt.Sprintf(`"allocation.release","id":"default/pod-%d"`, last-1))
		used = append(used, cpuTime(tb, cmd.Process.Pid)-before)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		tb.Error(err)
	}
	return used
}

// churn sends the lives of pods from a number on, so many a second.
func (s *server) churn(rate, from, count int) {
	tick := time.NewTicker(time.Second / time.Duration(rate))
	defer tick.Stop()
	for i := range count {
		<-tick.C
		pod := lifelike()
		pod.Name = fmt.Sprintf("pod-%d", from+i)
		s.send(watch.Added, pod)
		pod.Spec.NodeName = "n1"
		s.send(watch.Modified, pod)
		s.send(watch.Modified, pod)
		s.send(watch.Deleted, pod)
	}
}

// cpuTime is the processor time that the threads of a process have used, as Linux counts it in nanoseconds.
func cpuTime(tb testing.TB, pid int) (sum time.Duration) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(threads) == 0 {
		tb.Skip("skipped: no processor time is told of threads")
	}
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if errors.Is(err, os.ErrNotExist) { // it has ended
			continue
		}
		var ran int64
		if _, err := fmt.Sscan(string(text), &ran); err != nil {
			tb.Fatal(err)
		}
		sum += time.Duration(ran)
	}
	return sum
}
