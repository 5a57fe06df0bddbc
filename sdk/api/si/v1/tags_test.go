package siv1_test

import (
	"testing"

	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

func TestTagsMayHaveTheirDomain(t *testing.T) {
	for key, want := range map[string]string{
		"foreign":                             "static",
		"yunikorn.apache.org/foreign":         "static",
		"kubernetes.io/meta/foreign":          "static",
		"kubernetes.io/label/foreign":         "", // a user's
		"kubernetes.io/annotation/foreign":    "",
		"yunikorn.apache.org/foreign/foreign": "",
	} {
		a := &siv1.Allocation{AllocationTags: map[string]string{key: "static"}}
		if found := a.Tag(siv1.TagForeign); found != want {
			t.Errorf("%s: expected %q, found %q", key, want, found)
		}
	}
}
