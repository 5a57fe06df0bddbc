package state

import (
	"crypto/sha256"
	"fmt"
	"io"
	"slices"

	"github.com/quern-project/quern/core"
)

// WriteSnapshot writes the snapshot that the state would have written when it was frozen. It encodes nodes and asks one by one, so that
// memory does not grow with the size of the snapshot.
func (f *Frozen) WriteSnapshot(to io.Writer) error {
	hash := sha256.New()
	all := io.MultiWriter(to, hash)
	if _, err := io.WriteString(all, snapshotHeadLine); err != nil {
		return err
	}
	if err := f.read(core.Options{}).encodeTo(all); err != nil {
		return err
	}
	if _, err := io.WriteString(all, "\n"); err != nil {
		return err
	}
	_, err := fmt.Fprintf(to, "%x\n", hash.Sum(nil))
	return err
}

// encodeTo writes the content that snapshot.encode writes, for a state without unfinished searches.
func (c *Shared) encodeTo(to io.Writer) error {
	w := newObjectWriter(to)
	w.open("", '{')
	w.members(c.rememberHead())
	c.partitions[0].encodeTo(w)
	if others := c.partitions[1:]; len(others) > 0 {
		w.open("Others", '[')
		for _, s := range others {
			w.open("", '{')
			s.encodeTo(w)
			w.close('}')
		}
		w.close(']')
	}
	w.close('}')
	return w.err
}

func (s *State) encodeTo(w *objectWriter) {
	m := s.remember(false)
	w.members(m.partitionHead)
	nodes := s.finder.Sorted()
	writeList(w, "Nodes", nodes.Len(), func(i int) nodeMemory { return s.rememberNode(nodes.At(i)) })
	writeList(w, "Apps", len(m.Apps), func(i int) appMemory { return m.Apps[i] })
	asks := slices.Collect(s.orders.All)
	sortBySeq(asks)
	writeList(w, "Asks", len(asks), func(i int) askMemory { return s.rememberAsk(asks[i]) })
	w.members(m.partitionTail)
}
