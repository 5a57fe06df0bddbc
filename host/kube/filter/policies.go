package filter

import (
	"errors"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/server"
)

// Policies has the predicates of pods answered for, beside what answers for policy modules and for other predicates.
func (f *Filters) Policies(each func(decides bool) server.Policies) func(decides bool) server.Policies {
	return func(decides bool) server.Policies {
		p := each(decides)
		if !decides {
			return &explaining{p, f}
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.begin()
		return &answering{Policies: p, filters: f}
	}
}

// explaining has words for a scheduler that answers readers.
type explaining struct {
	server.Policies
	filters *Filters
}

// Options implements server.Policies.
func (e *explaining) Options() core.Options { return e.filters.worded(e.Policies.Options()) }

// worded has explanations say what keeps a pod off a node.
func (f *Filters) worded(o core.Options) core.Options {
	others := o.Words
	o.Words = func(predicate string, code float64) string {
		switch {
		case Owns(predicate):
			f.mu.Lock()
			defer f.mu.Unlock()
			return f.sentences.text(code)
		case others != nil:
			return others(predicate, code)
		}
		return ""
	}
	return o
}

// answering answers for the scheduler that decides, once it has recovered.
type answering struct {
	server.Policies
	filters *Filters
	serves  bool
}

// Serve implements server.Policies.
func (a *answering) Serve() {
	a.serves = true
	a.Policies.Serve()
}

// Options implements server.Policies.
func (a *answering) Options() core.Options {
	o := a.filters.worded(a.Policies.Options())
	others, tell := o.Evaluator, o.Placements
	o.Evaluator = func(m core.Announcement) policy.Evaluator {
		switch {
		case m.SHA256 == "" && m.Manifest == "" && Owns(m.Name):
			a.filters.askAgain(m.Name)
			return &predicate{a, m.Name}
		case others == nil:
			return nil
		}
		return others(m)
	}
	o.Placements = func(p core.Placed) {
		a.filters.placed(&p)
		if tell != nil {
			tell(p)
		}
	}
	return o
}

// predicate answers for a class of pods.
type predicate struct {
	*answering
	name string
}

// errRecorded is why plugins are not asked while the scheduler recovers.
var errRecorded = errors.New("the record has no answer of the predicate")

// goneCode is for a predicate whose pods are all gone. Their asks will be soon.
const goneCode = firstCode + mostSentences + 1

// Eval implements policy.Evaluator.
func (p *predicate) Eval(b *policy.Batch) error {
	if !p.serves {
		return errRecorded
	}
	f := p.filters
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.classes[p.name]
	if c == nil {
		for _, row := range b.Rows {
			b.Out[int(row)*b.Keys] = goneCode
		}
		return nil
	}
	nodes := make([]string, len(b.Rows))
	for i, row := range b.Rows {
		nodes[i] = b.Items.Name(row)
	}
	return f.judgeWithout(c, b.Gone, nodes, func(i int, against *fwk.Status) {
		answer := f.sentences.answer(against)
		if len(b.Gone) == 0 {
			answer = c.answer(answer, len(f.cluster.nodes))
		}
		b.Out[int(b.Rows[i])*b.Keys] = answer
	})
}
