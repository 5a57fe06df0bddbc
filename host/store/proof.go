package store

import "fmt"

// proof is what shows, beside the batches themselves, how far a record was acknowledged: a batch that it names and that is not there was
// lost, and is no tear.
type proof struct {
	batch uint64 // acknowledged at least
	file  string // that shows it

	marked bool // by the file for it, which says:
	mark   acknowledged
	writes uint64
	first  uint64 // batch that was not compacted; 0: not known
}

// readProof reads the file that says how far the record was acknowledged.
func (l *Log) readProof(found *Opened) (p proof, err error) {
	p.mark, p.writes, p.marked, found.Unmarked, err = readMark(l.disk)
	if p.marked {
		p.first = p.mark.first
		p.raise(p.mark.Batch, markName)
	}
	return p, err
}

// raise adds that a file shows a batch to have been acknowledged.
func (p *proof) raise(batch uint64, file string) {
	if batch > p.batch {
		p.batch, p.file = batch, file
	}
}

// segments adds what the beginnings of segments show: each begins when what is before it is durable.
func (p *proof) segments(list []*segment) {
	for _, s := range list {
		p.raise(s.after.Batch, s.name)
	}
}

// snapshots adds what the names of snapshots show: a state has only what is durable, also one that cannot be read. It returns the hashes of
// their batches, as far as they can be read.
func (p *proof) snapshots(d Disk, names []string) map[uint64]Hash {
	hashes := map[uint64]Hash{}
	for _, batch := range snapshotsIn(names) {
		p.raise(batch, snapshotName(batch))
		if at, err := snapshotPosition(d, batch); err == nil {
			hashes[batch] = at.Hash
		}
	}
	return hashes
}

// compare compares a batch at an offset with what the mark and the snapshot say of it.
func (p *proof) compare(s *segment, offset int64, at, snapshot Position) error {
	if at.Batch == snapshot.Batch && !agree(at.Hash, snapshot.Hash) {
		return anotherRecord(s.name, offset, at.Batch)
	}
	if p.marked && at.Batch == p.mark.Batch && !agree(at.Hash, p.mark.Hash) {
		return &DamageError{File: s.name, Offset: offset, Problem: fmt.Sprintf("batch %d is not the one that %s names as acknowledged: one of these files is of another record", at.Batch, markName)}
	}
	return nil
}

// check returns the damage, with what shows it, if the record ends before what was acknowledged.
func (p *proof) check(end uint64, damage *DamageError) error {
	if end >= p.batch {
		return nil
	}
	damage.Problem += fmt.Sprintf(", and %s shows that batch %d was acknowledged", p.file, p.batch)
	return damage
}

// lost says that a batch which was acknowledged is not there.
func (p *proof) lost(s *segment, offset int64, number uint64, kind found) error {
	problem := "is missing"
	switch kind {
	case aTear:
		problem = "is incomplete"
	case aDamage:
		problem = "is damaged"
	case aStranger:
		return s.damaged(offset, number, kind)
	}
	return p.check(number-1, &DamageError{File: s.name, Offset: offset, Problem: fmt.Sprintf("batch %d %s", number, problem)})
}
