package si

import (
	"errors"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/server"
)

func TestInputsThatBelongTogetherAreOfOneRequest(t *testing.T) {
	var b batch
	for range server.RequestInputs - 1 {
		b.add(core.Input{})
	}
	answered := 0
	b.then(func(*outcome) { answered++ })
	b.add(core.Input{}, core.Input{})
	b.then(func(*outcome) { answered += 10 })
	if len(b.parts) != 2 || len(b.parts[0].inputs) != server.RequestInputs-1 || len(b.parts[1].inputs) != 2 {
		t.Fatalf("found %d parts", len(b.parts))
	}
	for _, do := range b.parts[1].after {
		do(nil)
	}
	if answered != 10 {
		t.Errorf("found %d", answered)
	}
}

func TestAReleaseThatCouldNotBeHandedInCanBeRepeated(t *testing.T) {
	for _, node := range []string{"", "n1"} {
		k, b := &ask{key: "k", node: node}, &batch{}
		(&Service{}).releaseAsk(b, k, false)
		if !k.releasing {
			t.Error("it is not being released")
		}
		for _, do := range b.parts[0].after {
			do(&outcome{err: errors.New("the store has failed")})
		}
		if k.releasing {
			t.Errorf("on %q: it counts as released", node)
		}
	}
}
