package history

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/importing"
	"github.com/quern-project/quern/host/importing/importtest"
)

// imported makes a workload of the parts of a history.
func imported(t *testing.T, o importing.Options, parts ...string) (text, tally string, err error) {
	t.Helper()
	return importtest.Journal(t, o, importing.Layout{}, func(s *importing.Sink) error {
		r := NewReader(s)
		for _, part := range parts {
			if err := r.Read(strings.NewReader(part), "part"); err != nil {
				return err
			}
		}
		return r.Give()
	})
}

func expect(t *testing.T, want string, parts ...string) (tally string) {
	t.Helper()
	text, tally, err := imported(t, importing.Options{}, parts...)
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(text) != strings.TrimSpace(want) {
		t.Errorf("got\n%s", text)
	}
	importtest.Readable(t, text)
	return tally
}

const begin = `{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":4},"attributes":{"zone":"a"}}
{"at":"0s","type":"app.add","id":"a","queue":"root.q","tags":{"application.create.force":"true"}}
`

func TestAPlacedAskLastsAsLongAsItsAllocationDid(t *testing.T) {
	expect(t, `
{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":"4000m"},"attributes":{"zone":"a"}}
{"at":"1s","type":"app.add","id":"a","queue":"root.q","tags":{}}
{"at":"1s","type":"ask.add","id":"x","app":"a","resources":{"vcore":"1000m"},"constraints":{"zone":["a"]},"run":"5s"}
{"at":"9s","type":"tick"}`, begin+
		`{"at":"1s","type":"ask.add","id":"x","app":"a","resources":{"vcore":1},"constraints":{"placement":["by the recorded cluster"],"zone":["a"]}}
{"at":"3s","type":"ask.remove","id":"x"}
{"at":"3s","type":"allocation.restore","id":"x","app":"a","resources":{"vcore":1},"placed_on":"n"}
{"at":"5s","type":"allocation.release","id":"x"}
{"at":"5s","type":"allocation.restore","id":"x","app":"a","resources":{"vcore":2},"placed_on":"n"}
{"at":"8s","type":"allocation.release","id":"x"}
{"at":"9s","type":"tick"}
`)
}

func TestWhatRanBeforeTheHistoryRunsOnItsNode(t *testing.T) {
	tally := expect(t, `
{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":"4000m"},"attributes":{"zone":"a"}}
{"at":"0s","type":"app.add","id":"a","queue":"root.q","tags":{"application.create.force":"true"}}
{"at":"0s","type":"allocation.restore","id":"x","app":"a","resources":{"vcore":"1000m"},"placed_on":"n","run":"2s"}
{"at":"0s","type":"allocation.restore","id":"y","app":"a","resources":{"vcore":"1000m"},"placed_on":"n"}
{"at":"2s","type":"tick"}`, begin+
		`{"at":"0s","type":"allocation.restore","id":"x","app":"a","resources":{"vcore":1},"placed_on":"n"}
{"at":"0s","type":"allocation.restore","id":"y","app":"a","resources":{"vcore":1},"placed_on":"n"}
{"at":"2s","type":"allocation.release","id":"x"}
`)
	if !strings.Contains(tally, "note: 1 ask: still running at the end") {
		t.Error(tally)
	}
}

func TestAnAskThatWasNeverPlacedIsWithdrawn(t *testing.T) {
	expect(t, `
{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":"4000m"},"attributes":{"zone":"a"}}
{"at":"1s","type":"app.add","id":"a","queue":"root.q","tags":{}}
{"at":"1s","type":"ask.add","id":"x","app":"a","resources":{"vcore":"9000m"},"run":"3s"}
{"at":"4s","type":"ask.remove","id":"x"}
{"at":"4s","type":"tick"}`, begin+
		`{"at":"1s","type":"ask.add","id":"x","app":"a","resources":{"vcore":9},"constraints":{"placement":["by the recorded cluster"]}}
{"at":"4s","type":"ask.remove","id":"x"}
`)
}

func TestANodeThatGoesEndsWhatRanOnIt(t *testing.T) {
	expect(t, `
{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":"4000m"},"attributes":{"zone":"a"}}
{"at":"0s","type":"app.add","id":"a","queue":"root.q","tags":{"application.create.force":"true"}}
{"at":"0s","type":"allocation.restore","id":"x","app":"a","resources":{"vcore":"1000m"},"placed_on":"n","run":"7s"}
{"at":"7s","type":"node.remove","id":"n"}
{"at":"7s","type":"tick"}`, begin+
		`{"at":"0s","type":"allocation.restore","id":"x","app":"a","resources":{"vcore":1},"placed_on":"n"}
{"at":"7s","type":"node.remove","id":"n"}
`)
}

// Asks of one instant that end in another order are submitted in their own.
func TestAsksOfOneInstantKeepTheirOrder(t *testing.T) {
	ask := func(id string) string {
		return `{"at":"0s","type":"ask.add","id":"` + id + `","app":"a","resources":{"vcore":1},"constraints":{"placement":["by the recorded cluster"]}}` + "\n"
	}
	text, _, err := imported(t, importing.Options{}, begin+ask("x")+ask("y")+ask("z")+`{"at":"1s","type":"ask.remove","id":"y"}`+"\n"+`{"at":"2s","type":"ask.remove","id":"x"}`+"\n")
	if err != nil {
		t.Fatal(err)
	}
	x, y, z := strings.Index(text, `"ask.add","id":"x"`), strings.Index(text, `"ask.add","id":"y"`), strings.Index(text, `"ask.add","id":"z"`)
	if x < 0 || x > y || y > z {
		t.Errorf("got\n%s", text)
	}
}

// Between the parts, x ended, the node m went, and y went on.
func TestPartsAreOneHistory(t *testing.T) {
	expect(t, `
{"at":"0s","type":"node.add","id":"n","capacity":{"vcore":"4000m"},"attributes":{"zone":"a"}}
{"at":"0s","type":"node.add","id":"m","capacity":{"vcore":"1000m"}}
{"at":"0s","type":"app.add","id":"a","queue":"root.q","tags":{"application.create.force":"true"}}
{"at":"0s","type":"allocation.restore","id":"x","app":"a","resources":{"vcore":"1000m"},"placed_on":"n","run":"10s"}
{"at":"0s","type":"allocation.restore","id":"y","app":"a","resources":{"vcore":"1000m"},"placed_on":"n","run":"12s"}
{"at":"10s","type":"node.update","id":"n","capacity":{"vcore":"4000m"},"attributes":{"zone":"a"},"occupied":{}}
{"at":"10s","type":"node.remove","id":"m"}
{"at":"12s","type":"tick"}`, begin+
		`{"at":"0s","type":"node.add","id":"m","capacity":{"vcore":1}}
{"at":"0s","type":"allocation.restore","id":"x","app":"a","resources":{"vcore":1},"placed_on":"n"}
{"at":"0s","type":"allocation.restore","id":"y","app":"a","resources":{"vcore":1},"placed_on":"n"}
{"at":"9s","type":"tick"}
`, strings.ReplaceAll(begin, `"0s"`, `"10s"`)+
		`{"at":"10s","type":"allocation.restore","id":"y","app":"a","resources":{"vcore":1},"placed_on":"n"}
{"at":"12s","type":"allocation.release","id":"y"}
`)
}

func TestWhatIsNoHistoryIsRefusedByFileLineAndKey(t *testing.T) {
	for _, c := range []struct {
		name  string
		parts []string
		want  string
	}{
		{"run", []string{begin + `{"at":"1s","type":"ask.add","id":"x","app":"a","resources":{"vcore":1},"run":"1s"}`}, "part:3: expected a history"},
		{"unknown application", []string{`{"at":"1s","type":"ask.add","id":"x","app":"b","resources":{"vcore":1}}`}, `part:1: app: expected an application that was added before, found "b"`},
		{"order of parts", []string{`{"at":"5s","type":"tick"}`, `{"at":"4s","type":"tick"}`}, "part:1: at: expected the parts of a history in the order of their times"},
		{"a line cut off", []string{begin + `{"at":"1s","type":"ti`}, "part:3: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, _, err := imported(t, importing.Options{}, c.parts...); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("found %v", err)
			}
		})
	}
}

// A crash cuts the last line off; all others count.
func TestALineCutOffMayBeLeftOut(t *testing.T) {
	text, _, err := imported(t, importing.Options{SkipBad: 1}, begin+
		`{"at":"1s","type":"allocation.restore","id":"x","app":"a","resources":{"vcore":1},"placed_on":"n"}`+"\n"+`{"at":"2s","type":"allocation.rel`)
	if err != nil || !strings.Contains(text, `"allocation.restore","id":"x"`) {
		t.Errorf("%v\n%s", err, text)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(begin + `{"at":"0s","type":"allocation.restore","id":"x","app":"a","resources":{"vcore":1},"placed_on":"n"}`))
	f.Add([]byte(begin + `{"at":"1s","type":"ask.add","id":"x","app":"a","resources":{"vcore":1}}` + "\n" + `{"at":"2s","type":"ask.remove","id":"x"}`))
	f.Fuzz(func(t *testing.T, part []byte) {
		s := importing.NewSink(importing.Options{TempFolder: t.TempDir()})
		defer s.Close()
		r := NewReader(s)
		for range 2 { // whatever it is, the same again is a part or an error
			if err := r.Read(bytes.NewReader(part), "part"); err != nil {
				t.Fatal(err)
			}
		}
		if r.Give() != nil || s.Err() != nil {
			return
		}
		if err := s.Write(io.Discard, importing.Layout{Dates: true}); err != nil {
			t.Fatal(err)
		}
	})
}
