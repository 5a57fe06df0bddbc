package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/format"
)

// entry is a row of the table.
type entry struct {
	name, language, point string
	setup
}

var entries = []entry{
	{"fair (built in)", "Go", "node.score", setup{nodes: "fair"}},
	{"binpacking (built in)", "Go", "node.score", setup{nodes: "binpacking"}},
	{"binpack-tetris", "C", "node.score", setup{nodes: "binpack-tetris"}},
	{"gpu-frag", "Rust", "node.score", setup{nodes: "gpu-frag"}},
	{"zone-spread", "AssemblyScript", "node.score", setup{nodes: "zone-spread"}},
	{"drf", "Go", "queue.order, app.order", setup{queues: "drf", apps: "drf"}},
	{"weighted-fair", "AssemblyScript", "queue.order", setup{queues: "weighted-fair"}},
	{"deadline", "Rust", "app.order", setup{apps: "deadline"}},
	{"user-fair", "C", "app.order", setup{apps: "user-fair"}},
	{"sjf", "Rust", "app.order", setup{apps: "sjf"}},
	{"aging", "C", "app.order", setup{apps: "aging"}},
}

// The table stands between these lines of the page.
const (
	tableBegins = "<!-- table: written by `go run ./internal/cmd/gallery` -->\n"
	tableEnds   = "<!-- end of table -->\n"
)

// table runs the list under every policy and rewrites the rows of the page. Nothing is written unless all could be run.
func (g *gallery) table(ctx context.Context) error {
	var rows strings.Builder
	rows.WriteString("| policy | language | point | fill: allocated | GPUs in use | fragment | allocations/s | timed: allocated | allocations/s |\n")
	rows.WriteString("|---|---|---|--:|--:|--:|--:|--:|--:|\n")
	for _, e := range entries {
		if why := g.modules.missing(e.name); why != "" {
			_, err := fmt.Fprintf(g.out, "table: skipped, because of %s: %s\n", e.name, why)
			return err
		}
		row, err := g.row(ctx, e)
		if err != nil {
			return fmt.Errorf("table: %s: %w", e.name, err)
		}
		fmt.Fprint(g.out, row)
		rows.WriteString(row)
	}
	page := filepath.Join(g.root, "docs", "policies", "table.md")
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	head, rest, ok := bytes.Cut(text, []byte(tableBegins))
	_, tail, ended := bytes.Cut(rest, []byte(tableEnds))
	if !ok || !ended {
		return fmt.Errorf("%s: expected the lines %q and %q", page, tableBegins, tableEnds)
	}
	return safefile.Replace("table", page, []byte(string(head)+tableBegins+rows.String()+tableEnds+string(tail)))
}

func (g *gallery) row(ctx context.Context, e entry) (string, error) {
	filled, err := g.newCluster(ctx, e.setup, g.lists.nodes)
	if err != nil {
		return "", err
	}
	for _, p := range g.lists.pods {
		filled.submit(p)
	}
	if err := filled.decide(); err != nil {
		return "", err
	}
	placed, spent, used := filled.placed, filled.spent, float64(filled.used.gpu)/float64(g.lists.total.gpu)
	timed, err := g.timed(ctx, e.setup)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %.1f %% | %.1f %% | %s | %s | %s |\n", e.name, e.language, e.point, format.Grouped(placed), 100*used,
		100*filled.fragments(), rate(placed, spent), format.Grouped(timed.placed), rate(timed.placed, timed.spent)), nil
}

// rate is rounded to two digits: machines differ more.
func rate(n int, spent time.Duration) string {
	v := float64(n) / spent.Seconds()
	unit := 1.0
	for v/unit >= 100 {
		unit *= 10
	}
	return format.Grouped(int(float64(int(v/unit+0.5)) * unit))
}

// timed lets the pods come and go at their times, and ends when the last has come.
func (g *gallery) timed(ctx context.Context, s setup) (*cluster, error) {
	c, err := g.newCluster(ctx, s, g.lists.nodes)
	if err != nil {
		return nil, err
	}
	for _, in := range g.lists.timeline {
		if in.At > c.Now() {
			if err := c.decide(); err != nil {
				return nil, err
			}
			if err := c.goTo(in.At); err != nil {
				return nil, err
			}
		}
		if err := c.send(in); err != nil {
			return nil, err
		}
	}
	return c, c.decide()
}

// send applies an input of the timeline.
func (c *cluster) send(in core.Input) error {
	if ask, ok := in.Event.(*core.AddAsk); ok {
		_, leaf, _ := strings.Cut(c.lists.pods[c.lists.place[ask.ID]].app.Queue, ".")
		c.asks[ask.ID] = &placing{wants: amountsOf(ask.Resources), queue: leaf}
	}
	began := time.Now()
	c.Apply(&in)
	c.spent += time.Since(began)
	return c.enter(c.Take())
}
