package grpcserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/quern-project/quern/core/resource"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// decisionText is a line of the record, as JSON.
type decisionText struct {
	Seq         uint64                     `json:"seq"`
	At          time.Time                  `json:"at"`
	Type        string                     `json:"type"`
	ID          string                     `json:"id"`
	App         string                     `json:"app"`
	Queue       string                     `json:"queue"`
	Node        string                     `json:"node"`
	For         string                     `json:"for"`
	Quota       string                     `json:"quota"`
	Gang        string                     `json:"gang"`
	Right       string                     `json:"right"`
	Partition   string                     `json:"partition"`
	Priority    int32                      `json:"priority"`
	Resources   map[string]json.RawMessage `json:"resources"`
	From        string                     `json:"from"`
	To          string                     `json:"to"`
	Input       string                     `json:"input"`
	Policy      string                     `json:"policy"`
	Fallback    string                     `json:"fallback"`
	Reason      string                     `json:"reason"`
	Message     string                     `json:"message"`
	Approximate bool                       `json:"approximate"`
	Warnings    []string                   `json:"warnings"`
	Errors      []string                   `json:"errors"`
}

// Decision reads a line of the record.
func Decision(line []byte) (*quernv1.Decision, error) {
	var d decisionText
	if err := json.Unmarshal(line, &d); err != nil {
		return nil, fmt.Errorf("decision %s: %w", line, err)
	}
	out := &quernv1.Decision{Seq: d.Seq, At: timestamppb.New(d.At), Type: d.Type, Id: d.ID, App: d.App, Queue: d.Queue, Node: d.Node, ForAsk: d.For,
		Quota: d.Quota, Gang: d.Gang, Right: d.Right, Partition: d.Partition, Priority: d.Priority, From: d.From, To: d.To, Input: d.Input, Policy: d.Policy, Fallback: d.Fallback,
		Reason: d.Reason, Message: d.Message, Approximate: d.Approximate, Warnings: d.Warnings, Errors: d.Errors}
	if d.Resources != nil {
		out.Resources = &quernv1.Resources{Amounts: make(map[string]int64, len(d.Resources))}
	}
	for typ, text := range d.Resources {
		amount, err := resource.Parse(typ, strings.Trim(string(text), `"`))
		if err != nil {
			return nil, fmt.Errorf("decision %d: %s: %w", d.Seq, typ, err)
		}
		out.Resources.Amounts[typ] = amount
	}
	return out, nil
}

// Decisions reads lines of the record.
func Decisions(lines [][]byte) (list []*quernv1.Decision, err error) {
	for _, line := range lines {
		d, err := Decision(line)
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}

// TypeOf is the type of a decision's line, without reading the rest.
func TypeOf(line []byte) string {
	_, rest, _ := bytes.Cut(line, []byte(`"type":"`))
	name, _, _ := bytes.Cut(rest, []byte{'"'})
	return string(name)
}
