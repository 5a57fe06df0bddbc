package node

// Cursor remembers how far a reader has read the changes of a pool; the zero Cursor has read nothing.
type Cursor struct {
	era  uint64
	read int
}

// Changed says that anything about the node changed that orders and searches look at.
func (p *Pool) Changed(n *Node) {
	p.unfilled++
	p.Filled(n)
}

// Emptied is Changed where all that changed is that an allocation on the node has ended.
func (p *Pool) Emptied(n *Node) {
	p.emptied++
	p.Filled(n)
}

// Filled is Changed where all that changed is that the node has taken an allocation.
func (p *Pool) Filled(n *Node) {
	p.scoring.touch(n.Slot)
	p.log = append(p.log, n.Slot)
	if len(p.log) > p.longestLog() {
		p.sync()
		p.restartLog()
		p.read = Cursor{p.era + 1, 0}
	}
}

// longestLog is how long the log may become before its readers rather look at every node.
func (p *Pool) longestLog() int { return 4*len(p.nodes.Items) + 1024 }

// restartLog restarts the log: every reader has to look at every node.
func (p *Pool) restartLog() { p.log, p.era = p.log[:0], p.era+1 }

// Changes returns the slots that changed since the cursor last read, some of them perhaps free by now. all reports that
// they cannot be told: then every slot may have changed. The slice is the pool's own.
func (p *Pool) Changes(c *Cursor) (slots []int32, all bool) {
	if c.era != p.era+1 { // 0 is before any era
		c.era, c.read = p.era+1, len(p.log)
		return nil, true
	}
	slots = p.log[c.read:]
	c.read = len(p.log)
	return slots, false
}

// Slots is one more than the largest slot that was ever in use.
func (p *Pool) Slots() int { return len(p.nodes.Items) }
