package hostmodules_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/quern-project/quern/wasm/browser/hostmodules"
	"github.com/quern-project/quern/wasm/browser/rpc"
)

// committed is a module that is in the repository.
const committed = "../../../plugins/binpack-tetris/binpack-tetris.wasm"

// TestFuelThatIsUsedUpIsSaidAsWithinReach: with limits that suffice for few nodes, the first call about many fails, and what
// the scheduler says of it is the same to the byte.
func TestFuelThatIsUsedUpIsSaidAsWithinReach(t *testing.T) {
	b, within := start(t), newEngine(t, true)
	file, err := os.ReadFile(committed)
	must(t, err)
	line, points := b.announced(t, "tetris", file)
	line = bytes.Replace(line, []byte(`\"points\"`), []byte(`\"limits\":{\"fuel\":500,\"fuel_per_item\":1},\"points\"`), 1)
	text := workload(line, "tetris", points, 100, 40)
	expected := native(t, within, file, text)
	if !strings.Contains(expected, `"message":"node_score: it used up its fuel of `) {
		t.Fatalf("expected a fault, found\n%.3000s", expected)
	}
	answer, found := b.call(t, map[string]any{"op": "replay", "idle": true, "decisions": true}, text)
	if answer["error"] != nil {
		t.Fatal(answer["error"])
	}
	compare(t, string(found), expected)
	if b.failures < 2 {
		t.Errorf("expected a second try on a fresh instance, found %d calls that failed", b.failures)
	}
}

// TestInstancesAreBounded: schedulers come and go without a word; those that stay go on as if nothing had been.
func TestInstancesAreBounded(t *testing.T) {
	b := start(t)
	file, err := os.ReadFile(committed)
	must(t, err)
	line, points := b.announced(t, "tetris", file)
	text := workload(line, "tetris", points, 12, 80)
	whole, _ := b.call(t, map[string]any{"op": "replay", "idle": true}, text)
	session, _ := b.call(t, map[string]any{"op": "session.new"}, nil)
	id := session["id"]
	fed, _ := b.call(t, map[string]any{"op": "session.feed", "id": id}, text)
	if session["error"] != nil || fed["error"] != nil {
		t.Fatal(session, fed)
	}
	for range 24 {
		b.call(t, map[string]any{"op": "session.run", "id": id, "to": map[string]any{"steps": 5, "unit": "decision"}}, nil)
		if replay, _ := b.call(t, map[string]any{"op": "replay", "idle": true}, text); replay["sha256"] != whole["sha256"] {
			t.Fatalf("expected the hash %v, found %v", whole["sha256"], replay)
		}
	}
	for _, seq := range []int{0, 60, 20} { // to the end, back, to the end, further back, to the end
		if seq > 0 {
			if back, _ := b.call(t, map[string]any{"op": "session.seek", "id": id, "seq": seq}, nil); back["error"] != nil {
				t.Fatal(back)
			}
		}
		b.finish(t, id)
		if status, _ := b.call(t, map[string]any{"op": "session.status", "id": id}, nil); status["hash"] != whole["sha256"] {
			t.Errorf("expected the session to end with the hash %v, found %v", whole["sha256"], status)
		}
	}
	if b.most > 18 {
		t.Errorf("expected few instances at a time, found %d", b.most)
	}
}

// finish runs a session until nothing is left to happen.
func (b *beside) finish(t *testing.T, id any) {
	t.Helper()
	for range 1000 {
		status, _ := b.call(t, map[string]any{"op": "session.run", "id": id, "to": map[string]any{"idle": true}}, nil)
		if status["error"] != nil {
			t.Fatal(status)
		}
		if status["done"] == true {
			return
		}
	}
	t.Fatal("expected the session to end")
}

// TestAnOlderVersionAnswersForWhatItWasAnnouncedFor: a scheduler that goes back in time meets the one that was there.
func TestAnOlderVersionAnswersForWhatItWasAnnouncedFor(t *testing.T) {
	b := start(t)
	file, err := os.ReadFile(committed)
	must(t, err)
	line, points := b.announced(t, "tetris", file)
	text := workload(line, "tetris", points, 12, 40)
	first, _ := b.call(t, map[string]any{"op": "replay", "idle": true}, text)
	for version := range byte(7) {
		if newer, _ := b.announced(t, "tetris", append(bytes.Clone(file), 0, 2, 1, 'a'+version)); bytes.Equal(newer, line) {
			t.Fatal("expected another hash")
		}
	}
	again, decisions := b.call(t, map[string]any{"op": "replay", "idle": true, "decisions": true}, text)
	if again["sha256"] != first["sha256"] || strings.Contains(string(decisions), "policy.fault") {
		t.Errorf("expected what was decided before, found %v and %v", first, again)
	}
	b.announced(t, "tetris", append(bytes.Clone(file), 0, 2, 1, 'z'))
	if len(b.modules) != 8 {
		t.Errorf("expected few versions to be kept, found %d", len(b.modules))
	}
}

// TestADroppedModuleAnswersNoMore: what used it goes on without.
func TestADroppedModuleAnswersNoMore(t *testing.T) {
	b := start(t)
	file, err := os.ReadFile(committed)
	must(t, err)
	line, points := b.announced(t, "tetris", file)
	if dropped, _ := b.call(t, map[string]any{"op": "policy.drop", "name": "tetris"}, nil); dropped["error"] != nil {
		t.Fatal(dropped)
	}
	_, found := b.call(t, map[string]any{"op": "replay", "idle": true, "decisions": true}, workload(line, "tetris", points, 12, 10))
	if !strings.Contains(string(found), "policy.fault") || len(b.running)+len(b.modules) > 0 {
		t.Errorf("expected nobody to answer, found %d instances and\n%.2000s", len(b.running), found)
	}
}

func TestModules_NeedAHost(t *testing.T) {
	file, err := os.ReadFile(committed)
	must(t, err)
	var modules hostmodules.Modules
	_, err = modules.Load("tetris", file, rpc.Limits{})
	var refusal *rpc.Error
	if !errors.As(err, &refusal) || refusal.Code != rpc.NotThere || refusal.Message != "no host runs policy modules here" {
		t.Errorf("found %v", err)
	}
}

func TestWhatTheGateRefusesIsSaidWithItsPlace(t *testing.T) {
	var modules hostmodules.Modules
	_, err := modules.Load("", []byte("\x00asm\x02\x00\x00\x00"), rpc.Limits{})
	var refusal *rpc.Error
	if !errors.As(err, &refusal) || refusal.Code != rpc.BadModule || refusal.Reason != "bad-version" || refusal.Offset != 4 {
		t.Errorf("found %+v", err)
	}
	for _, c := range []struct {
		limits rpc.Limits
		key    string
	}{
		{rpc.Limits{Memory: 1}, "limits.memory"}, {rpc.Limits{Memory: -1 << 20}, "limits.memory"},
		{rpc.Limits{Memory: 1 << 40}, "limits.memory"}, {rpc.Limits{Fuel: -1}, "limits.fuel"}, {rpc.Limits{FuelPerItem: 1 << 40}, "limits.fuel_per_item"},
	} {
		_, err := modules.Load("", nil, c.limits)
		if !errors.As(err, &refusal) || refusal.Code != rpc.BadRequest || refusal.Key != c.key {
			t.Errorf("%+v: found %+v", c.limits, err)
		}
	}
}
