package swf

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/importing"
)

// fieldNames are the fields of a line, in their order.
var fieldNames = [...]string{
	"job number", "submit time", "wait time", "run time", "allocated processors", "average CPU time", "used memory", "requested processors",
	"requested time", "requested memory", "status", "user", "group", "executable", "queue", "partition", "preceding job", "think time",
}

// Places of the fields that are read.
const (
	jobNumber           = 0
	submitTime          = 1
	waitTime            = 2
	runTime             = 3
	allocatedProcessors = 4
	usedMemory          = 6
	requestedProcessors = 7
	requestedTime       = 8
	requestedMemory     = 9
	status              = 10
	userID              = 11
	groupID             = 12
	queueNumber         = 14
	partitionNumber     = 15
)

// unknown is what a log says where it knows nothing.
const unknown = -1

// What the status says. Those from 2 to 4 are parts of jobs that have a line of their own.
const (
	statusFailed    = 0
	statusCancelled = 5
)

// neverRan reports whether a job was cancelled before it ran.
func neverRan(n *[len(fieldNames)]int64) bool { return n[status] == statusCancelled && n[runTime] <= 0 }

// job reads a job.
func (r *reader) job(line string) error {
	texts := strings.Fields(line)
	if len(texts) != len(fieldNames) {
		return r.bad("", fmt.Sprintf("%d numbers", len(fieldNames)), fmt.Sprintf("%d fields", len(texts)))
	}
	var n [len(fieldNames)]int64
	var errs []*importing.Error
	for i, text := range texts {
		value, ok := parse(text)
		if !ok || i == jobNumber && value < 0 || i == submitTime && value < 0 {
			errs = append(errs, &importing.Error{File: r.file, Line: r.line, Key: fieldNames[i], Expected: "a number from 0, or -1 if unknown", Found: importing.Quote(text)})
		}
		n[i] = value
	}
	if errs != nil {
		return r.sink.Bad(errs...)
	}
	if n[requestedProcessors] <= 0 {
		n[requestedProcessors] = n[allocatedProcessors]
	}
	if why := r.leftOut(&n); why != "" {
		r.sink.LeftOut(1, "job", why)
		return nil
	}
	return r.give(&n)
}

// mostSeconds bounds numbers, so that times stay in bounds.
const mostSeconds = int64(importing.Farthest / time.Second / 2)

// parse reads a number, without its fraction.
func parse(text string) (int64, bool) {
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(f) || f < unknown || f > float64(mostSeconds) {
			return 0, false
		}
		value = int64(f)
	}
	return value, value >= unknown && value <= mostSeconds
}

// leftOut says why a job cannot be in a journal.
func (r *reader) leftOut(n *[len(fieldNames)]int64) string {
	withdrawn := r.Cancelled == Withdraw && neverRan(n)
	switch {
	case n[status] >= 2 && n[status] <= 4:
		return "part of a job that has a line of its own (status 2 to 4)"
	case neverRan(n) && !withdrawn:
		return "cancelled before running"
	case withdrawn && n[waitTime] == unknown:
		return "cancelled before running, at an unknown time"
	case r.Failed == LeaveOut && n[status] == statusFailed:
		return "failed"
	case r.Failed == LeaveOut && n[status] == statusCancelled && !withdrawn:
		return "cancelled while running"
	case n[runTime] == unknown && !withdrawn:
		return "run time unknown"
	case n[requestedProcessors] <= 0:
		return "number of processors unknown"
	case n[requestedProcessors] > mostProcessors:
		return "more than 10,000,000 processors"
	}
	return ""
}

// give gives a job to the sink.
func (r *reader) give(n *[len(fieldNames)]int64) error {
	switch processors := n[requestedProcessors]; {
	case processors > int64(r.shape.processors()):
		r.sink.Changed(1, "job", "more processors than all nodes have; never starts")
	case r.JobAs == AsAsk && processors > int64(r.shape.largest()):
		r.sink.Changed(1, "job", "one ask of more processors than any node has; never starts")
	}
	if limit := walltime(n); limit > 0 && time.Duration(n[runTime])*time.Second > limit {
		r.sink.Changed(1, "job", "it ran longer than its requested time; it is asked to end then, unless walltime.overrun is allow")
	}
	id := strconv.FormatInt(n[jobNumber], 10)
	app := &core.AddApp{ID: id, Queue: r.queue(n), User: named("user", n[userID])}
	if group := named("group", n[groupID]); group != "" {
		app.Groups = []string{group}
	}
	if n[partitionNumber] != unknown {
		app.Tags = map[string]string{"partition": strconv.FormatInt(n[partitionNumber], 10)}
	}
	r.sink.Queues.Use(app.Queue)
	at := instant.Add(r.header.start, time.Duration(n[submitTime])*time.Second)
	if err := r.sink.Job(at, app, r.asks(id, n)...); err != nil || !neverRan(n) {
		return err
	}
	r.sink.Changed(1, "job", "cancelled before running; withdrawn after the time that it waited")
	return r.sink.Remove(instant.Add(at, time.Duration(n[waitTime])*time.Second), app.ID)
}

// walltime is the requested time of a job; 0: it is unknown.
func walltime(n *[len(fieldNames)]int64) time.Duration {
	return time.Duration(max(0, min(n[requestedTime], int64(instant.Never/time.Second)))) * time.Second
}

func named(kind string, number int64) string {
	if number == unknown {
		return ""
	}
	return kind + "-" + strconv.FormatInt(number, 10)
}

// queue is the queue of a job, by what the user wants queues to be.
func (r *reader) queue(n *[len(fieldNames)]int64) string {
	number := int64(unknown)
	switch r.QueueBy {
	case ByQueue:
		number = n[queueNumber]
	case ByPartition:
		number = n[partitionNumber]
	case ByUser:
		number = n[userID]
	case ByGroup:
		number = n[groupID]
	}
	if number == unknown {
		return "root.default"
	}
	return "root." + named(r.QueueBy, number)
}

// asks cuts a job into asks.
func (r *reader) asks(id string, n *[len(fieldNames)]int64) []journal.Entry {
	total := int(n[requestedProcessors])
	each := r.each(total)
	whole, rest := total/each, total%each
	if whole == 0 || whole == 1 && rest == 0 {
		return []journal.Entry{r.ask(id, id, total, n)}
	}
	gang := &core.Gang{ID: id, Min: whole}
	first := r.ask(id, id, each, n)
	first.Count, first.Numbered = whole, true
	asks := []journal.Entry{first}
	if rest > 0 {
		gang.Min++
		asks = append(asks, r.ask(id+"-rest", id, rest, n))
	}
	for i := range asks {
		asks[i].Input.Ask().Gang = gang
	}
	return asks
}

// each is how many processors an ask of a job takes at most.
func (r *reader) each(total int) int {
	switch {
	case r.JobAs == AsProcessors:
		return 1
	case r.JobAs == AsAsk, total <= r.shape.each:
		return total
	case r.shape.singles:
		return 1
	}
	return r.shape.each
}

func (r *reader) ask(id, app string, processors int, n *[len(fieldNames)]int64) journal.Entry {
	memory := n[requestedMemory]
	if memory == unknown {
		memory = n[usedMemory]
	}
	switch {
	case r.shape.memory == 0 || memory <= 0:
		memory = 0
	case memory > math.MaxInt64/1024/int64(processors):
		memory = math.MaxInt64
	default:
		memory *= 1024 * int64(processors) // a log counts kilobytes for each processor
	}
	in := core.Input{Event: &core.AddAsk{ID: id, App: app, Resources: amounts(processors, memory), Ask: core.Ask{Walltime: walltime(n)}}}
	if neverRan(n) {
		return journal.Entry{Input: in, Count: 1}
	}
	return journal.Entry{Input: in, Count: 1, Run: time.Duration(n[runTime]) * time.Second, HasRun: true}
}
