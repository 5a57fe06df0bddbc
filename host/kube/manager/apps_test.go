package manager

import (
	"testing"

	"github.com/quern-project/quern/core"
)

func TestAnApplicationThatIsRefusedAfterItsPodsAreGoneIsForgotten(t *testing.T) {
	s := newSlow(t)
	s.api.putAll(queued(waiting("p", "p", 100), "root.nowhere"))
	s.show(crossed, func(uid string) bool { return uid != "" })
	s.api.remove("pods", crossed)
	s.show(crossed, func(uid string) bool { return uid == "" })
	s.deliver(core.AppRejected)
	if len(s.apps) > 0 {
		t.Errorf("found %+v", s.apps["p"])
	}
}
