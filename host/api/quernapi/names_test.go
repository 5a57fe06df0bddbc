package quernapi_test

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

func TestAnInputWithOneResourceTypeTooManyIsRefusedByItsNumber(t *testing.T) {
	l := start(t)
	wide := &quernv1.Resources{Amounts: map[string]int64{}}
	for i := range 101 {
		wide.Amounts[fmt.Sprint("x", i)] = 1
	}
	inputs := []*quernv1.Input{
		{Input: &quernv1.Input_AppAdd{AppAdd: &quernv1.AppAdd{Id: "a1", Queue: "root.default"}}},
		{Input: &quernv1.Input_AskAdd{AskAdd: &quernv1.AskAdd{Id: "k1", App: "a1", Resources: wide}}}}
	_, err := l.Submit(t.Context(), &quernv1.SubmitRequest{Inputs: inputs})
	_, err2 := l.WhatIf(t.Context(), &quernv1.WhatIfRequest{Inputs: inputs})
	for _, err := range []error{err, err2} {
		p := problem(err)
		if status.Code(err) != codes.FailedPrecondition || p.GetCode() != "too_many_names" || p.GetInput() != 2 || p.GetKey() != "resources" || !strings.Contains(p.GetDetail(), "--max-resource-types 200") {
			t.Errorf("found %v", err)
		}
	}
}
