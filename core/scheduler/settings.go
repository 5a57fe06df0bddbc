package scheduler

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/state"
)

// Configuration is the configuration in force. It is never changed.
func (s *Scheduler) Configuration() *config.Config {
	c := &config.Config{}
	for _, p := range s.partitions {
		c.Partitions = append(c.Partitions, p.state.Conf)
	}
	return c
}

// QueueSettings are the settings in force in a queue, those of a dynamic or draining one, too; nil: no queue has the path, which is
// as in ExplainQueue. They are never changed.
func (s *Scheduler) QueueSettings(path string) *config.Queue {
	partition, path := core.SplitPath(path)
	st := s.shared.PartitionNamed(partition)
	if st == nil || st.ByPath[path] == nil {
		return nil
	}
	return st.ByPath[path].Conf
}

// TypesOf calls yield with the resource types that an event names, also in tags that set quotas. It does not read configurations.
func TypesOf(e core.Event, yield func(string) bool) { state.TypesOf(e, yield) }
