package si

import (
	"cmp"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/server"
)

// batch is what a message comes to. A request takes so many inputs at most: a message with more comes to several, of which each is applied as a whole,
// one after the other.
type batch struct{ parts []*part }

// part is the inputs of a request, and what is to be done once they are answered.
type part struct {
	inputs []core.Input
	after  []func(*outcome)
}

// add adds inputs that belong into one request.
func (b *batch) add(inputs ...core.Input) {
	if n := len(b.parts); n == 0 || len(b.parts[n-1].inputs)+len(inputs) > server.RequestInputs {
		b.parts = append(b.parts, &part{})
	}
	last := b.parts[len(b.parts)-1]
	last.inputs = append(last.inputs, inputs...)
}

// then has something done with the outcome of what was added last, under the lock of the service.
func (b *batch) then(do func(*outcome)) {
	last := b.parts[len(b.parts)-1]
	last.after = append(last.after, do)
}

// outcome is the result of the inputs of a part.
type outcome struct {
	err     error         // why none was applied
	at      time.Duration // when they were
	refused map[refused]string
}

// refused is an input that was refused: the type of the decision that says so, or of the input that was ignored, and the ID.
type refused struct{ what, id string }

// tooManyNames is the reason of inputs that were left out.
const tooManyNames = "too-many-names: "

// rejections are the decisions that refuse inputs of a type. Others are ignored.
var rejections = map[core.InputType]core.DecisionType{
	core.NodeAdd: core.NodeRejected, core.AppAdd: core.AppRejected, core.AskAdd: core.AskRejected, core.AllocationRestore: core.AskRejected,
}

// outcomeOf reads the answer to the inputs of a part.
func outcomeOf(inputs []core.Input, given *server.Answer, err error) (*outcome, error) {
	o := &outcome{err: err, at: given.At, refused: map[refused]string{}}
	if err != nil {
		return o, nil
	}
	for _, e := range given.Omitted {
		in := &inputs[e.Input-1]
		o.refused[refused{cmp.Or(string(rejections[in.Type()]), string(in.Type())), in.ID()}] = tooManyNames + e.Detail
	}
	for i := range given.Decisions {
		d, err := given.Decisions[i].Value()
		if err != nil {
			return o, err
		}
		what := string(d.Type)
		switch d.Type {
		case core.AppRejected, core.NodeRejected, core.AskRejected:
		case core.Ignored:
			what = string(d.Input)
		default:
			continue
		}
		o.refused[refused{what, d.ID}] = string(d.Reason) + ": " + d.Message
	}
	return o, nil
}

// rejected returns why the decision of a type refuses an ID, empty if none does.
func (o *outcome) rejected(t core.DecisionType, id string) string {
	return o.refused[refused{string(t), id}]
}

// ignored returns why an input was ignored, empty if it was not.
func (o *outcome) ignored(t core.InputType, id string) string {
	return o.refused[refused{string(t), id}]
}
