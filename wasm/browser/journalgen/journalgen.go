// Package journalgen makes journals for tests and measurements of the scheduler as a module: everything that may happen to
// a cluster, drawn from a seed. Only tests import it.
package journalgen

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/quern-project/quern/core/instant"
)

// Journal returns that many lines, their first ones a configuration and some nodes. The same seed gives the same bytes.
func Journal(seed uint64, lines int) []byte {
	g := &generator{random: rand.New(rand.NewPCG(seed, 1)), lines: lines}
	g.config()
	for range min(20, lines/4) {
		g.addNode()
	}
	for g.written < lines {
		g.any()
	}
	return g.out.Bytes()
}

// Fill returns a journal of one instant: nodes of 32 vcore and 128 GiB, and asks of 1 to 4 vcore in 8 queues.
func Fill(nodes, asks int) []byte {
	var out bytes.Buffer
	var queues strings.Builder
	for q := range 8 {
		fmt.Fprintf(&queues, `{name: q%d},`, q)
	}
	fmt.Fprintf(&out, `{"at":"0s","type":"config.set","config":"partitions: [{queues: [{name: root, queues: [%s]}]}]"}`+"\n", queues.String())
	for n := range nodes {
		fmt.Fprintf(&out, `{"at":"0s","type":"node.add","id":"n%d","capacity":{"vcore":32,"memory":"128Gi"}}`+"\n", n)
	}
	const perApp = 100
	for app := 0; app*perApp < asks; app++ {
		fmt.Fprintf(&out, `{"at":"0s","type":"app.add","id":"app%d","queue":"root.q%d"}`+"\n", app, app%8)
		count := min(perApp, asks-app*perApp)
		fmt.Fprintf(&out, `{"at":"0s","type":"ask.add","id":"ask%d","app":"app%d","resources":{"vcore":%d,"memory":"%dGi"},"count":%d}`+"\n",
			app, app, app%4+1, app%3*2+2, count)
	}
	return out.Bytes()
}

type generator struct {
	random  *rand.Rand
	out     bytes.Buffer
	at      time.Duration
	lines   int
	written int
	nodes   []string
	apps    []string
	asks    []string
	made    int
}

func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(&g.out, `{"at":%q,`+format+"}\n", append([]any{g.at.String()}, args...)...)
	g.written++
}

func (g *generator) chance(percent int) bool { return g.random.IntN(100) < percent }

func (g *generator) name(kind string) string {
	g.made++
	return fmt.Sprintf("%s%d", kind, g.made)
}

func pick(g *generator, list []string) string { return list[g.random.IntN(len(list))] }

// any writes one line, of what comes often more often.
func (g *generator) any() {
	if g.chance(30) {
		g.at = instant.Add(g.at, time.Duration(g.random.IntN(4000))*time.Millisecond)
	}
	switch n := g.random.IntN(1000); {
	case n < 3:
		g.config()
	case n < 20 || len(g.nodes) == 0:
		g.addNode()
	case n < 60:
		g.node()
	case n < 200 || len(g.apps) == 0:
		g.addApp()
	case n < 210:
		g.line(`"type":"app.remove","id":%q`, pick(g, g.apps))
	case n < 800 || len(g.asks) == 0:
		g.addAsk()
	default:
		g.ask()
	}
}

func (g *generator) addNode() {
	id := g.name("node")
	g.nodes = append(g.nodes, id)
	if len(g.nodes) > 24 {
		g.line(`"type":"node.remove","id":%q`, g.nodes[0])
		g.nodes = g.nodes[1:]
	}
	g.line(`"type":"node.add","id":%q,"capacity":{"vcore":%d,"memory":"%dGi","nvidia.com/gpu":%d},"attributes":{"zone":"z%d"}`,
		id, 4+g.random.IntN(29), 16+g.random.IntN(113), g.random.IntN(5), g.random.IntN(3))
}

func (g *generator) node() {
	id := pick(g, g.nodes)
	switch g.random.IntN(5) {
	case 0:
		g.line(`"type":"node.drain","id":%q`, id)
	case 1, 2:
		g.line(`"type":"node.resume","id":%q`, id)
	case 3:
		g.line(`"type":"node.update","id":%q,"capacity":{"vcore":%d,"memory":"64Gi"}`, id, 4+g.random.IntN(29))
	default:
		g.line(`"type":"node.remove","id":%q`, id)
	}
}

func (g *generator) addApp() {
	id := g.name("app")
	g.apps = append(g.apps, id)
	if len(g.apps) > 60 {
		g.line(`"type":"app.remove","id":%q`, g.apps[0])
		g.apps = g.apps[1:]
	}
	g.line(`"type":"app.add","id":%q,"queue":"root.%s","user":"u%d"`, id, pick(g, leaves()), g.random.IntN(9))
}

func leaves() []string { return []string{"prod.web", "prod.batch", "dev.a", "dev.b", "sandbox"} }

func (g *generator) addAsk() {
	id := g.name("ask")
	g.asks = append(g.asks, id)
	if len(g.asks) > 400 {
		g.asks = g.asks[100:]
	}
	var more strings.Builder
	if g.chance(90) {
		fmt.Fprintf(&more, `,"run":"%ds"`, g.random.IntN(300))
	}
	if g.chance(15) {
		fmt.Fprintf(&more, `,"count":%d`, 1+g.random.IntN(4))
	}
	if g.chance(40) {
		fmt.Fprintf(&more, `,"priority":%d`, g.random.IntN(100)-20)
	}
	if g.chance(5) {
		more.WriteString(`,"preemptable":false`)
	}
	if g.chance(3) {
		more.WriteString(`,"originator":true`)
	}
	if g.chance(5) {
		fmt.Fprintf(&more, `,"constraints":{"zone":["z%d"]}`, g.random.IntN(3))
	}
	if g.chance(2) {
		fmt.Fprintf(&more, `,"node":%q`, pick(g, g.nodes))
	}
	g.line(`"type":"ask.add","id":%q,"app":%q,"resources":{"vcore":%d,"memory":"%dGi"}%s`,
		id, pick(g, g.apps), 1+g.random.IntN(6), 1+g.random.IntN(16), more.String())
}

func (g *generator) ask() {
	id := pick(g, g.asks)
	switch g.random.IntN(4) {
	case 0:
		g.line(`"type":"ask.remove","id":%q`, id)
	case 1:
		g.line(`"type":"ask.update","id":%q,"priority":%d`, id, g.random.IntN(100))
	case 2:
		g.line(`"type":"tick"`)
	default:
		g.line(`"type":"allocation.release","id":%q`, id)
	}
}

// config writes a configuration, another one each time.
func (g *generator) config() {
	sorts := []string{"fifo", "fair", "stateaware"}
	text := fmt.Sprintf(`partitions:
- nodesortpolicy: {type: %s}
  queues:
  - name: root
    queues:
    - name: prod
      queues:
      - {name: web, properties: {priority.offset: "%d", preemption.delay: %ds}, resources: {guaranteed: {vcore: %d}}}
      - {name: batch, maxapplications: %d, properties: {application.sort.policy: %s, preemption.delay: 10s, preemption.intra-queue: enabled}, resources: {guaranteed: {vcore: %d}}}
    - name: dev
      resources: {max: {vcore: %d}}
      queues: [{name: a, properties: {application.sort.policy: %s}}, {name: b}]
    - {name: sandbox, properties: {priority.policy: fence, priority.offset: "-10"}, resources: {max: {memory: %dGi}}}
`, []string{"fair", "binpacking"}[g.random.IntN(2)], g.random.IntN(20), 1+g.random.IntN(20), 20+g.random.IntN(200), 5+g.random.IntN(20),
		sorts[g.random.IntN(3)], 20+g.random.IntN(100), 50+g.random.IntN(200), sorts[g.random.IntN(3)], 32+g.random.IntN(500))
	g.line(`"type":"config.set","config":%q`, text)
}
