package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/quern-project/quern/wasm/browser/journalgen"
	"github.com/quern-project/quern/wasm/browser/rpc"
)

// inputs is how long the random journal is that runs everywhere. In CI it is shorter.
func inputs() int {
	switch {
	case testing.Short():
		return 5_000
	case os.Getenv("QUERN_TURN") != "":
		return 20_000
	}
	return 100_000
}

// place serves a request and returns the first line of the answer, and how long the scheduler was busy with it.
type place func(head string, body []byte) (line string, took time.Duration, err error)

// at makes a place of a caller in this program.
func at(call caller) place {
	return func(head string, body []byte) (string, time.Duration, error) {
		request := append([]byte(head+"\n"), body...)
		begun := time.Now()
		answer, err := call(request)
		took := time.Since(begun)
		line, _, _ := bytes.Cut(answer, []byte("\n"))
		return string(line), took, err
	}
}

// here has no module around the scheduler.
func here() place {
	b := rpc.New(nil)
	return at(func(request []byte) ([]byte, error) { return b.Call(request), nil })
}

// done serves a request that must not be refused, and reads the first line of the answer.
func done[Answer any](t *testing.T, p place, head string, body []byte) (a Answer, took time.Duration) {
	t.Helper()
	line, took, err := p(head, body)
	if err != nil {
		t.Fatal(err)
	}
	var refused struct{ Error *rpc.Error }
	if err := json.Unmarshal([]byte(line), &refused); err != nil || refused.Error != nil {
		t.Fatalf("%s: %v, %v", head, refused.Error, err)
	}
	if err := json.Unmarshal([]byte(line), &a); err != nil {
		t.Fatal(err)
	}
	return a, took
}

// played is what a replay answers.
type played struct {
	Inputs, Decisions, Allocations int
	SHA256                         string
}

func TestARandomJournalDecidesTheSameEverywhere(t *testing.T) {
	const head = `{"op":"replay","idle":true,"grace":2000000000}`
	journal := journalgen.Journal(5, inputs())
	native, took := done[played](t, here(), head, journal)
	if native.Inputs < inputs() || native.Decisions < inputs() {
		t.Fatalf("the journal does little: %+v", native)
	}
	t.Logf("%+v natively in %v", native, took.Round(time.Millisecond))
	same := func(t *testing.T, p place) {
		t.Helper()
		found, took := done[played](t, p, head, journal)
		if found != native {
			t.Errorf("expected %+v, found %+v", native, found)
		}
		t.Logf("in %v", took.Round(time.Millisecond))
	}
	t.Run("under wazero", func(t *testing.T) { same(t, at(start(t).Call)) })
	t.Run("in Chromium", func(t *testing.T) { same(t, browse(t).timed) })
}

// stood is where a session stands.
type stood struct {
	Seq     uint64
	Applied int
	Done    bool
}

// filled feeds a journal to a new session and times the run to its end.
func filled(t *testing.T, p place, journal []byte) (stood, time.Duration) {
	t.Helper()
	made, _ := done[struct{ ID int }](t, p, `{"op":"session.new"}`, nil)
	done[struct{}](t, p, fmt.Sprintf(`{"op":"session.feed","id":%d}`, made.ID), journal)
	s, took := done[stood](t, p, fmt.Sprintf(`{"op":"session.run","id":%d,"to":{"idle":true},"most":1000000}`, made.ID), nil)
	done[struct{}](t, p, fmt.Sprintf(`{"op":"free","id":%d}`, made.ID), nil)
	if !s.Done {
		t.Fatalf("the run was cut: %+v", s)
	}
	return s, took
}

// TestFillSpeed measures how long it takes to place many asks at once, and fails for no figure. QUERN_FILL=1 runs it.
func TestFillSpeed(t *testing.T) {
	if os.Getenv("QUERN_FILL") == "" {
		t.Skip("skipped, because it measures: QUERN_FILL=1 runs it")
	}
	places := []place{here(), browse(t).timed, at(start(t).Call)}
	rounds := []int{8, 12, 2} // browsers compile what runs often once more, and better
	for _, size := range []struct{ nodes, asks int }{{1_000, 20_000}, {10_000, 50_000}} {
		journal := journalgen.Fill(size.nodes, size.asks)
		best := []time.Duration{time.Hour, time.Hour, time.Hour}
		var native stood
		for i, p := range places {
			for range rounds[i] {
				found, took := filled(t, p, journal)
				best[i] = min(best[i], took)
				if i == 0 {
					native = found
				} else if found != native {
					t.Fatalf("expected %+v, found %+v", native, found)
				}
			}
		}
		t.Logf("%d nodes, %d asks, best of %v: natively %v, in Chromium %v (%.2f of native speed), under wazero %v (%.2f of native speed)", size.nodes, size.asks,
			rounds, best[0], best[1], best[0].Seconds()/best[1].Seconds(), best[2], best[0].Seconds()/best[2].Seconds())
	}
}
