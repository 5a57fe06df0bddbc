package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/tools/cache"

	"github.com/quern-project/quern/internal/await"
)

// section is how many pods the processor time is looked at after.
const section = 5000

// counter counts pods as they are bound. All contenders are counted by the same watch, which sees no pod before.
type counter struct {
	p        *bench
	bound    chan time.Time
	took     time.Duration
	sections []time.Duration // processor time of the contender at their ends; the first: at the first binding
}

func newCounter(p *bench, name string) *counter {
	c := &counter{p: p, bound: make(chan time.Time, p.pods)}
	source := cache.NewFilteredListWatchFromClient(p.client.CoreV1().RESTClient(), "pods", metav1.NamespaceDefault, func(o *metav1.ListOptions) {
		o.FieldSelector = fields.OneTermNotEqualSelector("spec.nodeName", "").String()
		o.LabelSelector = "app=" + name
	})
	_, informer := cache.NewInformerWithOptions(cache.InformerOptions{ListerWatcher: source, ObjectType: &corev1.Pod{}, Handler: cache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { c.bound <- time.Now() },
	}})
	go informer.RunWithContext(p.b.Context())
	if !cache.WaitForCacheSync(p.b.Context().Done(), informer.HasSynced) {
		p.b.Fatal("the pods could not be listed")
	}
	return c
}

// mostForOne is how long a contender may take for one pod.
const mostForOne = 2 * time.Minute

// wait waits until all pods are bound, and returns the time from the first to the last.
func (c *counter) wait(processor func() time.Duration) time.Duration {
	var first, last time.Time
	for i := range c.p.pods {
		select {
		case last = <-c.bound:
		case <-time.After(mostForOne):
			c.p.b.Fatalf("%d of %d pods are bound", i, c.p.pods)
		}
		if i == 0 {
			first = last
		}
		if processor != nil && (i%section == 0 || i == c.p.pods-1) {
			c.sections = append(c.sections, processor())
		}
	}
	c.took = last.Sub(first)
	return c.took
}

// report says how fast pods were bound, and what processor time the contender took for a pod of each section.
func (c *counter) report(counted bool) string {
	text := fmt.Sprintf("%d pods in %.2f s: %.0f pods/s", c.p.pods, c.took.Seconds(), float64(c.p.pods)/c.took.Seconds())
	if c.p.gang > 0 {
		text += fmt.Sprintf(" in gangs of %d", c.p.gang)
	}
	if !counted {
		return text
	}
	var parts []string
	for i := 1; i < len(c.sections); i++ {
		size := min(section, c.p.pods-(i-1)*section)
		parts = append(parts, fmt.Sprintf("%.0f", float64((c.sections[i]-c.sections[i-1]).Microseconds())/float64(size)))
	}
	return text + fmt.Sprintf("; processor time: %.2f s before the first, then µs a pod: %s", c.sections[0].Seconds(), strings.Join(parts, " "))
}

// processorTime is what a process has used, as Linux counts it in hundredths of a second.
func processorTime(b *testing.B, pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Skip("skipped: ", err)
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+2:])
	var user, system int64
	if _, err := fmt.Sscan(string(fields[11])+" "+string(fields[12]), &user, &system); err != nil {
		b.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}

// profiles writes processor profiles of five seconds each, one after the other, and one of the heap, until the program is stopped.
func (p *bench) profiles(name, address string, stopped <-chan struct{}) {
	folder := os.Getenv("PROFILES")
	if folder == "" {
		return
	}
	for i := 0; ; i++ {
		select {
		case <-stopped:
			return
		default:
		}
		if fetch("http://"+address+"/debug/pprof/profile?seconds=5", filepath.Join(folder, fmt.Sprintf("%s-%d.cpu", name, i))) != nil {
			await.Pause(100 * time.Millisecond) // it does not serve yet, or no more
			i--
			continue
		}
		if err := fetch("http://"+address+"/debug/pprof/allocs", filepath.Join(folder, name+".allocs")); err != nil {
			p.b.Log(err)
		}
	}
}

func fetch(url, file string) error {
	answer, err := http.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, answer.Status)
	}
	return os.WriteFile(file, text, 0o600)
}
