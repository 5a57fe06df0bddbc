package state

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/placement"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/departures"
	"github.com/quern-project/quern/core/internal/state/gangs"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// snapshotVersion is the version of the format that is written. Earlier versions are read too; later ones are refused. Version 1 had only
// one partition, whose format is unchanged. Until version 2, the checksum was in the first line.
const (
	snapshotVersion = 3
	checksumFirst   = 2
)

const snapshotName = "quern-snapshot"

// snapshot is the whole state, except what can be derived from the rest.
type snapshot struct {
	snapshotHead
	partitionMemory                   // of the first partition
	Others          []partitionMemory `json:",omitempty"` // in the order of the configuration
}

// snapshotHead is the part of a snapshot that all partitions share.
type snapshotHead struct {
	Now      time.Duration
	Started  bool
	Seq      uint64
	Counters Counters
	Config   core.ConfigSource
	Modules  []moduleMemory         `json:",omitempty"`
	Ended    []EndedApp             `json:",omitempty"`
	Gone     []departures.Departure `json:",omitempty"`
	Parts    []string               `json:",omitempty"` // the parts of another snapshot received so far

	// If gangs have to be judged: whether they wait for another input, and when an allocation was last restored.
	Judged     bool           `json:",omitempty"`
	RestoredAt *time.Duration `json:",omitempty"`
}

// partitionMemory is the state of one partition in a snapshot.
type partitionMemory struct {
	partitionHead
	Nodes []nodeMemory `json:",omitempty"`
	Apps  []appMemory  `json:",omitempty"` // in order of submission
	Asks  []askMemory  `json:",omitempty"` // in order of submission
	partitionTail
}

// partitionHead and partitionTail are what precedes and follows the long lists of a partition.
type partitionHead struct {
	World    uint64
	Dynamic  []dynamicQueue  `json:",omitempty"` // parents before children, without draining ones
	Draining []drainingQueue `json:",omitempty"` // parents before children
	Leaves   []leafMemory    `json:",omitempty"`
}

type partitionTail struct {
	Short  bool         `json:",omitempty"` // a search for victims is unfinished
	Placed Precedence   `json:",omitempty"`
	Over   []overMemory `json:",omitempty"` // queues that exceed their max, by path

	Accumulation *accumulationMemory `json:",omitempty"`
	Aged         []agedMemory        `json:",omitempty"` // by queue, then user
	Windows      []windowMemory      `json:",omitempty"` // in the order in which they were added
	Slips        Slip                `json:",omitempty"` // what may have moved planned starts since they were told
	Unplanned    []endedPlan         `json:",omitempty"` // told plans of asks that are gone
	Budgets      []budgetMemory      `json:",omitempty"` // by queue
}

// partitions returns the partitions in order.
func (m *snapshot) partitions() []*partitionMemory {
	list := []*partitionMemory{&m.partitionMemory}
	for i := range m.Others {
		list = append(list, &m.Others[i])
	}
	return list
}

// drainingQueue is a queue that the configuration no longer names, with its last settings.
type drainingQueue struct {
	Parent  string
	Conf    config.Queue
	Dynamic bool             `json:",omitempty"`
	Quota   *placement.Quota `json:",omitempty"` // nil if tags have set nothing
}

// dynamicQueue is a queue that a placement rule has made. Its other settings follow from the configuration and the tags.
type dynamicQueue struct {
	Path  string
	Leaf  bool             `json:",omitempty"`
	Quota *placement.Quota `json:",omitempty"` // as in drainingQueue
	Empty *time.Duration   `json:",omitempty"` // the time at which it became empty; nil if it has applications
}

// leafMemory is the state of a leaf concerning reservations.
type leafMemory struct {
	Queue       string
	BannedUntil time.Duration
	ExpiredAt   uint64
}

type moduleMemory struct {
	Set      core.PolicyModule
	Name     string
	Gone     bool `json:",omitempty"`
	Calls    uint64
	Recorded []answerMemory `json:",omitempty"`
	BackOff  time.Duration
	Until    time.Duration
	Returned time.Duration
}

// answerMemory is a recorded answer that has not been served. Its keys are the bits of floats, since JSON has no infinities.
type answerMemory struct {
	Point, Digest string
	Call          uint64
	Keys          []uint64 `json:",omitempty"`
	Fault         string   `json:",omitempty"`
}

func rememberAnswers(list []core.Answers) []answerMemory {
	var out []answerMemory
	for _, a := range list {
		m := answerMemory{Point: a.Point, Digest: a.Digest, Call: a.Call, Fault: a.Fault}
		for _, k := range a.Keys {
			m.Keys = append(m.Keys, math.Float64bits(k))
		}
		out = append(out, m)
	}
	return out
}

func recallAnswers(policy string, list []answerMemory) []core.Answers {
	var out []core.Answers
	for _, m := range list {
		a := core.Answers{Policy: policy, Point: m.Point, Digest: m.Digest, Call: m.Call, Fault: m.Fault}
		for _, bits := range m.Keys {
			a.Keys = append(a.Keys, math.Float64frombits(bits))
		}
		out = append(out, a)
	}
	return out
}

type nodeMemory struct {
	ID                 string
	Capacity, Occupied resource.Set
	Attributes         map[string]string `json:",omitempty"`
	Schedulable        bool
	GrownAt            uint64
	Devices            []core.Devices        `json:",omitempty"`
	OccupiedDevices    []core.OccupiedDevice `json:",omitempty"`
}

type appMemory struct {
	ID, Queue, State string
	Seq              uint64
	User             string            `json:",omitempty"`
	Groups           []string          `json:",omitempty"`
	Tags             map[string]string `json:",omitempty"`
	Submitted, Since time.Duration
	Ever             int
	Gang             *gangMemory        `json:",omitempty"`
	Placement        *placement.Outcome `json:",omitempty"`
	Gangs            []atomicMemory     `json:",omitempty"` // in the order of their first members
	Succeeded        []gangs.Succeeded  `json:",omitempty"` // by ID
	Sets             []string           `json:",omitempty"` // those of gangs that have started, by name
	Preempted        int64              `json:",omitempty"` // allocations
}

// atomicMemory is an atomic gang that has members.
type atomicMemory struct {
	ID             string
	Min            int
	Timeout, Since time.Duration
	Seq            uint64
	Placed         bool            `json:",omitempty"`
	Fallback       bool            `json:",omitempty"`
	Succeeded      int             `json:",omitempty"`
	Disruption     core.Disruption `json:",omitempty"`
	Repair         core.Repair     `json:",omitzero"`
	Broken         bool            `json:",omitempty"`
	BrokenSince    time.Duration   `json:",omitempty"`
	BrokenBy       core.Reason     `json:",omitempty"` // empty if a release that did not keep it has written it
	Lost           core.Reason     `json:",omitempty"`
	Restored       bool            `json:",omitempty"`
	Whole          bool            `json:",omitempty"`
	Dissolved      bool            `json:",omitempty"`
	Judge          bool            `json:",omitempty"`
	RestsUntil     time.Duration   `json:",omitempty"`
	Topology       core.Topology   `json:",omitzero"`
	Max            int             `json:",omitempty"`
	Set            string          `json:",omitempty"`
	SetMin         int             `json:",omitempty"`
	SucceededIn    []int           `json:",omitempty"` // by slice
}

type askMemory struct {
	ID, App   string
	Seq       uint64
	Created   time.Duration
	Resources resource.Set
	Ask       core.Ask
	PlacedOn  string                `json:",omitempty"`
	Placed    uint64                `json:",omitempty"`
	PlacedAt  time.Duration         `json:",omitempty"`
	Devices   []core.PlacedDevices  `json:",omitempty"` // of an allocation
	Reserves  string                `json:",omitempty"`
	Reserved  uint64                `json:",omitempty"`
	ExpiresAt time.Duration         `json:",omitempty"`
	Keeps     string                `json:",omitempty"` // the node that it has a claim on
	Claimed   uint64                `json:",omitempty"` // number of the claim, which orders claims
	ClaimedAt *time.Duration        `json:",omitempty"` // when the claim was made; nil if an earlier release, which did not record it, wrote the snapshot
	LandsWith uint64                `json:",omitempty"` // Seq of the first claim of its gang; 0 if the claim is not of a gang
	Leaving   *departures.Departure `json:",omitempty"` // set for a victim that was asked to leave
	Observed  bool                  `json:",omitempty"`
	Told      *toldMemory           `json:",omitempty"` // set for a leaving allocation that is not a victim
	Replaces  *replacementMemory    `json:",omitempty"` // set for a task that waits for a placeholder to leave
	GaveUp    bool                  `json:",omitempty"` // a task for which no placeholder was large enough
	Walltime  *asks.Walltime        `json:",omitempty"` // nil if it promises no end, and its queue says nothing about walltimes
	Slice     int32                 `json:",omitempty"` // number of the slice of its gang, from 1
	Plan      *planMemory           `json:",omitempty"`
	ToldAt    *time.Duration        `json:",omitempty"` // when it was asked to leave, in a partition that plans starts
	Preempted int64                 `json:",omitempty"` // times, also before it was asked for again under its ID

	dated bool // its queue counts how long it runs, so that Present must say when it was made
}

// Snapshot returns the whole state: a line with the format's name and version, a line of JSON, and a line with the checksum of both. Equal
// states give equal bytes.
// Decisions that were not taken are not included. short reports, for each partition, whether a search for victims is unfinished.
func (c *Shared) Snapshot(short []bool) []byte { return c.remember(short).encode() }

func (m *snapshot) encode() []byte {
	body, err := json.Marshal(m)
	if err != nil {
		panic("core: the state cannot be written: " + err.Error()) // our bug: the state contains only plain data
	}
	out := make([]byte, 0, len(snapshotHeadLine)+len(body)+sealLength)
	out = append(append(append(out, snapshotHeadLine...), body...), '\n')
	return fmt.Appendf(out, "%x\n", sha256.Sum256(out))
}

// sealLength is the length of the ends of the last two lines, and of a checksum.
const sealLength = 2 + 2*sha256.Size

// snapshotHeadLine is the first line of a snapshot.
var snapshotHeadLine = fmt.Sprintf("%s %d\n", snapshotName, snapshotVersion)

// remember copies the state.
func (c *Shared) remember(short []bool) *snapshot {
	m := &snapshot{snapshotHead: c.rememberHead()}
	for i, s := range c.partitions {
		p := s.remember(short[i])
		s.rememberMany(p)
		if i == 0 {
			m.partitionMemory = *p
		} else {
			m.Others = append(m.Others, *p)
		}
	}
	return m
}

func (c *Shared) rememberHead() snapshotHead {
	head := snapshotHead{c.now, c.started, c.seq, c.counters, c.source, c.rememberModules(), c.ended, c.gone, c.parts, false, nil}
	if slices.ContainsFunc(c.partitions, func(s *State) bool { return len(s.toJudge) > 0 }) {
		head.Judged, head.RestoredAt = c.judged, c.restoredAt
	}
	return head
}

func (c *Shared) rememberModules() (list []moduleMemory) {
	for _, p := range c.modules.all() {
		list = append(list, moduleMemory{p.set, p.Name, p.gone, p.calls, rememberAnswers(p.recorded), p.backOff, p.until, p.returned})
	}
	return list
}

// remember copies a partition except its asks and nodes.
func (s *State) remember(short bool) *partitionMemory {
	m := &partitionMemory{
		partitionHead: partitionHead{World: s.EventNumber()},
		partitionTail: partitionTail{short, slices.Clone(s.precedence), s.rememberQuotas(), s.rememberAccumulation(), s.rememberAging(), s.rememberWindows(), s.planned.slips, s.planned.ended, s.rememberBudgets()},
	}
	s.rememberQueues(m, s.Queues().Root())
	apps := slices.SortedFunc(s.orders.Apps, func(a, b app.App) int { return cmp.Compare(a.Seq(), b.Seq()) })
	m.Apps = make([]appMemory, 0, len(apps))
	for _, a := range apps {
		m.Apps = append(m.Apps, appMemory{
			ID: a.ID(), Seq: a.Seq(), Queue: s.Queues().Path(QueueOfApp(a)), State: a.State().String(), User: a.User(), Groups: a.Groups(), Tags: a.Tags(),
			Submitted: a.Submitted(), Since: a.Since(), Ever: a.AllocationsMade(), Gang: s.rememberGang(a), Gangs: rememberAtomic(a), Succeeded: s.Gangs().Succeeded(a.Number()), Sets: s.Gangs().StartedSets(a.Number()), Preempted: a.Preempted(), Placement: a.Placement(),
		})
	}
	return m
}

// rememberMany copies the asks and nodes of a partition.
func (s *State) rememberMany(m *partitionMemory) {
	for n := range s.finder.Sorted().All {
		m.Nodes = append(m.Nodes, s.rememberNode(n))
	}
	asks := slices.Collect(s.orders.All)
	sortBySeq(asks)
	m.Asks = make([]askMemory, 0, len(asks))
	for _, ask := range asks {
		m.Asks = append(m.Asks, s.rememberAsk(ask))
	}
}

func (s *State) rememberNode(n int32) nodeMemory {
	devices := s.finder.Devices(n)
	return nodeMemory{s.finder.ID(n), s.withoutDevices(s.types.Set(s.finder.Capacity(n), 0)), s.withoutDevices(s.types.Set(s.finder.Occupied(n), 0)), s.finder.Attributes(n), s.finder.Schedulable(n), s.finder.GrownAt(n),
		devices.Lists(), devices.Occupied()}
}

func (s *State) rememberQueues(m *partitionMemory, q queues.ID) {
	tree := s.Queues()
	leaf := tree.IsLeaf(q)
	switch {
	case tree.IsDraining(q):
		conf := *tree.Conf(q)
		conf.Children = nil
		m.Draining = append(m.Draining, drainingQueue{tree.Path(tree.Parent(q)), conf, tree.IsDynamic(q), s.rememberQuota(q)})
	case tree.IsDynamic(q):
		d := dynamicQueue{Path: tree.Path(q), Leaf: leaf, Quota: s.rememberQuota(q)}
		if leaf && s.leaves[q].dynamic.empty {
			since := s.leaves[q].dynamic.since
			d.Empty = &since
		}
		m.Dynamic = append(m.Dynamic, d)
	}
	if leaf {
		if l := s.leaves[q]; l.ExpiredAt() != 0 {
			m.Leaves = append(m.Leaves, leafMemory{tree.Path(q), l.BannedUntil(), l.ExpiredAt()})
		}
	}
	for child := range tree.Children(q) {
		s.rememberQueues(m, child)
	}
}

// rememberQuota returns the quota that tags have set for a dynamic leaf, or nil.
func (s *State) rememberQuota(q queues.ID) *placement.Quota {
	if !s.Queues().IsDynamic(q) || !s.Queues().IsLeaf(q) || s.leaves[q].dynamic.quota.IsEmpty() {
		return nil
	}
	quota := s.leaves[q].dynamic.quota
	return &quota
}

func (s *State) rememberAsk(ask app.Ask) askMemory {
	c := ask.Class()
	m := askMemory{
		ID: ask.ID(), App: ask.App().ID(), Seq: ask.Seq(), Created: ask.Created(), Resources: c.Resources(), Placed: ask.Placed(), PlacedAt: ask.PlacedAt(),
		Ask: core.Ask{
			Priority: ask.Priority(), Node: c.Node(), Predicate: c.Predicate(), Originator: ask.Originator(),
			NoPreemptOthers: ask.NoPreemptOthers(), NotPreemptable: ask.NotPreemptable(), Movable: ask.Movable(),
			Topology: saidTopology(ask), Devices: c.Devices(),
		},
	}
	for k := range c.Own().All {
		if m.Ask.Constraints == nil {
			m.Ask.Constraints = map[string][]string{}
		}
		m.Ask.Constraints[k.Attribute] = k.Values.Clone()
	}
	if !ask.Atomic().IsNone() {
		g := ask.Atomic()
		said := saidOf(g)
		m.Ask.Gang, m.Slice = &said, s.asks.View().Slice(ask.Slot())
	}
	if !ask.Pending() {
		m.PlacedOn = s.finder.ID(ask.Node())
		m.Devices = s.DevicesOf(ask)
	}
	if ask.Hold().IsReserved() {
		r, _ := s.Reservations().On(ask.HoldOn())
		m.Reserves, m.Reserved, m.ExpiresAt = s.finder.ID(ask.HoldOn()), r.Seq, r.ExpiresAt
	}
	if ask.Hold().IsClaimed() {
		c := s.ClaimOf(ask)
		m.Keeps, m.Claimed, m.ClaimedAt = s.finder.ID(c.Node), c.Seq, &c.Made
		if c.Gang != 0 {
			m.LandsWith = s.Claims().FirstOf(c.Gang).Seq
		}
	}
	m.Observed, m.Preempted = ask.Observed(), ask.Preempted()
	m.Plan = s.rememberPlan(ask)
	if t := ask.Told(); t.Known {
		m.ToldAt = &t.At
	}
	if w := ask.Walltime(); w != (asks.Walltime{}) {
		m.Walltime = &w
	}
	if d, leaves := s.Departures().Of(ask.Slot()); leaves {
		m.Leaving = &d
	}
	if why, leaves := s.Replacements().Notice(ask.Slot()); leaves {
		m.Told = &toldMemory{why.Cause.Reason(), s.Replacements().For(why)}
	}
	if ask.Grouped() {
		s.rememberMember(ask, &m)
	}
	return m
}
