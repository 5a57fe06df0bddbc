package view

// An Inbox keeps handovers of at most so many bytes, and so many: readers may hold the view while the loop continues. 64 MiB are about a second of
// a busy loop.
const (
	MostHandovers = 10_000
	MostBytes     = 64 << 20
)

// Inbox keeps handovers for the view, up to a bound. Beyond that it drops them and keeps only the batch up to which the view must read the record.
type Inbox struct {
	list  []*Handover
	bytes int
	rest  *Remainder

	Most int // handovers; 0: MostHandovers
}

// Remainder says which batches after the handovers of an inbox the view must read from the record.
type Remainder struct {
	Last  uint64 // batch; 0: there is none
	Quiet Quiet  // after it
}

// Put adds a handover.
func (i *Inbox) Put(h *Handover) {
	size, most := h.size(), i.Most
	if most == 0 {
		most = MostHandovers
	}
	if i.rest == nil && (len(i.list) == 0 || len(i.list) < most && i.bytes+size <= MostBytes) {
		i.list, i.bytes = append(i.list, h), i.bytes+size
		return
	}
	if i.rest == nil {
		i.rest = &Remainder{}
	}
	i.rest.Last, i.rest.Quiet = max(i.rest.Last, h.At.Batch), h.Quiet
}

// Take returns what was put since the last call. The rest is nil if all handovers were kept.
func (i *Inbox) Take() (list []*Handover, rest *Remainder) {
	list, rest = i.list, i.rest
	i.list, i.bytes, i.rest = nil, 0, nil
	return list, rest
}

// Kept returns how many handovers wait to be taken, and about how many bytes they take.
func (i *Inbox) Kept() (n, bytes int) { return len(i.list), i.bytes }

// eventBytes is about how much memory an input or a decision takes beside its line in the payload: its value, and its amounts. stepBytes is that of a step.
const (
	eventBytes = 400
	stepBytes  = 40
)

// size is about how many bytes a handover takes.
func (h *Handover) size() int {
	return len(h.Payload) + eventBytes*(len(h.Inputs)+len(h.Decisions)) + stepBytes*len(h.Steps)
}
