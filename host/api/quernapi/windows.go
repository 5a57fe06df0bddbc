package quernapi

import (
	"context"
	"fmt"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/objects"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// GetWindow implements the service.
func (s *Service) GetWindow(ctx context.Context, r *quernv1.GetWindowRequest) (*quernv1.GetWindowResponse, error) {
	w, ok := s.reader.Window(r.GetId())
	if !ok {
		return nil, s.notFound(ctx, core.WindowKind, r.GetId())
	}
	return &quernv1.GetWindowResponse{Window: windowOf(&w)}, nil
}

// ListWindows implements the service.
func (s *Service) ListWindows(ctx context.Context, r *quernv1.ListWindowsRequest) (*quernv1.ListWindowsResponse, error) {
	list, next, err := page(ctx, r, core.Where{Partition: r.GetPartition()}, s.reader.Windows, windowOf)
	return &quernv1.ListWindowsResponse{Windows: list, NextPageToken: next}, err
}

func windowOf(w *objects.Window) *quernv1.Window {
	return &quernv1.Window{Id: w.Window, Partition: w.Partition, Open: w.Open, From: moment(w.From), Until: moment(w.Until), Every: durationOf(w.Every),
		Schedule: w.Schedule, Nodes: w.Nodes, Missing: w.Missing, Queues: w.Queues, Users: w.Users, Groups: w.Groups}
}

// mostNames bounds the lists of a window, as in journals.
const mostNames = core.MostTexts / 2

func (c *converter) windowAdd(w *quernv1.WindowAdd) {
	add := &core.AddWindow{ID: c.id(w.GetId()), Partition: w.GetPartition(), Until: c.instant("until", w.GetUntil()), Every: c.period("every", w.GetEvery()),
		Nodes: c.names("nodes", w.GetNodes()), Count: int(w.GetCount()), Constraints: constraintsOf(w.GetConstraints()),
		Queues: c.names("queues", w.GetQueues()), Users: c.names("users", w.GetUsers()), Groups: w.GetGroups()}
	if from := c.instant("from", w.GetFrom()); from != nil {
		add.From = *from
	} else {
		c.refuse("from", "a time", "none")
	}
	switch nodes, constraints := len(add.Nodes) > 0, len(add.Constraints) > 0; {
	case nodes == constraints:
		c.refuse("nodes", "either nodes or constraints", fmt.Sprintf("%d nodes and %d constraints", len(add.Nodes), len(add.Constraints)))
	case nodes && add.Count != 0:
		c.refuse("count", "no count beside nodes", fmt.Sprint(add.Count))
	case constraints && add.Count < 1:
		c.refuse("count", "1 or more together with constraints", fmt.Sprint(add.Count))
	}
	c.in.Event = add
}

// names checks a list of names.
func (c *converter) names(key string, list []string) []string {
	if len(list) > mostNames {
		c.refuse(key, fmt.Sprintf("at most %d names", mostNames), fmt.Sprint(len(list)))
	}
	for _, name := range list {
		c.name(key, name)
	}
	return list
}

// constraintsOf converts the allowed values of attributes; nil: there are none.
func constraintsOf(list map[string]*quernv1.Values) map[string][]string {
	if len(list) == 0 {
		return nil
	}
	out := make(map[string][]string, len(list))
	for attribute, v := range list {
		out[attribute] = append([]string{}, v.GetValues()...)
	}
	return out
}
