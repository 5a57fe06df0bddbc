package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
	"github.com/quern-project/quern/sdk/client"
)

// The cluster of a soak: it has room for all asks but those that no node is large enough for.
const (
	nodes       = 500
	nodeVcores  = 64
	leaves      = 40
	users       = 60
	writers     = 8  // half over HTTP, half over gRPC
	appsAtOnce  = 60 // of one writer
	asksAtOnce  = 4  // that one request adds, and later releases
	waves       = 2  // of asks that an application has at a time
	stepsPerApp = 4  // after so many steps of a writer an application ends and another begins
)

// sender applies inputs, which are lines of the journal.
type sender func(ctx context.Context, inputs []input) error

// input is one of those that a soak sends, in both of the forms that are sent.
type input struct {
	line    string
	message *quernv1.Input
}

func appAdd(id, queue, user string) input {
	return input{fmt.Sprintf(`{"type":"app.add","id":%q,"queue":%q,"user":%q}`, id, queue, user),
		&quernv1.Input{Input: &quernv1.Input_AppAdd{AppAdd: &quernv1.AppAdd{Id: id, Queue: queue, User: user}}}}
}

func appRemove(id string) input {
	return input{fmt.Sprintf(`{"type":"app.remove","id":%q}`, id), &quernv1.Input{Input: &quernv1.Input_AppRemove{AppRemove: &quernv1.AppRemove{Id: id}}}}
}

func askAdd(id, app string, milliVcore int64) input {
	return input{fmt.Sprintf(`{"type":"ask.add","id":%q,"app":%q,"resources":{"vcore":"%dm"}}`, id, app, milliVcore),
		&quernv1.Input{Input: &quernv1.Input_AskAdd{AskAdd: &quernv1.AskAdd{Id: id, App: app, Resources: vcore(milliVcore)}}}}
}

func askRemove(id string) input {
	return input{fmt.Sprintf(`{"type":"ask.remove","id":%q}`, id), &quernv1.Input{Input: &quernv1.Input_AskRemove{AskRemove: &quernv1.AskRemove{Id: id}}}}
}

func release(id string) input {
	return input{fmt.Sprintf(`{"type":"allocation.release","id":%q}`, id),
		&quernv1.Input{Input: &quernv1.Input_AllocationRelease{AllocationRelease: &quernv1.AllocationRelease{Id: id}}}}
}

func nodeAdd(id string, milliVcore int64) input {
	return input{fmt.Sprintf(`{"type":"node.add","id":%q,"capacity":{"vcore":"%dm"}}`, id, milliVcore),
		&quernv1.Input{Input: &quernv1.Input_NodeAdd{NodeAdd: &quernv1.NodeAdd{Id: id, Capacity: vcore(milliVcore)}}}}
}

func nodeRemove(id string) input {
	return input{fmt.Sprintf(`{"type":"node.remove","id":%q}`, id), &quernv1.Input{Input: &quernv1.Input_NodeRemove{NodeRemove: &quernv1.NodeRemove{Id: id}}}}
}

func vcore(milli int64) *quernv1.Resources {
	return &quernv1.Resources{Amounts: map[string]int64{"vcore": milli}}
}

// overHTTP sends lines.
func overHTTP(h *host) sender {
	return func(ctx context.Context, inputs []input) error {
		lines := make([]string, len(inputs))
		for i := range inputs {
			lines[i] = inputs[i].line
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.http+"/v1/inputs", strings.NewReader(strings.Join(lines, "\n")))
		if err != nil {
			return err
		}
		_, err = answer(request)
		return err
	}
}

// overGRPC sends messages. They have no idempotency keys, which a host would keep for a day.
func overGRPC(c *client.Client) sender {
	return func(ctx context.Context, inputs []input) error {
		r := &quernv1.SubmitRequest{}
		for i := range inputs {
			r.Inputs = append(r.Inputs, inputs[i].message)
		}
		_, err := c.Scheduler().Submit(ctx, r)
		return err
	}
}

// writer keeps as many applications at work as there are after its first steps: what it adds goes again.
type writer struct {
	name    string
	send    sender
	steps   int
	apps    []*application
	began   int           // applications
	ended   *atomic.Int64 // applications, of all writers
	latency *latencies
}

// application is one under way.
type application struct {
	id    string
	steps int
	waves [][]string // IDs of asks that were placed
	big   string     // an ask that waits until it is taken back
}

// step sends one request.
func (w *writer) step(ctx context.Context) error {
	inputs := w.next()
	began := time.Now()
	err := w.send(ctx, inputs)
	w.latency.add(time.Since(began))
	return err
}

// next makes up the inputs of one request.
func (w *writer) next() (inputs []input) {
	w.steps++
	if len(w.apps) == appsAtOnce && w.steps%stepsPerApp == 0 {
		inputs = w.apps[0].end(w.began)
		w.apps = w.apps[1:]
		w.ended.Add(1)
	}
	if len(w.apps) < appsAtOnce {
		w.began++
		a := &application{id: fmt.Sprintf("%s-%d", w.name, w.began)}
		w.apps = append(w.apps, a)
		inputs = append(inputs, appAdd(a.id, fmt.Sprintf("root.q%d", w.began%leaves), fmt.Sprintf("user%d", w.began%users)))
	}
	return append(inputs, w.apps[w.steps%len(w.apps)].work()...)
}

// work has an application ask, and release what it asked for some time ago.
func (a *application) work() (inputs []input) {
	a.steps++
	wave := make([]string, asksAtOnce)
	for i := range wave {
		wave[i] = fmt.Sprintf("%s-%d-%d", a.id, a.steps, i)
		inputs = append(inputs, askAdd(wave[i], a.id, 250*int64(i+1)))
	}
	a.waves = append(a.waves, wave)
	if len(a.waves) > waves {
		for _, id := range a.waves[0] {
			inputs = append(inputs, release(id))
		}
		a.waves = a.waves[1:]
	}
	if a.big == "" {
		a.big = a.id + "-big"
		return append(inputs, askAdd(a.big, a.id, 1000*2*nodeVcores))
	}
	return inputs
}

// end ends an application: every other one by taking it away, the others by themselves, since they have nothing left. One that never asked for
// anything does not end by itself.
func (a *application) end(n int) (inputs []input) {
	if n%2 == 0 || a.steps == 0 {
		return []input{appRemove(a.id)}
	}
	for _, wave := range a.waves {
		for _, id := range wave {
			inputs = append(inputs, release(id))
		}
	}
	if a.big != "" {
		inputs = append(inputs, askRemove(a.big))
	}
	return inputs
}

// flat is a configuration with queues below root, each with a guarantee.
func flat(queues, guaranteed int) string {
	var b strings.Builder
	b.WriteString("partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n")
	for i := range queues {
		fmt.Fprintf(&b, "    - {name: q%d, resources: {guaranteed: {vcore: %d}}}\n", i, guaranteed)
	}
	return b.String()
}

// configure puts a configuration in force.
func (h *host) configure(ctx context.Context, text string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, h.http+"/v1/config", strings.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("If-Match", "*")
	request.Header.Set("Content-Type", "application/yaml")
	_, err = answer(request)
	return err
}
