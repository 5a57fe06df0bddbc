package rpc

import (
	"io"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// inputs is the journal of a session: what was applied, and behind it what is to come. It is the player's source.
type inputs struct {
	list   []*journal.Entry
	next   int // the first that was not applied, or whose count was not to its end
	form   journal.Form
	inputs int // asks of a count one by one
	size   int // bytes, about
	served int // recorded answers of policies: a scheduler from a snapshot would ask in another order
}

// Peek implements journal.Lookahead.
func (in *inputs) Peek() (*journal.Entry, error) {
	if in.next == len(in.list) {
		return nil, io.EOF
	}
	return in.list[in.next], nil
}

// Skip implements journal.Lookahead.
func (in *inputs) Skip() { in.next++ }

// insert puts entries behind what was applied, by time, and behind what has their time already.
func (in *inputs) insert(entries []journal.Entry, count, size int, form journal.Form) []piece {
	in.form = form
	in.inputs += count
	in.size += size
	rest := slices.Clone(in.list[in.next:])
	in.list = in.list[:in.next]
	var pieces []piece
	for i := range entries {
		e := &entries[i]
		if e.Input.Type() == core.PolicyAnswers {
			in.served++
		}
		for len(rest) > 0 && rest[0].Input.At <= e.Input.At {
			in.list, rest = append(in.list, rest[0]), rest[1:]
		}
		if last := len(pieces) - 1; last >= 0 && pieces[last].From+pieces[last].Lines == len(in.list) {
			pieces[last].Lines++
		} else {
			pieces = append(pieces, piece{len(in.list), 1})
		}
		in.list = append(in.list, e)
	}
	in.list = append(in.list, rest...)
	return pieces
}

// truncate drops what was not applied. Of a count that is under way, given asks stay.
func (in *inputs) truncate(given int) {
	kept := in.list[:in.next]
	if given > 0 {
		half := *in.list[in.next]
		half.Count = given
		kept = append(kept, &half)
	}
	clear(in.list[len(kept):])
	in.list = kept
	in.inputs, in.served, in.size = 0, 0, 0
	for _, e := range in.list {
		in.inputs += e.Count
		in.size += 128
		if e.Input.Type() == core.PolicyAnswers {
			in.served++
		}
	}
}
