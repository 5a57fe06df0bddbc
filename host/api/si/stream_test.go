package si

import (
	"context"
	"errors"
	"testing"

	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

func TestMessageAfterEnd_IsIgnored(t *testing.T) {
	taken := 0
	c := &conversation[siv1.NodeRequest, siv1.NodeResponse]{Service: &Service{}, take: func(*batch, *session, *siv1.NodeRequest) { taken++ }}
	ctx, end := context.WithCancelCause(t.Context())
	if err := c.taken(ctx, &batch{}, &siv1.NodeRequest{}); err != nil || taken != 1 {
		t.Errorf("found %v", err)
	}
	end(errRegisteredAgain) // as another user may, who was given the resource manager
	if err := c.taken(ctx, &batch{}, &siv1.NodeRequest{}); !errors.Is(err, errRegisteredAgain) || taken != 1 {
		t.Errorf("found %v after %d messages", err, taken)
	}
}
