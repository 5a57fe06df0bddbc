package node

import "github.com/quern-project/quern/core/internal/readonly"

// Cursor is a reader's position in the change log of a finder. The zero Cursor has read nothing.
type Cursor struct {
	era  uint64
	read int
}

// Changed reports a change of a node to the finder. Call it after any change of a node that Emptied and Filled do not cover.
func (p Updater) Changed(slot int32) {
	p.otherChanges++
	p.Filled(slot)
}

// Emptied is Changed for nodes on which only an allocation has ended.
func (p Updater) Emptied(slot int32) {
	p.releases++
	p.Filled(slot)
}

// Filled is Changed for nodes that have only received an allocation.
func (p Updater) Filled(slot int32) {
	p.scoring.touch(slot)
	p.log = append(p.log, slot)
	if len(p.log) > p.longestLog() {
		p.sync()
		p.restartLog()
		p.read = Cursor{p.era + 1, 0}
	}
}

// longestLog is the length from which it is cheaper for readers to read every node.
func (p *finder) longestLog() int { return 4*p.Slots() + 1024 }

// restartLog empties the log. All readers then have to read every node.
func (p *finder) restartLog() { p.log, p.era = p.log[:0], p.era+1 }

// Changes returns the slots that changed since the cursor's last call; some may be free meanwhile. If all is true, the log was
// restarted and any slot may have changed.
func (p *finder) Changes(c *Cursor) (slots readonly.List[int32], all bool) {
	list, all := p.changes(c)
	return readonly.Of(list), all
}

// changes is Changes for the finder itself.
func (p *finder) changes(c *Cursor) (slots []int32, all bool) {
	if c.era != p.era+1 { // cursors store era+1, so that the zero Cursor has read nothing
		c.era, c.read = p.era+1, len(p.log)
		return nil, true
	}
	slots = p.log[c.read:]
	c.read = len(p.log)
	return slots, false
}
