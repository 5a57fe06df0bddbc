package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/clustertest"
	"github.com/quern-project/quern/wasm/browser/rpc"
)

// A recorder sees what kube-scheduler does with pods of several priorities, while pods are deleted, jobs end and a node is lost. All of that is
// in its history.
func TestTheHistoryOfARealClusterIsComplete(t *testing.T) {
	const pods, deleted, ending = 300, 60, 10
	p := newPlane(t, 10)
	args, granted := p.installed("record.yaml")
	p.must(p.Scheduler.Start(p.ctx))
	recorder, dir := p.recorder("recorder", args)
	p.must(recorder.Start(p.ctx))
	p.recorded(dir, `"node.add","id":"node-9"`)

	seen := p.witness()
	priorities := p.priorities()
	workqueue.ParallelizeUntil(p.ctx, 8, pods, func(i int) { p.submit(i, priorities[i%len(priorities)]) })
	p.job(ending)
	p.awaits("waiting for kube-scheduler", func() string { return seen.lacks(pods + ending) })
	workqueue.ParallelizeUntil(p.ctx, 8, deleted, func(i int) {
		if err := p.admin.CoreV1().Pods("default").Delete(p.ctx, fmt.Sprint("pod-", i), metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
	})
	p.must(p.admin.CoreV1().Nodes().Delete(p.ctx, "node-3", metav1.DeleteOptions{}))
	p.recorded(dir, `"node.remove","id":"node-3"`)
	p.ended(deleted, ending)
	p.submit(pods, "") // the last: what happened to pods before is recorded before
	p.recorded(dir, fmt.Sprintf(`"allocation.restore","id":"default/pod-%d"`, pods))
	p.must(recorder.Terminate(p.ctx))

	file := p.parts(dir)[0]
	placements, final := p.replayed(file)
	if want := seen.placements(); !maps.Equal(placements, want) {
		t.Errorf("expected %d placements, found %d, or others:\n%v\n%v", len(want), len(placements), want, placements)
	}
	p.running(final)
	p.opens(file)
	p.commands(file, len(placements))

	// A server that does not send lists by watches is asked for lists.
	p.must(p.APIServer.Kill())
	p.APIServer.Add("--feature-gates=WatchList=false")
	p.must(p.APIServer.Start(p.ctx))
	again, dir := p.recorder("again", args)
	p.must(again.Start(p.ctx))
	p.recorded(dir, fmt.Sprintf(`"allocation.restore","id":"default/pod-%d"`, pods))
	p.must(again.Terminate(p.ctx))
	_, final = p.replayed(p.parts(dir)[0])
	p.running(final)
	requests, err := p.Requests("quern", "quern-record")
	p.must(err)
	for _, wrong := range clustertest.Complaints(granted, requests, nil) {
		t.Error(wrong)
	}
}

// recorder returns a recorder as the manifests start it, and the folder of its parts.
func (p *plane) recorder(name string, args []string) (*clustertest.Process, string) {
	p.Helper()
	dir := filepath.Join(p.dir, name)
	p.must(os.Mkdir(dir, 0o700))
	args = slices.Clone(args)
	for i := range args {
		if strings.HasPrefix(args[i], "--out=") {
			args[i] = "--out=" + dir
		}
	}
	return p.program(name, append(args, "--kubeconfig="+p.kubeconfig("quern-record"))...), dir
}

// parts are the files of a history, in the order of their times.
func (p *plane) parts(dir string) []string {
	p.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "history-*.journal"))
	p.must(err)
	if len(files) == 0 {
		p.Fatalf("%s: expected a history, found none", dir)
	}
	return files
}

// recorded waits until the first part has a text.
func (p *plane) recorded(dir, text string) {
	p.Helper()
	p.awaits("waiting for the history", func() string {
		files, err := filepath.Glob(filepath.Join(dir, "history-*.journal"))
		p.must(err)
		if len(files) == 0 {
			return "there is none"
		}
		content, err := os.ReadFile(files[0])
		p.must(err)
		if !bytes.Contains(content, []byte(text)) {
			return "it does not have " + text
		}
		return ""
	})
}

// priorities makes two priority classes, and returns their names and that of none.
func (p *plane) priorities() []string {
	p.Helper()
	for i, name := range []string{"low", "high"} {
		c := &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Value: int32(1000 * (i + 1))}
		_, err := p.admin.SchedulingV1().PriorityClasses().Create(p.ctx, c, metav1.CreateOptions{})
		p.must(err)
	}
	return []string{"", "low", "high"}
}

// submit creates the pod pod-I for kube-scheduler.
func (p *plane) submit(i int, class string) {
	pod := podOf(fmt.Sprint("app-", i%20), fmt.Sprint("pod-", i), "root.default", "100m")
	pod.Spec.SchedulerName, pod.Spec.PriorityClassName = corev1.DefaultSchedulerName, class
	if _, err := p.admin.CoreV1().Pods("default").Create(p.ctx, pod, metav1.CreateOptions{}); err != nil {
		p.Error(err)
	}
}

// job has pods run that end.
func (p *plane) job(count int32) {
	p.Helper()
	pod := podOf("ends", "", "root.default", "100m")
	pod.Spec.SchedulerName, pod.Spec.RestartPolicy = corev1.DefaultSchedulerName, corev1.RestartPolicyNever
	j := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "ends"}, Spec: batchv1.JobSpec{Parallelism: &count, Completions: &count,
		Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: pod.Labels}, Spec: pod.Spec}}}
	_, err := p.admin.BatchV1().Jobs("default").Create(p.ctx, j, metav1.CreateOptions{})
	p.must(err)
}

// ended waits until the first pods are gone, unless they were on the node that is lost, and those of the job have ended.
func (p *plane) ended(deleted, ending int) {
	p.Helper()
	p.awaits("waiting for pods to end", func() string {
		list, err := p.admin.CoreV1().Pods("default").List(p.ctx, metav1.ListOptions{})
		p.must(err)
		succeeded, going := 0, 0
		for i := range list.Items {
			pod := &list.Items[i]
			if pod.Status.Phase == corev1.PodSucceeded {
				succeeded++
			}
			if pod.DeletionTimestamp != nil && pod.Spec.NodeName != "node-3" {
				going++
			}
		}
		if succeeded < ending || going > 0 {
			return fmt.Sprintf("%d of %d have succeeded, %d of %d are not gone yet", succeeded, ending, going, deleted)
		}
		return ""
	})
}

// witness notes where pods are bound, by its own watch.
type witness struct {
	mu    sync.Mutex
	nodes map[string]string // by namespace and name
}

func (p *plane) witness() *witness {
	p.Helper()
	w := &witness{nodes: map[string]string{}}
	note := func(object any) {
		if pod, ok := object.(*corev1.Pod); ok && pod.Spec.NodeName != "" {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.nodes[pod.Namespace+"/"+pod.Name] = pod.Spec.NodeName
		}
	}
	factory := informers.NewSharedInformerFactory(p.admin, 0)
	_, err := factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: note, UpdateFunc: func(_, object any) { note(object) }})
	p.must(err)
	factory.Start(p.ctx.Done())
	factory.WaitForCacheSync(p.ctx.Done())
	return w
}

// lacks says how many pods are not bound; empty: all are.
func (w *witness) lacks(want int) string {
	if found := len(w.placements()); found < want {
		return fmt.Sprintf("%d of %d pods are bound", found, want)
	}
	return ""
}

func (w *witness) placements() map[string]string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.nodes)
}

// replayed replays a history, in which nothing may be refused and the replay decides nothing. It returns the placements that there were, and
// the scheduler as it is at the end.
func (p *plane) replayed(file string) (map[string]string, *scheduler.Scheduler) {
	p.Helper()
	text, err := os.Open(file)
	p.must(err)
	defer text.Close()
	placements := map[string]string{}
	s := scheduler.New(core.Options{})
	_, err = journal.Replay(s, journal.NewDecoder(text, file, nil), journal.Options{
		Inputs: func(e *journal.Entry, refused core.Reason) {
			if refused != core.Accepted {
				p.Errorf("%s %s is refused: %s", e.Input.Type(), e.Input.ID(), refused)
			}
			if e.Input.Type() == core.AllocationRestore {
				placements[e.Input.ID()] = e.Input.Event.(*core.RestoreAllocation).PlacedOn
			}
		},
		Decisions: func(list []core.Decision) {
			for i := range list {
				switch d := &list[i]; d.Type {
				case core.Allocation, core.Reservation, core.Preemption, core.AppRejected, core.AskRejected, core.NodeRejected, core.ConfigRejected, core.Ignored:
					p.Errorf("the replay decides %s %s: %s", d.Type, d.ID, d.Message)
				}
			}
		},
	})
	p.must(err)
	return placements, s
}

// running checks that a scheduler has on its nodes what runs on them.
func (p *plane) running(s *scheduler.Scheduler) {
	p.Helper()
	const selector = "status.phase!=Succeeded,status.phase!=Failed,spec.nodeName!="
	list, err := p.admin.CoreV1().Pods(metav1.NamespaceAll).List(p.ctx, metav1.ListOptions{FieldSelector: selector})
	p.must(err)
	want := map[string][]string{}
	for i := range list.Items {
		pod := &list.Items[i]
		want[pod.Spec.NodeName] = append(want[pod.Spec.NodeName], pod.Namespace+"/"+pod.Name)
	}
	for i := range 10 {
		name := fmt.Sprint("node-", i)
		n, ok := s.Node(name)
		if ok == (name == "node-3") {
			p.Errorf("%s: in the history: %v", name, ok)
		}
		slices.Sort(want[name])
		if found := slices.Sorted(slices.Values(n.Allocations)); name != "node-3" && !slices.Equal(found, want[name]) {
			p.Errorf("%s: expected %v, found %v", name, want[name], found)
		}
	}
}

// opens has the playground's scheduler read a history and run it to its end.
func (p *plane) opens(file string) {
	p.Helper()
	text, err := os.ReadFile(file)
	p.must(err)
	page := rpc.New(nil)
	call := func(head string, body []byte) (answer struct {
		Error            any
		Entries, Applied int
		Done             bool
	}) {
		line, _, _ := bytes.Cut(page.Call(slices.Concat([]byte(head+"\n"), body)), []byte("\n"))
		p.must(json.Unmarshal(line, &answer))
		if answer.Error != nil {
			p.Fatalf("%s: %s", head, line)
		}
		return answer
	}
	call(`{"op":"session.new"}`, nil)
	fed := call(`{"op":"session.feed","id":1}`, text)
	status := call(`{"op":"session.run","id":1,"to":{"idle":true}}`, nil)
	for !status.Done {
		status = call(`{"op":"session.run","id":1,"to":{"idle":true}}`, nil)
	}
	if lines := bytes.Count(text, []byte("\n")); fed.Entries != lines-1 || status.Applied != fed.Entries {
		p.Errorf("of %d lines, the first of which is the header, %d inputs were read and %d applied", lines, fed.Entries, status.Applied)
	}
}

// commands have the program replay a history, make a workload of it, and compare that.
func (p *plane) commands(file string, placed int) {
	p.Helper()
	workload := filepath.Join(p.dir, "workload.journal")
	packed := p.file("packed.yaml", "partitions: [{name: default, nodesortpolicy: {type: binpacking}, queues: [{name: root, queues: [{name: default}]}]}]")
	p.command("replay", file)
	if told := p.command("import", "history", "-o", workload, file); !strings.Contains(told, fmt.Sprintf("in the recorded cluster: %d asks placed", placed)) {
		p.Errorf("expected %d asks to be placed, found:\n%s", placed, told)
	}
	if told := p.command("replay", "--compare", packed, workload); !strings.Contains(told, "Compared with the first run, B ") {
		p.Errorf("expected a comparison, found:\n%s", told)
	}
}

// command runs the program, and returns what it prints.
func (p *plane) command(args ...string) string {
	p.Helper()
	self, err := os.Executable()
	p.must(err)
	cmd := exec.CommandContext(p.ctx, self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=yes")
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
