package grpcserver

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/server"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// Decision returns the message of a decision.
func Decision(of *server.Decision) (*quernv1.Decision, error) {
	d, err := of.Value()
	if err != nil {
		return nil, err
	}
	out := &quernv1.Decision{Seq: d.Seq, At: timestamppb.New(time.Unix(0, int64(d.At))), Type: string(d.Type), Id: d.ID, App: d.App, Queue: d.Queue, Node: d.Node, ForAsk: d.For,
		Quota: d.Quota, Gang: d.Gang, GangEnded: d.GangEnded, Allocated: int32(d.Allocated), Min: int32(d.Min), Right: string(d.Right), Partition: d.Partition, Priority: d.Priority, From: d.From, To: d.To, Input: string(d.Input), Policy: d.Policy,
		Fallback: d.Fallback, Reason: string(d.Reason), Message: d.Message, Approximate: d.Approximate, Warnings: d.Warnings, Errors: d.Errors, Nodes: d.Nodes}
	if d.Type == core.Allocation {
		out.Resources = &quernv1.Resources{Amounts: make(map[string]int64, len(d.Resources))}
	}
	if d.Start != nil {
		out.Start = timestamppb.New(time.Unix(0, int64(*d.Start)))
	}
	for _, q := range d.Resources {
		out.Resources.Amounts[q.Type] = q.Value
	}
	return out, nil
}

// Decisions returns the messages of decisions.
func Decisions(of []server.Decision) (list []*quernv1.Decision, err error) {
	for i := range of {
		d, err := Decision(&of[i])
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}
