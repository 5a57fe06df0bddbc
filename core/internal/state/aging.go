package state

import (
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/decay"
	"github.com/quern-project/quern/core/internal/state/aged"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// aging holds the aged usage of a partition, and which queues have records. Everything but the ledger follows from it and the queues.
type aging struct {
	on      bool // some queue or user has a record
	ledger  *aged.Ledger
	ofQueue []aged.ID      // by queue
	byUser  []bool         // by queue: it is a leaf that sorts by users
	ahead   []decay.Factor // by queue: the weight of aged usage in its order
	orders  []agedOrder
	next    time.Duration // the first instant at which an order may follow aged usage again
}

// agedOrder is a queue whose order follows aged usage: that of its children or, in a leaf, that of its users.
type agedOrder struct {
	queue    queues.ID
	halfLife instant.Delay
	multiple time.Duration // the last that the change log has
}

// Aged returns a view of the aged usage.
func (s *State) Aged() aged.View { return s.aging.ledger.View() }

// AgedOf returns the record of a queue, or aged.None if its usage does not age.
func (s *State) AgedOf(q queues.ID) aged.ID {
	if int(q) >= len(s.aging.ofQueue) {
		return aged.None
	}
	return s.aging.ofQueue[q]
}

// AgedUser returns the record of a user in a leaf, or aged.None.
func (s *State) AgedUser(leaf queues.ID, user string) aged.ID {
	return s.Aged().Find(s.userIn(leaf, user))
}

func (s *State) userIn(leaf queues.ID, user string) aged.Name {
	return aged.Name{Path: s.Queues().Path(leaf), User: user, OfUser: true}
}

// UserUsage returns the usage by which a leaf's order compares a user now. ok is false if the user has used nothing.
func (s *State) UserUsage(leaf queues.ID, user string) (r aged.Reader, ok bool) {
	id := s.AgedUser(leaf, user)
	if id == aged.None {
		return r, false
	}
	return s.Aged().Shown(id, s.now, s.aging.ahead[leaf]), true
}

// ShownUsage returns the usage by which a queue's parent orders it. Its usage must age.
func (s *State) ShownUsage(q queues.ID) aged.Reader {
	return s.Aged().Shown(s.aging.ofQueue[q], s.now, s.aging.ahead[s.Queues().Parent(q)])
}

// lookAhead returns the weight of aged usage in an order.
func lookAhead(conf *config.Queue) decay.Factor {
	if conf.HalfLife == 0 {
		return decay.Factor{}
	}
	return decay.Over(uint64(conf.LookAhead()), int64(conf.HalfLife))
}

// countUse adds an application's demand to the aging usage of its user and of the queues from its leaf up to an ancestor, or subtracts it.
func (s *State) countUse(a app.App, leaf, ancestor queues.ID, demand resource.Amounts, comes bool) {
	change := s.aging.ledger.Use
	if !comes {
		change = s.aging.ledger.Free
	}
	for q := leaf; q != ancestor; q = s.Queues().Parent(q) {
		if id := s.aging.ofQueue[q]; id != aged.None {
			change(id, s.now, demand)
		}
	}
	if s.aging.byUser[leaf] {
		change(s.recordOfUser(leaf, a.User()), s.now, demand)
	}
}

// recordOfUser returns the record of a user in a leaf that sorts by users.
func (s *State) recordOfUser(leaf queues.ID, user string) aged.ID {
	name := s.userIn(leaf, user)
	if id := s.Aged().Find(name); id != aged.None {
		return id
	}
	s.dropOutdated()
	return s.aging.ledger.Start(name, s.Queues().Conf(leaf).HalfLife, s.now)
}

// fewRecords is the number of records from which outdated ones are removed whenever as many as are in use have been added.
const fewRecords = 64

// dropOutdated removes records that count no more, once in a while.
func (s *State) dropOutdated() {
	v := s.Aged()
	if n := v.Len(); n < fewRecords || n&(n-1) != 0 {
		return
	}
	for _, id := range v.All() {
		if v.Outdated(id, s.now) {
			s.aging.ledger.Remove(id)
		}
	}
}

// renewAging adopts the half-lives of a rebuilt tree.
func (s *State) renewAging() {
	tree, l := s.Queues(), s.aging.ledger
	before := s.aging.byUser
	s.indexAging()
	for q := range tree.All {
		s.ageQueue(q)
		if s.aging.byUser[q] && (int(q) >= len(before) || !before[q]) {
			for a := range s.leaves[q].Apps {
				if a.Allocations() > 0 {
					l.Use(s.recordOfUser(q, a.User()), s.now, a.Used().Amounts())
				}
			}
		}
	}
	for _, id := range s.Aged().All() {
		s.renewRecord(id)
	}
	s.indexAging()
}

// ageQueue gives a queue of the tree the record that it should have, if any. If it is new, aged usage is 0 now.
func (s *State) ageQueue(q queues.ID) {
	tree, l := s.Queues(), s.aging.ledger
	s.growAging(q)
	if tree.Parent(q) == queues.None || tree.Conf(tree.Parent(q)).HalfLife == 0 {
		return
	}
	name := aged.Name{Path: tree.Path(q)}
	id := s.Aged().Find(name)
	if id == aged.None {
		id = l.Start(name, tree.Conf(tree.Parent(q)).HalfLife, s.now)
		l.Use(id, s.now, tree.AllUsed(q).Amounts())
	}
	l.Return(id, s.now)
	s.aging.ofQueue[q], s.aging.on = id, true
}

// renewRecord adopts the half-life that is in force for a record after a reload, or removes it.
func (s *State) renewRecord(id aged.ID) {
	l, name := s.aging.ledger, s.Aged().Name(id)
	decides := s.Queues().Find(decidingPath(name))
	if !name.OfUser && s.Queues().Find(name.Path) == queues.None {
		l.Leave(id, s.now)
	}
	if decides == queues.None {
		return // it keeps its half-life until the queue is there again
	}
	conf := s.Queues().Conf(decides)
	if name.OfUser && !s.comparesUsers(conf) || !name.OfUser && (conf.Leaf || conf.HalfLife == 0) {
		l.Remove(id)
		return
	}
	l.SetHalfLife(id, conf.HalfLife, s.now)
}

// decidingPath returns the queue whose half-life applies to a record.
func decidingPath(name aged.Name) string {
	if name.OfUser {
		return name.Path
	}
	return name.Path[:max(0, strings.LastIndexByte(name.Path, '.'))]
}

// indexAging makes what follows from the ledger and the tree.
func (s *State) indexAging() {
	tree := s.Queues()
	s.aging = aging{ledger: s.aging.ledger}
	for q := range tree.All {
		s.growAging(q)
		if parent := tree.Parent(q); parent != queues.None && tree.Conf(parent).HalfLife > 0 {
			s.aging.ofQueue[q] = s.Aged().Find(aged.Name{Path: tree.Path(q)})
		}
		s.indexOrder(q, tree.Conf(q))
	}
}

func (s *State) growAging(q queues.ID) {
	s.aging.ofQueue, s.aging.byUser, s.aging.ahead = GrowToQueue(s.aging.ofQueue, q), GrowToQueue(s.aging.byUser, q), GrowToQueue(s.aging.ahead, q)
}

// indexOrder lists a queue if its order follows aged usage.
func (s *State) indexOrder(q queues.ID, conf *config.Queue) {
	s.aging.byUser[q], s.aging.ahead[q] = s.comparesUsers(conf), lookAhead(conf)
	s.aging.on = s.aging.on || s.aging.byUser[q] || conf.HalfLife > 0 && !conf.Leaf
	if conf.HalfLife > 0 && (!conf.Leaf || s.aging.byUser[q]) {
		s.aging.orders = append(s.aging.orders, agedOrder{q, conf.HalfLife, aged.Multiple(s.now, conf.HalfLife)})
		s.aging.next = s.now // found by the next advanceAging
	}
}

// queueAdded gives a dynamic queue its record.
func (s *State) queueAdded(q queues.ID) {
	s.growAging(q)
	if s.aging.ofQueue[q] = aged.None; s.aging.on || s.Queues().Conf(q).HalfLife > 0 || s.comparesUsers(s.Queues().Conf(q)) {
		s.ageQueue(q)
		s.indexOrder(q, s.Queues().Conf(q))
	}
}

// queueEnded keeps the aged usage of a queue that has left the tree.
func (s *State) queueEnded(q queues.ID) {
	if !s.aging.on {
		return
	}
	if id := s.aging.ofQueue[q]; id != aged.None {
		s.aging.ledger.Leave(id, s.now)
	}
	s.aging.ofQueue[q], s.aging.byUser[q] = aged.None, false
	s.aging.orders = slices.DeleteFunc(s.aging.orders, func(o agedOrder) bool { return o.queue == q })
	s.dropOutdated()
}

// advanceAging records which orders follow aged usage again, since a multiple of their period has passed.
func (s *State) advanceAging() {
	if len(s.aging.orders) == 0 || s.now < s.aging.next {
		return
	}
	s.aging.next = instant.Never
	for i := range s.aging.orders {
		o := &s.aging.orders[i]
		if multiple := aged.Multiple(s.now, o.halfLife); multiple != o.multiple {
			o.multiple = multiple
			s.note(UsageAged).queue = o.queue
		}
		s.aging.next = min(s.aging.next, instant.Add(o.multiple, aged.Period(o.halfLife)))
	}
}

// comparesUsers reports whether the order of applications in a leaf follows the usage of users: fair-users, or a module that reads it.
func (s *State) comparesUsers(conf *config.Queue) bool {
	if !conf.Leaf || conf.SortsUsers() {
		return conf.SortsUsers()
	}
	m := s.modules.announced[conf.AppSort]
	return m != nil && !m.gone && m.Points[policy.AppOrder].Reads(policy.ColumnKind.Ages)
}

// ComparesUsers is comparesUsers for a queue of the tree.
func (s *State) ComparesUsers(q queues.ID) bool {
	return int(q) < len(s.aging.byUser) && s.aging.byUser[q]
}

// policyReplaced adopts what a policy that has come or gone reads of users.
func (s *State) policyReplaced() {
	for q := range s.Queues().All {
		if s.ComparesUsers(q) != s.comparesUsers(s.Queues().Conf(q)) {
			s.renewAging()
			return
		}
	}
}

// AgesQueues reports whether the usage of some queue ages.
func (s *State) AgesQueues() bool {
	return slices.ContainsFunc(s.aging.orders, func(o agedOrder) bool { return !s.Queues().IsLeaf(o.queue) })
}

// AgedShare returns the largest share, in billionths, of the usage by which a queue's parent orders it. It is 0 if that usage does not age.
func (s *State) AgedShare(q queues.ID) (largest int64) {
	if s.AgedOf(q) == aged.None {
		return 0
	}
	usage, total := s.ShownUsage(q), s.finder.Total()
	for t := range total {
		if used := usage.Type(t); !used.IsZero() {
			largest = max(largest, used.Share(s.Queues().Denominator(q, t, total)))
		}
	}
	return largest
}
