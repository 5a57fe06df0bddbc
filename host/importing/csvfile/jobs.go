package csvfile

import (
	"io"
	"math"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/importing"
)

// job is the fields of a job, bound to the columns of a list.
type job struct {
	id, app, queue, user, groups, submit, start, end, run, walltime, removed, priority, count, node, movable, required, preferred *bound

	resources, constraints, tags []*bound
	gang                         gang
}

// usualQueue is where jobs go whose queue nothing says.
const usualQueue = "root.default"

// mostCount bounds the asks of one job.
const mostCount = 1_000_000

// ReadJobs gives the jobs of a list to a sink. Errors in the list are told to the sink; the error says that reading failed.
func (m *Mapping) ReadJobs(r io.Reader, file string, sink *importing.Sink) error {
	t, err := m.newTable(r, file, m.Jobs.Columns, "jobs", sink)
	if t == nil {
		return givenUp(err)
	}
	b, f := &binder{t: t}, &m.Jobs
	j := job{
		id: b.field(f.ID), app: b.field(f.App), queue: b.field(f.Queue), user: b.field(f.User), groups: b.field(f.Groups),
		submit: b.field(f.Submit), start: b.field(f.Start), end: b.field(f.End), run: b.field(f.Run), walltime: b.field(f.Walltime), removed: b.field(f.Removed),
		priority: b.field(f.Priority), count: b.field(f.Count), node: b.field(f.Node),
		resources: b.fields(f.Resources), constraints: b.fields(f.Constraints), tags: b.fields(f.Tags),
		movable: b.field(f.Movable), gang: b.gang(f), required: b.field(f.Required), preferred: b.field(f.Preferred),
	}
	b.only(f.Only, "jobs")
	if b.errs != nil {
		return givenUp(sink.GiveUp(b.errs...))
	}
	return t.each(j.take)
}

// take reads a row.
func (j *job) take(r *row) error {
	id := r.needed(j.id, "the name of the job")
	app := j.application(r, id)
	at := r.time(j.submit)
	ask := j.ask(r, id, app.ID)
	run, known := r.runs(j)
	ask.Run, ask.HasRun = run, known
	removed, goes := r.removed(j.removed, at)
	r.checkTexts(app)
	r.checkTexts(ask.Input.Event)
	switch {
	case r.errs != nil:
		return r.sink.Bad(r.errs...)
	case ask.Count == 0:
		r.sink.LeftOut(1, "row", "the count is 0")
		return nil
	case ask.Input.Ask().Resources.IsZero():
		r.sink.LeftOut(1, "row", "no resources requested")
		return nil
	case !known && !goes:
		r.sink.Changed(1, "row", "no run time; the allocation never ends")
	}
	if err := r.sink.Job(at, app, ask); err != nil || !goes {
		return err
	}
	return r.sink.Remove(removed, app.ID)
}

// removed reads when a job is withdrawn, at the earliest in the moment it comes, and whether it is.
func (r *row) removed(f *bound, submitted time.Duration) (time.Duration, bool) {
	if r.text(f) == "" {
		return 0, false
	}
	return max(r.time(f), submitted), true
}

func (j *job) application(r *row, id string) *core.AddApp {
	app := &core.AddApp{ID: r.text(j.app), Queue: r.text(j.queue), User: r.text(j.user), Groups: r.list(j.groups)}
	if app.ID == "" {
		app.ID = id
	}
	if app.Queue == "" {
		app.Queue = usualQueue
	}
	if r.errs == nil && !r.sink.Queues.Use(app.Queue) {
		r.fail(j.queue, j.queue.at, importing.QueueSyntax, app.Queue)
	}
	for _, f := range j.tags {
		if text := r.text(f); text != "" {
			set(&app.Tags, f.typ, text)
		}
	}
	return app
}

func (j *job) ask(r *row, id, app string) journal.Entry {
	in := &core.AddAsk{ID: id, App: app, Resources: r.amounts(j.resources)}
	e := journal.Entry{Input: core.Input{Event: in}}
	e.Count = int(r.integer(j.count, 1, 0, mostCount))
	ask := &in.Ask
	ask.Priority = int32(r.integer(j.priority, 0, math.MinInt32, math.MaxInt32))
	ask.Node = r.text(j.node)
	for _, f := range j.constraints {
		if values := r.list(f); values != nil {
			if ask.Constraints == nil {
				ask.Constraints = map[string][]string{}
			}
			ask.Constraints[f.typ] = values
		}
	}
	ask.Walltime = r.walltime(j.walltime)
	e.Numbered = e.Count > 1
	ask.Gang, ask.Topology = r.gang(&j.gang, id, e.Count), r.topology(j.required, j.preferred)
	if ask.Gang != nil {
		ask.Topology.Slice = r.slice(&j.gang)
	}
	ask.Movable = r.word(j.movable, "true", "false") == "true"
	return e
}

// time reads a time; a field that is not mapped is 0.
func (r *row) time(f *bound) time.Duration {
	if f == nil {
		return 0
	}
	text := r.text(f)
	at, ok := r.m.clock.read(text)
	if !ok {
		r.fail(f, f.at, r.m.clock.expected(), text)
	}
	return at
}

// runs reads how long a job runs, if that is known.
func (r *row) runs(j *job) (time.Duration, bool) {
	switch {
	case j.run != nil:
		return r.duration(j.run)
	case j.start == nil || r.text(j.start) == "" || r.text(j.end) == "":
		return 0, false
	}
	before := len(r.errs)
	start, end := r.time(j.start), r.time(j.end)
	if len(r.errs) == before && end < start {
		r.fail(j.end, j.end.at, "a time not before "+j.start.key, r.text(j.end))
	}
	return end - start, true
}

// walltime reads how long an allocation promises to run at most; 0: the row does not say.
func (r *row) walltime(f *bound) time.Duration {
	d, given := r.duration(f)
	if given && d == 0 {
		r.fail(f, f.at, "a duration above zero", r.text(f))
	}
	return d
}

// duration reads a duration, and reports whether there is one.
func (r *row) duration(f *bound) (time.Duration, bool) {
	text := r.text(f)
	if text == "" {
		return 0, false
	}
	d, ok := duration(text, units[f.unit])
	if !ok {
		r.fail(f, f.at, "a duration of zero or more: a number of "+f.unit+", 1h30m or 1-12:30:00", text)
	}
	return d, true
}
