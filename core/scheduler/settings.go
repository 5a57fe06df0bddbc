package scheduler

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// Configuration returns the configuration in force. It is immutable.
func (s *Scheduler) Configuration() *config.Config {
	c := &config.Config{}
	for _, p := range s.partitions {
		conf := p.state.Conf()
		c.Partitions = append(c.Partitions, &conf)
	}
	return c
}

// QueueSettings returns the immutable settings in force for a queue, which may be dynamic or draining, or nil if no queue has the path.
// The path has the form of ExplainQueue's.
func (s *Scheduler) QueueSettings(path string) *config.Queue {
	partition, path := core.SplitPath(path)
	st := s.shared.PartitionNamed(partition)
	if st == nil {
		return nil
	}
	q := st.Queues().Find(path)
	if q == queues.None {
		return nil
	}
	return st.Queues().Conf(q)
}

// TypesOf calls yield with the resource types that an event names, including those in tags that set quotas. It does not read
// configurations.
func TypesOf(e core.Event, yield func(string) bool) { state.TypesOf(e, yield) }
