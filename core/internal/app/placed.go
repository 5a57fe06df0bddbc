package app

// FirstPlaced returns the oldest allocation, or none.
func (a *application) FirstPlaced() Ask { return a.asks.At(a.placed.first) }

// NextOfApp returns the next younger allocation of the same application, or none.
func (a Ask) NextOfApp() Ask { return a.in.At(a.order().next) }

// FirstOn returns the oldest allocation on a node, or none.
func (s *reader) FirstOn(node int32) Ask {
	if int(node) >= len(s.onNode) {
		return Ask{}
	}
	return s.At(s.onNode[node].first)
}

// NextOnNode returns the next younger allocation on the same node, or none.
func (a Ask) NextOnNode() Ask { return a.in.At(a.order().nextOnNode) }

// AddPlaced lists a new allocation on a node after all others there and of its application.
func (a *Record) AddPlaced(ask Ask, node int32) {
	in, o := a.asks, ask.order()
	o.prev, o.next, o.nextOnNode = a.placed.last, NoSlot, NoSlot
	if o.prev != NoSlot {
		in.order(o.prev).next = ask.slot
	} else {
		a.placed.first = ask.slot
	}
	a.placed.last = ask.slot
	for int(node) >= len(in.onNode) {
		in.onNode = append(in.onNode, nodeList{})
	}
	l := &in.onNode[node]
	if o.prevOnNode = l.last; l.last != NoSlot {
		in.order(l.last).nextOnNode = ask.slot
	} else {
		l.first = ask.slot
	}
	l.last = ask.slot
}

// RemovePlaced takes an allocation that ends from the lists.
func (a *Record) RemovePlaced(ask Ask, node int32) {
	in := a.asks
	a.placed.remove(in, ask.slot)
	l, o := &in.onNode[node], ask.order()
	if o.prevOnNode != NoSlot {
		in.order(o.prevOnNode).nextOnNode = o.nextOnNode
	} else {
		l.first = o.nextOnNode
	}
	if o.nextOnNode != NoSlot {
		in.order(o.nextOnNode).prevOnNode = o.prevOnNode
	} else {
		l.last = o.prevOnNode
	}
	o.prevOnNode, o.nextOnNode = NoSlot, NoSlot
}

// nodeList is a doubly linked list of the allocations on a node, in order. Its links are in the orders of the asks.
type nodeList struct{ first, last Slot }
