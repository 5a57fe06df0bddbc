package server_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
)

const oneQueue = "partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]"

func TestConfigHealth_IsAState(t *testing.T) {
	clock := &livetest.Clock{}
	clock.Set(time.Hour)
	l := livetest.Start(t, func(o *server.Options) { o.Clock = clock })
	expect := func(when, inForce string, refused ...string) {
		t.Helper()
		h := l.ConfigHealth()
		var found []string
		for _, r := range h.Refused {
			found = append(found, fmt.Sprint(r.Source, r.File, " since ", r.Since, ": ", r.Errors))
		}
		if now := fmt.Sprint(h.Number, " ", h.Source, h.File, " since ", h.Since); now != inForce || fmt.Sprint(found) != fmt.Sprint(refused) {
			t.Errorf("%s: found %s, refused %q", when, now, found)
		}
	}
	set := func(text string) {
		t.Helper()
		source := l.Source()
		defer source.Close()
		var refused *server.RefusedConfigError
		if _, err := l.SetConfig(t.Context(), source, &server.Request{Inputs: []core.Input{{Event: &core.SetConfig{Config: text}}}}); err != nil && !errors.As(err, &refused) {
			t.Fatal(err)
		}
	}
	expect("at first", "0  since 0s")
	set("partitions: []")
	expect("one is refused", "0  since 0s", "api since 1h0m0s: [config:1:13: file: partitions: expected one partition, found an empty list]")
	clock.Set(time.Hour + time.Minute)
	set(oneQueue)
	expect("another one is taken", "1 api since 1h1m0s")
	l.RefuseConfig(errors.New("first\nsecond"))
	clock.Set(time.Hour + 2*time.Minute)
	l.RefuseConfig(errors.New("third"))
	expect("two were refused before they were submitted", "1 api since 1h1m0s", "api since 1h1m0s: [third]")
	l.WatchConfig(server.ConfigOrigin{File: "/f", Source: server.FromConfigMap})
	l.FaultConfig(errors.New("no file"))
	clock.Set(2 * time.Hour)
	l.FaultConfig(errors.New("no queues"))
	expect("a file is wrong, and wrong otherwise", "1 api since 1h1m0s", "configmap/f since 1h2m0s: [no queues]")
	if err := l.Configure(t.Context(), &server.Request{Inputs: []core.Input{{Event: &core.SetConfig{Config: oneQueue}}}, Applied: server.Applied{File: "/f", SHA256: server.SumOf(oneQueue)}}); err != nil {
		t.Fatal(err)
	}
	l.FaultConfig(nil)
	expect("it is right", "2 configmap/f since 2h0m0s")
}
