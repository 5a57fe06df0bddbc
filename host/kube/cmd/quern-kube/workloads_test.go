package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// Workloads for YuniKorn run as they are. The controller manager makes the pods of Jobs and Deployments, and kwok runs them.
func TestWorkloadsOfYuniKornRunUnchanged(t *testing.T) {
	p := newPlane(t, 4) // of 4 cores each
	args, _ := p.installed("quern.yaml")
	r := p.replica("quern", p.kubeconfig("quern"), manifests+"examples/queues.yaml", append(args, "--scheduler-name=yunikorn"))
	p.must(r.Start(p.ctx))
	for _, test := range []struct {
		name string
		run  func(*plane)
	}{
		{"a gang is placed as a whole, and waits as a whole", (*plane).gangOfAJob},
		{"placeholders hold the room of executors", (*plane).spark},
		{"a Job of independent tasks keeps to the max of its queue", (*plane).array},
	} {
		t.Run(test.name, func(t *testing.T) {
			sub := *p
			sub.TB = t
			test.run(&sub)
		})
	}
	p.must(r.Terminate(p.ctx))
}

// apply creates the object of an example.
func (p *plane) apply(name string) {
	p.Helper()
	text, err := os.ReadFile(manifests + "examples/" + name)
	p.must(err)
	var meta metav1.TypeMeta
	p.must(yaml.Unmarshal(text, &meta))
	var none metav1.CreateOptions
	switch meta.Kind {
	case "Job":
		var o batchv1.Job
		p.must(yaml.UnmarshalStrict(text, &o))
		_, err = p.admin.BatchV1().Jobs("default").Create(p.ctx, &o, none)
	case "Deployment":
		var o appsv1.Deployment
		p.must(yaml.UnmarshalStrict(text, &o))
		_, err = p.admin.AppsV1().Deployments("default").Create(p.ctx, &o, none)
	case "Pod":
		var o corev1.Pod
		p.must(yaml.UnmarshalStrict(text, &o))
		_, err = p.admin.CoreV1().Pods("default").Create(p.ctx, &o, none)
	default:
		p.Fatalf("%s: unknown kind %q", name, meta.Kind)
	}
	p.must(err)
}

// pods are those that a selector takes, once there are so many.
func (p *plane) pods(selector string, count int) (all []corev1.Pod) {
	p.Helper()
	p.awaits("waiting for pods "+selector, func() string {
		list, err := p.admin.CoreV1().Pods("default").List(p.ctx, metav1.ListOptions{LabelSelector: selector})
		if err != nil {
			return err.Error()
		}
		if all = list.Items; len(all) < count {
			return fmt.Sprintf("%d of %d are there", len(all), count)
		}
		return ""
	})
	return all
}

// completed waits until a Job is.
func (p *plane) completed(name string) {
	p.Helper()
	p.awaits("waiting for the Job "+name, func() string {
		j, err := p.admin.BatchV1().Jobs("default").Get(p.ctx, name, metav1.GetOptions{})
		if err != nil {
			return err.Error()
		}
		if !slices.ContainsFunc(j.Status.Conditions, func(c batchv1.JobCondition) bool {
			return c.Type == batchv1.JobComplete && c.Status == corev1.ConditionTrue
		}) {
			return fmt.Sprintf("%d of its pods have succeeded", j.Status.Succeeded)
		}
		return ""
	})
}

// gangOfAJob has room for three workers, and then for four.
func (p *plane) gangOfAJob() {
	p.apply("service.yaml")
	p.bound("default", "app=service", 1)
	p.apply("training.yaml")
	workers := p.pods("applicationId=training", 4)
	message := p.waits(workers[0].Name, corev1.PodReasonUnschedulable, "FailedScheduling")
	if part := "of which 4 or more are placed together; it has 4 members pending, and 3 fit beside one another"; !strings.Contains(message, part) {
		p.Errorf("expected a sentence with %q, found %q", part, message)
	}
	for _, w := range p.pods("applicationId=training", 4) {
		if w.Spec.NodeName != "" {
			p.Errorf("pod %s is on %s while the gang waits", w.Name, w.Spec.NodeName)
		}
	}
	foreground := metav1.DeletePropagationForeground
	p.must(p.admin.AppsV1().Deployments("default").Delete(p.ctx, "service", metav1.DeleteOptions{PropagationPolicy: &foreground}))
	nodes := map[string]bool{}
	for _, w := range p.bound("default", "applicationId=training", 4) {
		nodes[w.Spec.NodeName] = true
	}
	if len(nodes) != 4 {
		p.Errorf("expected a node for each worker, found %v", nodes)
	}
	p.completed("training")
}

// spark has others ask for all room while a driver has not made its executors yet.
func (p *plane) spark() {
	p.apply("spark-driver.yaml")
	p.bound("default", "spark-role=driver", 1)
	for i := range 20 {
		_, err := p.admin.CoreV1().Pods("default").Create(p.ctx, podOf("greedy", fmt.Sprint("greedy-", i), "root.others", "1"), metav1.CreateOptions{})
		p.must(err)
	}
	p.bound("default", "applicationId=greedy", 12) // of 16 cores, one is the driver's, and three are held
	p.waits("greedy-19", corev1.PodReasonUnschedulable, "FailedScheduling")
	if n := len(p.bound("default", "applicationId=greedy", 12)); n != 12 {
		p.Errorf("%d pods of another application are bound, expected 12", n)
	}
	for range 3 {
		p.apply("spark-executor.yaml")
	}
	p.bound("default", "spark-role=executor", 3)
	p.removeAll()
}

// array has the tasks that run stay, until the condition of one that waits is read.
func (p *plane) array() {
	p.must(p.Kwok.Pause())
	p.apply("array.yaml")
	p.bound("default", "job-name=array", 3)
	tasks := p.pods("job-name=array", 10)
	waiting := slices.IndexFunc(tasks, func(pod corev1.Pod) bool { return pod.Spec.NodeName == "" })
	text := p.waits(tasks[waiting].Name, "QueueQuota", "QueueQuota")
	if n := len(p.bound("default", "job-name=array", 3)); n != 3 || !strings.Contains(text, "Queue root.batch lacks 1 vcore") {
		p.Errorf("expected 3 tasks to run and a sentence about what root.batch lacks, found %d, %q", n, text)
	}
	p.must(p.Kwok.Resume())
	p.completed("array")
}
