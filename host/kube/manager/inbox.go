package manager

import (
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/quern-project/quern/core"
)

// inbox gathers what the loop has to look at. Any goroutine may add to it; none waits.
type inbox struct {
	mu   sync.Mutex
	mail mail
	wake chan struct{} // has a value when there may be something
}

// mail is what an inbox has gathered.
type mail struct {
	decisions  []*core.Decision
	outcomes   []outcome
	nodes      map[string]bool
	pods       map[string]bool
	namespaces map[string]bool    // namespaces whose labels or annotations have changed
	classes    map[string]bool    // priority classes, likewise
	budgets    map[string]bool    // namespaces in which budgets have changed
	groups     map[string]bool    // pod groups
	composites map[string]bool    // composite pod groups
	moved      bool               // pod groups are of another version
	grouped    []groupWrite       // conditions that were to be written into pod groups
	scheduled  map[groupID]bool   // pod groups of which that is to be written again
	owners     map[string]bool    // Jobs and StatefulSets, as owned names them
	done       map[types.UID]bool // pods that had succeeded when they were deleted
	idle       bool               // what was before the run has ended by now
	failed     []failing          // pods that were to fail
	written    []note             // conditions that were to be written
	attempts   []attempt          // to evict pods
	evictions  []*eviction        // to be tried again
	apps       map[string]bool    // that were refused, and are to be submitted again
	failure    error              // nothing can be decided any more
}

func newInbox() *inbox {
	return &inbox{wake: make(chan struct{}, 1), mail: newMail()}
}

func (i *inbox) put(change func(*mail)) {
	i.mu.Lock()
	change(&i.mail)
	i.mu.Unlock()
	select {
	case i.wake <- struct{}{}:
	default:
	}
}

func (i *inbox) pod(key string)   { i.put(func(m *mail) { m.pods[key] = true }) }
func (i *inbox) node(name string) { i.put(func(m *mail) { m.nodes[name] = true }) }

func (i *inbox) namespace(name string) { i.put(func(m *mail) { m.namespaces[name] = true }) }
func (i *inbox) group(key string)      { i.put(func(m *mail) { m.groups[key] = true }) }
func (i *inbox) composite(key string)  { i.put(func(m *mail) { m.composites[key] = true }) }
func (i *inbox) groupsMoved()          { i.put(func(m *mail) { m.moved = true }) }
func (i *inbox) owner(key string)      { i.put(func(m *mail) { m.owners[key] = true }) }
func (i *inbox) class(name string)     { i.put(func(m *mail) { m.classes[name] = true }) }

// podDone notes that a pod had succeeded when it was deleted: its last version is not seen otherwise.
func (i *inbox) podDone(key string, uid types.UID) {
	i.put(func(m *mail) { m.pods[key], m.done[uid] = true, true })
}

// device notes that a device class has changed. All of them are looked at.
func (i *inbox) device(string) { i.put(func(*mail) {}) }

// budget notes the namespace of a PodDisruptionBudget.
func (i *inbox) budget(key string) {
	namespace, _, _ := strings.Cut(key, "/")
	i.put(func(m *mail) { m.budgets[namespace] = true })
}

// podLater is pod after a time.
func (i *inbox) podLater(key string, d time.Duration) { time.AfterFunc(d, func() { i.pod(key) }) }

// take empties the inbox, except for a failure: what has failed is of no use until another run begins.
func (i *inbox) take() mail {
	i.mu.Lock()
	defer i.mu.Unlock()
	all := i.mail
	i.mail = newMail()
	i.mail.failure = all.failure
	return all
}

// begin empties the inbox for a run.
func (i *inbox) begin() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.mail = newMail()
}

func newMail() mail {
	return mail{nodes: map[string]bool{}, pods: map[string]bool{}, namespaces: map[string]bool{}, classes: map[string]bool{}, budgets: map[string]bool{},
		groups: map[string]bool{}, composites: map[string]bool{}, scheduled: map[groupID]bool{}, apps: map[string]bool{}, owners: map[string]bool{}, done: map[types.UID]bool{}}
}
