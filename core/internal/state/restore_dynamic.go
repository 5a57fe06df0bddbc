package state

import (
	"errors"
	"fmt"
	"strings"

	"github.com/quern-project/quern/core/internal/placement"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// dynamic restores the queues that placement rules have made.
func (r restorer) dynamic() error {
	s := r.s
	for i := range r.m.Dynamic {
		d := &r.m.Dynamic[i]
		if err := r.addDynamic(d); err != nil {
			return fmt.Errorf("dynamic queue %q: %w", d.Path, err)
		}
	}
	for _, d := range r.m.Dynamic {
		if q := s.Queues().Find(d.Path); !s.Queues().IsLeaf(q) && s.Queues().NumChildren(q) == 0 {
			return fmt.Errorf("dynamic queue %q: expected a queue below it", d.Path)
		}
	}
	return nil
}

func (r restorer) addDynamic(d *dynamicQueue) error {
	s := r.s
	if !placement.ValidPath(d.Path) && d.Path != placement.RecoveryPath {
		return errors.New("expected the full name of a queue")
	}
	last := strings.LastIndexByte(d.Path, '.')
	tree := s.Queues()
	above := tree.Find(d.Path[:last])
	if tree.Find(d.Path) != queues.None || above == queues.None || tree.IsLeaf(above) {
		return errors.New("expected a parent above, and no other queue of its name")
	}
	memory, err := r.dynamicLeaf(d.Leaf, d.Quota)
	if err != nil {
		return err
	}
	if d.Path == placement.RecoveryPath && (!d.Leaf || d.Quota != nil) || !d.Leaf && d.Empty != nil {
		return errors.New("expected tags and a time of the last application of ordinary leaves alone")
	}
	name := d.Path[last+1:]
	conf := s.settingsOf(name, above, memory)
	s.admit(conf.Guaranteed, conf.Max)
	s.attach(conf, above, memory, false)
	return nil
}

// dynamicLeaf returns the dynamic properties of a leaf, or nil for a parent.
func (r restorer) dynamicLeaf(leaf bool, quota *placement.Quota) (*dynamicLeaf, error) {
	if quota == nil {
		quota = &placement.Quota{}
	}
	if !leaf {
		if !quota.IsEmpty() {
			return nil, errors.New("expected no tags of a parent")
		}
		return nil, nil
	}
	for _, set := range []*resource.Set{quota.Max, quota.Guaranteed} {
		if set != nil {
			if err := positive(*set); err != nil {
				return nil, err
			}
		}
	}
	return &dynamicLeaf{quota: *quota}, nil
}

// empty checks that exactly the dynamic leaves without applications are recorded as empty, and restores their timers.
func (r restorer) empty() error {
	s := r.s
	for _, d := range r.m.Dynamic {
		q := s.Queues().Find(d.Path)
		if !s.Queues().IsLeaf(q) {
			continue
		}
		if (d.Empty != nil) != (s.Queues().Live(q) == 0) {
			return fmt.Errorf("dynamic queue %q: expected applications, or a time since when it has none", d.Path)
		}
		if d.Empty != nil {
			if *d.Empty > r.all.Now || emptyPeriod.After(*d.Empty) <= r.all.Now {
				return fmt.Errorf("dynamic queue %q: expected it empty for less than %s, found since %s", d.Path, emptyPeriod, *d.Empty)
			}
			s.setEmpty(s.leaves[q], *d.Empty)
		}
	}
	for _, d := range r.m.Draining {
		if d.Dynamic && s.Queues().Live(s.Queues().Find(d.Conf.Path)) == 0 {
			return fmt.Errorf("draining queue %q: expected an application in it", d.Conf.Path)
		}
	}
	return nil
}
