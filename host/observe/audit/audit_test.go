package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/auth/authtest"
	"github.com/quern-project/quern/host/server"
)

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func open(t *testing.T, clock *authtest.Clock) (l *Log, path string, told *strings.Builder) {
	t.Helper()
	told = &strings.Builder{}
	path = filepath.Join(t.TempDir(), "audit.jsonl")
	l, err := Open(path, slog.New(slog.NewTextHandler(told, nil)), clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() }) // it may be closed
	return l, path, told
}

var ann = server.Actor{User: "ann", Groups: []string{"vision"}, From: "10.0.0.1"}

func TestALineSaysWhoChangedWhat(t *testing.T) {
	l, path, _ := open(t, authtest.NewClock())
	r := &server.Request{By: ann, Registers: []server.Registration{{Manager: "rm-1", User: "bob"}}, Inputs: []core.Input{
		{Event: &core.AddApp{ID: "a1"}}, {Event: &core.AddAsk{ID: "k1"}}, {Event: &core.AddAsk{ID: "k2"}},
		{Event: &core.SetConfig{Config: "abc"}}, {Event: &core.SetPolicy{PolicyModule: core.PolicyModule{Name: "p", SHA256: "00"}}}}}
	l.Applied(r, &server.Answer{First: 3, Last: 7, Decisions: []server.Decision{{Line: []byte(`{"seq":9,"at":"x"}`)}}}, nil)
	l.Applied(r, &server.Answer{}, errors.New("the store cannot write"))
	l.Applied(r, &server.Answer{First: 8, Last: 12, Refused: true}, nil)
	l.Refused(&server.Actor{From: "10.0.0.2"}, "PUT /v1/config", "unauthenticated")
	l.Changed(&server.Actor{}, "quern.toml", []Change{{Key: "client-rate", From: "3", To: "4"}})
	var list []Entry
	for line := range strings.Lines(text(t, path)) {
		var e Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Time == "" {
			t.Errorf("no time: %s", line)
		}
		e.Time = ""
		list = append(list, e)
	}
	found := fmt.Sprintf("%+v", list)
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	what := "Inputs:map[app.add:1 ask.add:2 config.set:1 policy.set:1] IDs:[a1 k1 k2 p rm-1] SHA256:[" + abc + " 00]"
	want := "[{Time: User:ann Groups:[vision] From:10.0.0.1 Action:applied What: Why: " + what + " First:3 Last:7 Seq:9 Changes:[]} " +
		"{Time: User:ann Groups:[vision] From:10.0.0.1 Action:failed What: Why:the store cannot write " + what + " First:0 Last:0 Seq:0 Changes:[]} " +
		"{Time: User:ann Groups:[vision] From:10.0.0.1 Action:applied What: Why:the scheduler refused an input " + what + " First:8 Last:12 Seq:0 Changes:[]} " +
		"{Time: User: Groups:[] From:10.0.0.2 Action:refused What:PUT /v1/config Why:unauthenticated Inputs:map[] IDs:[] SHA256:[] First:0 Last:0 Seq:0 Changes:[]} " +
		"{Time: User: Groups:[] From: Action:applied What:quern.toml Why: Inputs:map[] IDs:[] SHA256:[] First:0 Last:0 Seq:0 Changes:[{Key:client-rate From:3 To:4}]}]"
	if found != want {
		t.Errorf("found\n%s\nexpected\n%s", found, want)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("found %v, %v", info.Mode(), err)
	}
}

func TestALogThatWasMovedAwayIsBegunAnew(t *testing.T) {
	clock := authtest.NewClock()
	l, path, told := open(t, clock)
	l.Refused(&ann, "one", "")
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	clock.Pass(lookAgain)
	l.Refused(&ann, "two", "")
	if first, second := text(t, path+".1"), text(t, path); !strings.Contains(first, "one") || strings.Contains(first, "two") || !strings.Contains(second, "two") {
		t.Errorf("found %s and %s", first, second)
	}
	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	clock.Pass(lookAgain)
	l.Refused(&ann, "three", "")
	clock.Pass(lookAgain)
	l.Refused(&ann, "four", "")
	if n := strings.Count(told.String(), "the audit log cannot be written"); n != 1 {
		t.Errorf("it was told %d times: %s", n, told)
	}
}
