package yunikorn

import (
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/scheduler"
)

// applicationOf makes one of an item, except its asks. It is called while the view is held.
func (a *API) applicationOf(p *partition, item *core.AppItem) application {
	out := application{
		ApplicationID: item.ID, UsedResource: amountsOf(item.Used), PendingResource: amountsOf(item.Waiting), Partition: p.name, QueueName: item.Queue,
		SubmissionTime: nanoseconds(item.Submitted), State: item.State, User: item.User, Groups: orEmptyList(item.Groups), MaxRequestPriority: math.MinInt32,
	}
	if item.HasPriority {
		out.MaxRequestPriority = item.Priority
	}
	r := a.memory.apps[item.ID]
	if r == nil { // the memory goes along with the view, so this is one that has just ended
		r = &appRecord{log: []stateChange{{nanoseconds(item.Since), item.State}}}
	}
	r.fill(&out)
	return out
}

// finishedOf makes one of a record of an application that is over. It is called while the view is held.
func finishedOf(p *partition, r *appRecord) application {
	finished := nanoseconds(r.finished)
	out := application{
		ApplicationID: r.id, UsedResource: amounts{}, PendingResource: amounts{}, Partition: p.name, QueueName: r.queue,
		SubmissionTime: nanoseconds(r.submitted), FinishedTime: &finished, State: r.state(), User: r.user, Groups: orEmptyList(r.groups),
		RejectedMessage: r.message, MaxRequestPriority: math.MinInt32,
	}
	r.fill(&out)
	out.complete()
	return out
}

// fill adds what only the record has.
func (r *appRecord) fill(out *application) {
	out.MaxUsedResource, out.StateLog, out.StartTime = amountsOf(r.most), orEmptyList(r.log), nanoseconds(r.started)
	out.PlaceholderData = []placeholders{}
	for _, g := range r.placeholders {
		g.MinResource = amountsOf(g.resources)
		out.PlaceholderData = append(out.PlaceholderData, g.placeholders)
	}
	out.PlaceholderData = append(out.PlaceholderData, r.atomicGroups()...)
	h := resourceHistory{map[string]amounts{}, map[string]amounts{}, map[string]amounts{}}
	for kind, u := range r.history {
		h.ResourceUsage[kind], h.PreemptedResource[kind], h.PlaceholderResource[kind] = amountsOf(u.all), amountsOf(u.preempted), amountsOf(u.placeholders)
	}
	out.ResourceHistory = h
}

// complete has lists that were not filled be empty ones.
func (out *application) complete() {
	out.Requests, out.Allocations, out.Reservations = orEmptyList(out.Requests), orEmptyList(out.Allocations), orEmptyList(out.Reservations)
	out.HasReserved = len(out.Reservations) > 0
}

// addAsks reads the asks of an application, part by part.
func (a *API) addAsks(out *application) {
	requests, allocations := 0, 0 // that have what was told of them
	a.parts(core.Where{App: out.ApplicationID}, func(s *scheduler.Scheduler, page *core.Page) (core.Key, bool) {
		list := s.Asks(page)
		for i := range list.Items {
			k := &list.Items[i]
			switch {
			case k.Node != "":
				out.Allocations = append(out.Allocations, a.allocationOf(k))
			default:
				out.Requests = append(out.Requests, requestOf(k))
				for _, held := range []string{k.Reserved, k.Claims} {
					if held != "" {
						out.Reservations = append(out.Reservations, held+"|"+k.ID)
					}
				}
			}
		}
		return list.Next, list.More
	}, func() bool {
		a.addTold(out.Requests[requests:], out.Allocations[allocations:])
		requests, allocations = len(out.Requests), len(out.Allocations)
		return true
	})
	slices.SortStableFunc(out.Allocations, func(x, y allocation) int { return int(x.AllocationTime - y.AllocationTime) })
	out.complete()
}

// requestOf is a pending ask. The scheduler looks at each in the round in which it comes.
func requestOf(k *core.AskItem) request {
	return request{
		AllocationKey: k.ID, AllocationTags: map[string]string{}, RequestTime: nanoseconds(k.Submitted), Resource: amountsOf(k.Resources),
		Priority: priorityText(k.Priority), RequiredNodeID: k.Required, ApplicationID: k.App, Placeholder: k.Placeholder, TaskGroupName: k.TaskGroup,
		AllocationLog: []logEntry{}, TriggeredPreemption: k.Claims != "", Originator: k.Originator, SchedulingAttempted: true,
	}
}

// allocationOf is an allocation. It is called while the view is held.
func (a *API) allocationOf(k *core.AskItem) allocation {
	out := allocation{
		AllocationKey: k.ID, AllocationTags: map[string]string{}, RequestTime: nanoseconds(k.Submitted), AllocationTime: nanoseconds(k.Allocated),
		AllocationDelay: nanoseconds(k.Allocated - k.Submitted), Resource: amountsOf(k.Resources), Priority: priorityText(k.Priority), NodeID: k.Node,
		ApplicationID: k.App, Placeholder: k.Placeholder, TaskGroupName: k.TaskGroup, Preempted: k.Leaves && !k.Placeholder, Originator: k.Originator,
	}
	if r := a.memory.asks[k.ID]; r != nil {
		out.PlaceholderUsed = r.replaces
		out.Preempted = out.Preempted || r.preempted
	}
	return out
}

// addTold adds what resource managers or the cluster tell of asks and allocations, and the scheduler does not keep. The view must not be held.
func (a *API) addTold(requests []request, allocations []allocation) {
	a.addTags(requests, allocations)
	if a.options.Managers == nil {
		return
	}
	keys := make([]string, 0, len(requests)+len(allocations))
	for i := range requests {
		keys = append(keys, requests[i].AllocationKey)
	}
	for i := range allocations {
		keys = append(keys, allocations[i].AllocationKey)
	}
	told := a.options.Managers.Told(keys)
	add := func(key, app string, tags *map[string]string, at *int64) {
		k := told[key]
		if k.GetApplicationID() != app {
			return
		}
		*tags = orEmptyMap(k.GetAllocationTags())
		if created := createdAt(k); created > 0 {
			*at = created
		}
	}
	for i := range requests {
		r := &requests[i]
		add(r.AllocationKey, r.ApplicationID, &r.AllocationTags, &r.RequestTime)
	}
	for i := range allocations {
		r := &allocations[i]
		add(r.AllocationKey, r.ApplicationID, &r.AllocationTags, &r.RequestTime)
	}
}

// addTags adds what the cluster tells of asks and allocations.
func (a *API) addTags(requests []request, allocations []allocation) {
	c := a.options.Cluster
	if c == nil {
		return
	}
	add := func(id string, tags *map[string]string, at *int64) {
		if found, created := c.Tags(id); found != nil {
			*tags, *at = found, created.UnixNano()
		}
	}
	for i := range requests {
		add(requests[i].AllocationKey, &requests[i].AllocationTags, &requests[i].RequestTime)
	}
	for i := range allocations {
		add(allocations[i].AllocationKey, &allocations[i].AllocationTags, &allocations[i].RequestTime)
	}
}

// selection says which applications are wanted.
type selection struct {
	partition partition
	queue     string   // empty: any
	state     string   // active, rejected or completed
	statuses  []string // of active ones, in lower case; none: any
}

// wants reports whether an application in a queue is wanted, as far as that goes.
func (s *selection) wants(shown, queue string) bool {
	return s.partition.shown == shown && (s.queue == "" || s.queue == lower(queue))
}

const (
	stateActive    = "active"
	stateRejected  = "rejected"
	stateCompleted = "completed"
)

// activeStatuses are the states of applications that are not over.
var activeStatuses = []string{"new", "accepted", "starting", "running", "resuming", "completing", "failing"}

// selectionOf reads what a request asks for.
func (a *API) selectionOf(r *http.Request) (s selection, err error) {
	if s.partition, err = a.partition(r); err != nil {
		return s, err
	}
	if s.state = lower(r.PathValue("state")); s.state == "" {
		s.state = stateActive
	}
	if !slices.Contains([]string{stateActive, stateRejected, stateCompleted}, s.state) {
		return s, badRequest("Only following application states are allowed: active, rejected, completed; found %q", r.PathValue("state"))
	}
	for status := range strings.SplitSeq(lower(r.URL.Query().Get("status")), ",") {
		switch status = strings.TrimSpace(status); {
		case status == "":
		case s.state != stateActive:
			return s, badRequest("status: expected it beside active applications alone, found it beside %s", s.state)
		case !slices.Contains(activeStatuses, status):
			return s, badRequest("status: expected some of %s, found %q", strings.Join(activeStatuses, ", "), status)
		default:
			s.statuses = append(s.statuses, status)
		}
	}
	return s, nil
}

// applications lists those of a partition.
func (a *API) applications(w http.ResponseWriter, r *http.Request) error {
	s, err := a.selectionOf(r)
	if err != nil {
		return err
	}
	return a.writeApplications(w, &s)
}

// applicationsOfQueue lists those of a leaf.
func (a *API) applicationsOfQueue(w http.ResponseWriter, r *http.Request) error {
	s, err := a.selectionOf(r)
	if err != nil {
		return err
	}
	if s.queue, err = queueName(r); err != nil {
		return err
	}
	if _, err := a.findQueue(&s.partition, s.queue); err != nil {
		return err
	}
	return a.writeApplications(w, &s)
}

func (a *API) writeApplications(w http.ResponseWriter, s *selection) error {
	out := newList(w)
	a.eachApplication(s, func(app *application) bool { return out.add(app) })
	return out.end()
}

// eachApplication goes through those that are wanted.
func (a *API) eachApplication(s *selection, each func(*application) bool) {
	switch s.state {
	case stateActive:
		a.eachActive(s, each)
	case stateRejected:
		a.eachFinished(a.memory.rejected, s, each)
	case stateCompleted:
		a.eachFinished(a.memory.completed, s, each)
	}
}

func (a *API) eachActive(wanted *selection, each func(*application) bool) {
	var found []application
	where := core.Where{}
	if wanted.queue != "" {
		where.Queue = core.ShownPath(wanted.partition.shown, wanted.queue)
	}
	a.parts(where, func(s *scheduler.Scheduler, page *core.Page) (core.Key, bool) {
		list := s.Apps(page)
		for i := range list.Items {
			item := &list.Items[i]
			if !isTerminal(item.State) && wanted.wants(item.Partition, item.Queue) &&
				(len(wanted.statuses) == 0 || slices.Contains(wanted.statuses, lower(item.State))) {
				found = append(found, a.applicationOf(&wanted.partition, item))
			}
		}
		return list.Next, list.More
	}, func() bool {
		for i := range found {
			a.addAsks(&found[i])
			if !each(&found[i]) {
				return false
			}
		}
		found = found[:0]
		return true
	})
}

// eachFinished goes through the applications of a ring, oldest first.
func (a *API) eachFinished(all *ring[*appRecord], wanted *selection, each func(*application) bool) {
	for number, more := uint64(0), true; more; {
		var found []application
		a.view.Read(func(*scheduler.Scheduler) {
			for number = max(number, all.first()); number < all.next && len(found) < partObjects; number++ {
				if r := *all.at(number); wanted.wants(r.partition, r.queue) {
					found = append(found, finishedOf(&wanted.partition, r))
				}
			}
			more = number < all.next
		})
		for i := range found {
			if !each(&found[i]) {
				return
			}
		}
	}
}

// application answers one, the live one of an ID or the one that was over last.
func (a *API) application(w http.ResponseWriter, r *http.Request) error {
	p, err := a.partition(r)
	if err != nil {
		return err
	}
	wanted := selection{partition: p}
	if r.PathValue("queue") != "" {
		if wanted.queue, err = queueName(r); err != nil {
			return err
		}
		if _, err := a.findQueue(&p, wanted.queue); err != nil {
			return err
		}
	}
	id, err := identifier(r, "application")
	if err != nil {
		return err
	}
	var out *application
	live := false
	a.view.Read(func(s *scheduler.Scheduler) {
		if item, ok := s.App(id); ok && !isTerminal(item.State) && wanted.wants(item.Partition, item.Queue) {
			found := a.applicationOf(&p, &item)
			out, live = &found, true
			return
		}
		out = a.lastFinished(&wanted, id)
	})
	if out == nil {
		return notFound("Application not found: there is no application %q", id)
	}
	if live {
		a.addAsks(out)
		a.explain(out.Requests)
	}
	return answer(w, out)
}

// lastFinished is the application of an ID that was over last; nil: none is known. It is called while the view is held.
func (a *API) lastFinished(wanted *selection, id string) *application {
	var last *appRecord
	for _, all := range []*ring[*appRecord]{a.memory.completed, a.memory.rejected} {
		for number := all.next; number > all.first(); number-- {
			if r := *all.at(number - 1); r.id == id && wanted.wants(r.partition, r.queue) {
				if last == nil || last.finished < r.finished {
					last = r
				}
				break
			}
		}
	}
	if last == nil {
		return nil
	}
	out := finishedOf(&wanted.partition, last)
	return &out
}

// mostExplained is how many asks of an application are explained: each takes about a millisecond.
const mostExplained = 10

// explain says of the first asks why they wait.
func (a *API) explain(list []request) {
	for i := range list[:min(len(list), mostExplained)] {
		a.view.Borrow(func(s *scheduler.Scheduler) {
			if e, ok := s.ExplainAsk(list[i].AllocationKey); ok && e.Pending {
				list[i].AllocationLog = logOf(&e, nanoseconds(s.Now()))
			}
		})
	}
}

// logOf lists why an ask waits now: reasons, and counts of nodes by what they lack.
func logOf(e *explain.AskExplanation, now int64) []logEntry {
	log := []logEntry{}
	for _, reason := range e.Reasons {
		if reason != explain.WaitNoNodeFits {
			log = append(log, logEntry{string(reason), now, 1})
		}
	}
	for _, n := range e.Nodes {
		message := string(explain.WaitNoNodeFits) + ": " + string(n.Reason)
		if n.Detail != "" {
			message += " (" + n.Detail + ")"
		}
		log = append(log, logEntry{message, now, int32(min(n.Nodes, math.MaxInt32))})
	}
	return log
}
