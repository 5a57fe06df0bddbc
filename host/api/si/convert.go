package si

import (
	"fmt"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/predicates"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// An attribute of nodes, and a tag of allocations, that say more than they are kept for.
const (
	nodePartition = "si/node-partition"

	// Predicate names a predicate of the resource manager, which says over quern.v1 on which nodes the ask may go.
	Predicate = "quern/predicate"
)

// amounts converts a resource; nil: there is none.
func amounts(key string, r *siv1.Resource) (resource.Set, error) {
	if r == nil {
		return nil, nil
	}
	set := make([]resource.Quantity, 0, len(r.GetResources()))
	for typ, q := range r.GetResources() {
		switch {
		case typ == "":
			return nil, fmt.Errorf("%s: expected the name of a resource, found none", key)
		case q.GetValue() < 0:
			return nil, fmt.Errorf("%s: %s: expected an amount of zero or more, found %d", key, typ, q.GetValue())
		}
		set = append(set, resource.Quantity{Type: typ, Value: q.GetValue()})
	}
	return resource.NewSet(set...), nil
}

// resourceOf is amounts the other way round.
func resourceOf(set resource.Set) *siv1.Resource {
	r := &siv1.Resource{Resources: make(map[string]*siv1.Quantity, len(set))}
	for _, q := range set {
		r.Resources[q.Type] = &siv1.Quantity{Value: q.Value}
	}
	return r
}

// allocationInput converts an ask, or an allocation that exists already.
func (s *session) allocationInput(a *siv1.Allocation) (core.Input, error) {
	set, err := amounts("resourcePerAlloc", a.GetResourcePerAlloc())
	ask := core.AddAsk{ID: a.GetAllocationKey(), App: a.GetApplicationID(), Resources: set, Ask: core.Ask{
		Priority: a.GetPriority(), Node: a.Tag(siv1.TagRequiredNode), Originator: a.GetOriginator(), TaskGroup: a.GetTaskGroupName(), Placeholder: a.GetPlaceholder(),
		NoPreemptOthers: !a.GetPreemptionPolicy().GetAllowPreemptOther(), NotPreemptable: !a.GetPreemptionPolicy().GetAllowPreemptSelf(),
	}}
	if name := a.GetAllocationTags()[Predicate]; name != "" {
		if strings.Contains(name, "/") && err == nil {
			err = fmt.Errorf("%s: expected a name without a slash, found %q", Predicate, name)
		}
		ask.Predicate = predicates.Name(s.id, name)
	}
	if set == nil && err == nil {
		ask.Resources = resource.Set{}
	}
	if err == nil {
		ask.Gang, err = gangOf(a.GetAllocationTags())
	}
	if err == nil {
		err = placementOf(a.GetAllocationTags(), &ask.Ask)
	}
	if err == nil {
		ask.Walltime, err = walltimeOf(a.GetAllocationTags())
	}
	in := core.Input{Event: &ask}
	if a.GetNodeID() != "" {
		in.Event = &core.RestoreAllocation{AddAsk: ask, PlacedOn: a.GetNodeID()}
	}
	return in, checkTexts(in.Event, a.GetAllocationTags(), err)
}

// mostMilliseconds is as long as a duration can be.
const mostMilliseconds = int64(1<<63-1) / int64(time.Millisecond)

// applicationInput converts an application of a resource manager.
func (s *session) applicationInput(r *siv1.AddApplicationRequest) (core.Input, error) {
	app := &core.AddApp{ID: r.GetApplicationID(), Partition: s.partition(r.GetPartitionName()), Queue: r.GetQueueName(),
		User: r.GetUgi().GetUser(), Groups: r.GetUgi().GetGroups(), Tags: s.owned(r.GetTags())}
	in := core.Input{Event: app}
	set, err := amounts("placeholderAsk", r.GetPlaceholderAsk())
	if err == nil {
		app.Succeeded, err = succeededOf(r.GetTags())
	}
	if err != nil {
		return in, err
	}
	if style := r.GetGangSchedulingStyle(); set != nil && !set.IsZero() {
		timeout := r.GetExecutionTimeoutMilliSeconds()
		switch {
		case timeout < 0 || timeout > mostMilliseconds:
			return in, fmt.Errorf("executionTimeoutMilliSeconds: expected 0 to %d, found %d", mostMilliseconds, timeout)
		case style != "" && !strings.EqualFold(style, "Soft") && !strings.EqualFold(style, "Hard"):
			return in, fmt.Errorf("gangSchedulingStyle: expected Soft or Hard, found %q", style)
		}
		app.Placeholders = &core.Placeholders{Ask: set, Hard: strings.EqualFold(style, "Hard"), Timeout: time.Duration(timeout) * time.Millisecond}
		if app.Placeholders.Unit, err = unitOf(r.GetTags()); err != nil {
			return in, err
		}
	}
	return in, checkTexts(app, nil, nil)
}

// owned marks attributes or tags as those of something of the resource manager's.
func (s *session) owned(given map[string]string) map[string]string {
	marked := make(map[string]string, len(given)+1)
	for name, value := range given {
		marked[name] = value
	}
	marked[Owner] = s.id
	return marked
}

// nodeInput converts an action on a node that the scheduler does not know yet.
func (s *session) nodeInput(n *siv1.NodeInfo) (core.Input, error) {
	set, err := amounts("schedulableResource", n.GetSchedulableResource())
	if set == nil {
		set = resource.Set{}
	}
	in := core.Input{Event: &core.AddNode{ID: n.GetNodeID(), Partition: s.partition(n.GetAttributes()[nodePartition]), Capacity: set,
		Attributes: s.owned(n.GetAttributes()), Unschedulable: n.GetAction() == siv1.NodeInfo_CREATE_DRAIN}}
	return in, checkTexts(in.Event, nil, err)
}

// updateInput converts a change of a node. What is left out stays.
func (s *session) updateInput(n *siv1.NodeInfo) (core.Input, error) {
	set, err := amounts("schedulableResource", n.GetSchedulableResource())
	update := &core.UpdateNode{ID: n.GetNodeID(), Capacity: set}
	if len(n.GetAttributes()) > 0 {
		update.Attributes = s.owned(n.GetAttributes())
	}
	return core.Input{Event: update}, checkTexts(update, nil, err)
}
