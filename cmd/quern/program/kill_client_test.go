package program

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// reloader is the client that does nothing but change the configuration.
const reloader = "r"

// lastTurn is how many asks later an ask has ended, whether it was allocated or not.
const lastTurn = 15

// errUnanswered says that nobody knows whether a request was applied.
var errUnanswered = errors.New("no answer")

// client sends requests over HTTP, and remembers what it was told. Where it was told nothing, it sends the same again.
type client struct {
	name     string
	random   *rand.Rand
	n        int
	key      string // of the request under way
	keyless  bool   // the key is not sent
	body     string
	told     map[int]string // decisions, by seq
	requests int            // answered
	ranges   [][2]int       // numbers of inputs
	asks     []string       // that were acknowledged
	repeats  []repeatable
}

// repeatable is a request that was answered.
type repeatable struct {
	key, body string
	answer    answered
}

// answered is what a request is answered with.
type answered struct {
	First, Last int
	Decisions   []json.RawMessage
}

// next makes up a request.
func (c *client) next() {
	c.n++
	c.key = c.name + strconv.Itoa(c.n)
	if c.name == reloader {
		c.body = fmt.Sprintf(`{"type":"config.set","config":"partitions: [{name: default, queues: [{name: root, queues: [{name: default, resources: {max: {vcore: %d}}}]}]}]"}`, 30+c.random.IntN(40))
		return
	}
	a := askOf(c.name, c.n, c.random)
	lines := []string{fmt.Sprintf(`{"type":"ask.add","id":%q,"app":%q,"resources":{"vcore":%d}}`, a.id, a.app, a.vcores)}
	if a.first {
		lines = append([]string{fmt.Sprintf(`{"type":"app.add","id":%q,"queue":"root.default"}`, a.app)}, lines...)
	}
	for _, id := range a.released {
		lines = append(lines, fmt.Sprintf(`{"type":"allocation.release","id":%q}`, id))
	}
	for _, id := range a.removed {
		lines = append(lines, fmt.Sprintf(`{"type":"ask.remove","id":%q}`, id))
	}
	c.body = strings.Join(lines, "\n")
}

// someAsk is what a request asks for, and what it takes back.
type someAsk struct {
	id, app           string
	first             bool // of its application
	vcores            int64
	released, removed []string
}

// askOf makes up the n-th ask of a client. Those before it end now and then, and at the latest after some more.
func askOf(name string, n int, random *rand.Rand) someAsk {
	id := func(n int) string { return name + strconv.Itoa(n) }
	a := someAsk{id: id(n), app: fmt.Sprintf("%s-a%d", name, n/20), first: n%20 == 0, vcores: 1 + random.Int64N(4)}
	if early := n - lastTurn + 1 + random.IntN(lastTurn-1-mostUnderWay); early >= 0 { // not before it was surely answered: a repeat without a key would bring it again
		a.released = append(a.released, id(early))
	}
	if n >= lastTurn {
		a.released, a.removed = append(a.released, id(n-lastTurn)), append(a.removed, id(n-lastTurn))
	}
	return a
}

// send sends the request under way, and goes on to the next one when it is answered.
func (c *client) send(address string) error {
	err := c.once(address)
	if err == nil {
		c.next()
	}
	return err
}

// once sends the request under way.
func (c *client) once(address string) error {
	key := c.key
	if c.keyless {
		key = ""
	}
	a, err := postOnce(address, key, c.body)
	if err != nil {
		return fmt.Errorf("%s: %w", c.key, err)
	}
	c.hear(&a)
	return nil
}

// postOnce sends inputs with an idempotency key, which may be empty.
func postOnce(address, key, body string) (a answered, err error) {
	request, err := http.NewRequest(http.MethodPost, address+"/v1/inputs", strings.NewReader(body))
	if err != nil {
		return a, err
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return a, errors.Join(errUnanswered, err)
	}
	text, err := io.ReadAll(response.Body)
	_ = response.Body.Close() // it was read
	if err != nil || response.StatusCode == http.StatusServiceUnavailable {
		return a, errors.Join(errUnanswered, err)
	}
	if err := json.Unmarshal(text, &a); err != nil || response.StatusCode != http.StatusOK {
		return a, fmt.Errorf("the answer is %s %s", response.Status, text)
	}
	return a, nil
}

func (c *client) hear(a *answered) {
	for _, d := range a.Decisions {
		c.told[seqIn(string(d))] = string(d)
	}
	c.ranges = append(c.ranges, [2]int{a.First, a.Last})
	c.requests++
	if c.name != reloader && c.random != nil {
		c.asks = append(c.asks, c.key)
	}
	if !c.keyless {
		c.repeats = append(c.repeats, repeatable{c.key, c.body, *a})
	}
}

func seqIn(line string) int {
	var d struct{ Seq int }
	_ = json.Unmarshal([]byte(line), &d) // 0 of what is no decision
	return d.Seq
}

// run sends until the host is gone.
func (c *client) run(h *host, turn *turn) error {
	for turn.take() {
		if err := c.send(h.address); err != nil {
			if errors.Is(err, errUnanswered) {
				return nil
			}
			return err
		}
		turn.answered()
	}
	return nil
}

// report tells what it was told.
func (c *client) report(g *books) {
	for seq, line := range c.told {
		g.told(c.name, seq, line)
	}
	for _, r := range c.ranges {
		g.taken(c.name, r[0], r[1])
	}
	g.acknowledged(c.asks...)
	g.sent[c.name] = c.n
	clear(c.told)
	c.ranges, c.asks = nil, nil
}

// repeat sends the last request that was answered again, and an earlier one. Both get the first answer.
func (c *client) repeat(t *testing.T, address string) {
	t.Helper()
	if len(c.repeats) == 0 {
		return
	}
	last := len(c.repeats) - 1
	for _, n := range []int{last, c.random.IntN(len(c.repeats))} {
		r := &c.repeats[n]
		again, err := postOnce(address, r.key, r.body)
		if err != nil || again.First != r.answer.First || again.Last != r.answer.Last || fmt.Sprintf("%s", again.Decisions) != fmt.Sprintf("%s", r.answer.Decisions) {
			t.Errorf("the request %s was answered with\n%d to %d %s\nand a repeat with\n%d to %d %s (%v)", r.key, r.answer.First, r.answer.Last, r.answer.Decisions,
				again.First, again.Last, again.Decisions, err)
		}
	}
}

// allDecisions reads all decisions that a host has.
func allDecisions(t *testing.T, address string) []string {
	t.Helper()
	lines, _ := decisionsFrom(t, address, 1)
	return lines
}

// decisionsFrom reads the decisions of a host from a number on, or from the first one that it has. What is removed meanwhile is left out.
func decisionsFrom(t *testing.T, address string, from int) (lines []string, first int) {
	t.Helper()
	for first = from; ; {
		body, response := get(t, fmt.Sprintf("%s/v1/decisions?from=%d&limit=1000", address, first+len(lines)))
		switch {
		case response.StatusCode == http.StatusGone:
			var gone struct{ First int }
			if err := json.Unmarshal([]byte(body), &gone); err != nil || gone.First <= first+len(lines) {
				t.Fatalf("from %d: %s (%v)", first+len(lines), body, err)
			}
			first, lines = gone.First, nil
		case response.StatusCode != http.StatusOK:
			t.Fatalf("from %d: %s", first+len(lines), body)
		case body == "":
			return lines, first
		default:
			lines = append(lines, strings.Split(strings.TrimSuffix(body, "\n"), "\n")...)
		}
	}
}
