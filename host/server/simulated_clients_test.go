package server

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// simulatedClient sends requests, and remembers what it was told.
type simulatedClient struct {
	*simulatedServer
	source *Source
	waits  []handedIn
	keyed  []*simulatedRequest // with keys: answered, refused, or lost with the server
	n      int
}

// simulatedRequest is a request as its client knows it.
type simulatedRequest struct {
	Request
	first Answer // to it or a repeat; First is 0 until there was one
}

// handedIn is a request that was not answered yet.
type handedIn struct {
	*simulatedRequest
	ticket *Ticket
}

// connect begins with a server that has just started: whoever waited for the one before will not be answered.
func (c *simulatedClient) connect() {
	c.source, c.waits = c.server.Source(), nil
}

// act sends some requests: new ones, and some once more.
func (c *simulatedClient) act() {
	for range c.random.IntN(3) {
		switch {
		case c.chance(6) && len(c.keyed) > 0:
			c.count["repeats"]++
			c.send(c.keyed[c.random.IntN(len(c.keyed))])
		case c.chance(60):
			c.send(c.configuration())
		case c.chance(80):
			c.send(c.announcement())
		default:
			c.send(c.work())
		}
	}
	if c.chance(100) {
		c.source.Close() // what waits is still served
		c.source = c.server.Source()
	}
}

// send hands a request in.
func (c *simulatedClient) send(k *simulatedRequest) {
	sent := k.Request
	sent.Inputs = slices.Clone(k.Inputs) // the loop stamps them
	ticket, err := c.source.Enqueue(c.Context(), &sent)
	switch {
	case errors.Is(err, ErrBusy):
		c.count["requests that found no room"]++
	case errors.Is(err, ErrTooLarge):
		c.count["requests too large"]++
	case err != nil:
		c.Fatal(err)
	default:
		c.waits = append(c.waits, handedIn{k, ticket})
		if k.Key != "" && !slices.Contains(c.keyed, k) {
			c.keyed = append(c.keyed[max(0, len(c.keyed)-7):], k)
		}
	}
}

// burst sends more than may wait, and one request that is larger than any may be.
func (c *simulatedClient) burst() {
	ticks := func(n int) *simulatedRequest {
		return &simulatedRequest{Request: Request{Inputs: slices.Repeat([]core.Input{{Event: &core.Tick{}}}, n), Durable: true}}
	}
	for range 5 {
		c.send(ticks(waitingInputs / 4))
	}
	c.send(ticks(RequestInputs + 1))
}

func milliVcores(milli int64) resource.Set {
	return resource.NewSet(resource.Quantity{Type: resource.VCore, Value: milli})
}

// work is a request with nodes, applications and asks, good ones and bad ones.
func (c *simulatedClient) work() *simulatedRequest {
	id := func(kind string, n int) string { return fmt.Sprint(kind, c.random.IntN(n)) }
	r := Request{Durable: c.chance(8)}
	if c.chance(3) {
		c.n++
		r.Key = fmt.Sprint("key", c.n%50) // a key comes again, with other inputs or after a day
	}
	if c.chance(3) {
		r.By = Actor{User: id("user", 3), From: "127.0.0.1"}
	}
	for range 1 + c.random.IntN(4) {
		r.Inputs = append(r.Inputs, c.input(id))
	}
	return &simulatedRequest{Request: r}
}

func (c *simulatedClient) input(id func(string, int) string) core.Input {
	switch c.random.IntN(14) {
	case 0:
		return core.Input{Event: &core.AddNode{ID: id("n", 5), Capacity: milliVcores(4_000)}}
	case 1:
		change, node := c.random.IntN(3), id("n", 5)
		return core.Input{Event: []core.Event{&core.DrainNode{ID: node}, &core.ResumeNode{ID: node}, &core.RemoveNode{ID: node}}[change]}
	case 2, 3:
		return core.Input{Event: &core.AddApp{ID: id("a", 8), Queue: "root." + id("q", 2), User: id("user", 3)}}
	case 4:
		change, app := c.random.IntN(2), id("a", 12)
		return core.Input{Event: []core.Event{&core.RemoveApp{ID: app}, &core.Tick{}}[change]}
	case 5, 6:
		return core.Input{Event: &core.ReleaseAllocation{ID: id("k", 40)}}
	case 7:
		return core.Input{Event: &core.RemoveAsk{ID: id("k", 40)}}
	}
	ask := core.Input{Event: &core.AddAsk{ID: id("k", 40), App: id("a", 8), Resources: milliVcores(500 + 500*c.random.Int64N(4)),
		Ask: core.Ask{Priority: int32(c.random.IntN(3))}}}
	if c.chance(12) {
		ask.Ask().Predicate = "rm/fits"
	}
	return ask
}

// configurations that are put in force; the last ones are refused.
var configurations = []string{
	"{name: q0}, {name: q1}",
	"{name: q0, resources: {guaranteed: {vcore: 10}}, properties: {preemption.delay: 1s}}, {name: q1, resources: {max: {vcore: 15}}}",
	"{name: q0, properties: {application.sort.policy: fair, priority.offset: 3}}, {name: q1, resources: {guaranteed: {vcore: 12}}, properties: {preemption.delay: 2s}}",
	"{name: q1, maxapplications: 2}",
	"{name: q0, resources: {guaranteed: {vcore: 9}, max: {vcore: 3}}}",
	"{name: q0",
}

// configuration is a request that changes the configuration; some hold only for the one that the client knows of.
func (c *simulatedClient) configuration() *simulatedRequest {
	n := c.random.IntN(len(configurations))
	sort := ""
	if c.chance(2) {
		sort = " nodesortpolicy: {type: fickle},"
	}
	r := Request{Inputs: []core.Input{{Event: &core.SetConfig{Format: formatYAML,
		Config: "partitions: [{name: default," + sort + " queues: [{name: root, queues: [" + configurations[n] + "]}]}]"}}}}
	if c.chance(2) {
		known := c.server.view.Configuration()
		r.IfConfig = known.Tag()
	}
	c.count["configurations sent"]++
	return &simulatedRequest{Request: r}
}

// announcement is a request of the host's own: a policy module comes or goes.
func (c *simulatedClient) announcement() *simulatedRequest {
	in := core.Input{Event: &core.SetPolicy{PolicyModule: core.PolicyModule{Name: "fickle", SHA256: fmt.Sprint("0", c.random.IntN(3)), Manifest: fickleManifest}}}
	if c.chance(3) {
		in = core.Input{Event: &core.RemovePolicy{Name: "fickle"}}
	}
	return &simulatedRequest{Request: Request{Inputs: []core.Input{in}, announces: true}}
}

// hear reads the answers that came.
func (s *simulatedServer) hear() {
	for _, c := range s.clients {
		rest := c.waits[:0]
		for _, k := range c.waits {
			if len(k.ticket.request.done) == 0 {
				rest = append(rest, k)
			} else {
				c.answered(k)
			}
		}
		c.waits = rest
	}
}

// answered takes in the answer to a request.
func (c *simulatedClient) answered(k handedIn) {
	given, err := k.ticket.Wait(c.Context())
	switch {
	case errors.Is(err, ErrStoreFailed), errors.Is(err, ErrUndecided), errors.Is(err, ErrKeyReused), errors.Is(err, ErrConfigChanged):
		c.count["requests refused"]++
		return
	case err != nil:
		c.Fatal(err)
	}
	number := given.First
	for line := range bytes.Lines(k.ticket.request.lines) {
		c.hasInput(number, string(line[len(unstamped):]))
		number++
	}
	c.simulatedServer.acknowledged.add(given.Batch, given.Last)
	if number != given.Last+1 {
		c.Fatalf("%d inputs have the numbers %d to %d", len(k.Inputs), given.First, given.Last)
	}
	for i := range given.Decisions {
		d := &given.Decisions[i]
		if i > 0 && d.Seq() <= given.Decisions[i-1].Seq() {
			c.Fatalf("an answer has %s after %s", d, given.Decisions[i-1])
		}
		c.tell(d)
	}
	if k.Key != "" {
		c.compareRepeat(k.simulatedRequest, &given)
	}
}

// hasInput notes that a client knows of an input's number.
func (s *simulatedServer) hasInput(number uint64, line string) {
	if before, ok := s.inputs[number]; ok && before != line {
		s.Fatalf("input %d was acknowledged as %s and as %s", number, before, line)
	}
	s.inputs[number] = line
	s.last = max(s.last, number)
	s.count["inputs acknowledged"]++
}

// compareRepeat holds an answer against the first one to the same request, within a day.
func (c *simulatedClient) compareRepeat(k *simulatedRequest, given *Answer) {
	first := k.first
	if first.First == 0 || given.At > first.At+keyLife {
		k.first = *given
		return
	}
	if first.First != given.First || first.At != given.At || !equalLines(first.Decisions, given.Decisions) {
		c.Fatalf("%s was first answered with %d at %s and\n%s\nand a repeat with %d at %s and\n%s", k.Key, first.First, first.At,
			first.Decisions, given.First, given.At, given.Decisions)
	}
}

// tell notes that somebody knows of a decision.
func (s *simulatedServer) tell(d *Decision) {
	seq, text := d.Seq(), d.String()
	if before, ok := s.told[seq]; ok && before != text {
		s.Fatalf("decision %d was told as\n%s\nand now as\n%s", seq, before, text)
	} else if ok {
		return
	}
	s.told[seq] = text
	s.count["decisions told"]++
	decoded, err := decodeDecision(d.Line)
	value, problem := d.Value()
	if err != nil || problem != nil || !reflect.DeepEqual(value, decoded) {
		s.Fatalf("decision %d is\n%+v (%v)\nand its line\n%s (%v)", seq, value, problem, text, err)
	}
	switch value.Type {
	case core.PolicyFault:
		s.count["policy faults"]++
	case core.Preemption:
		s.count["preemptions"]++
	case core.ConfigAccepted:
		s.count["configurations in force"]++
	}
}
