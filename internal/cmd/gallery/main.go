// Package main shows what the shipped policies do: it runs the lists of the public openb trace under each, beside the
// built-in orders, and writes a picture for each policy and the table that compares them.
//
//	QUERN_OPENB=FOLDER go run ./internal/cmd/gallery
//
// It is run from the root of the project, after plugins/build.sh. Without the lists, or for a policy that was not built,
// it says what it skipped and leaves what is there alone.
//
// lists.go reads the trace, cluster.go is a scheduler with the books that pictures need, the runs are in arrivals.go,
// shares.go, jobs.go and table.go, and chart.go draws.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/quern-project/quern/host/files/safefile"
)

// openbFolder names the variable that says where the lists of the public trace are.
const openbFolder = "QUERN_OPENB"

func main() {
	root := flag.String("root", ".", "the root (`DIR`) of the project")
	only := flag.String("only", "", "make only this: the name of a `POLICY`, pictures, or table")
	flag.Parse()
	if err := run(context.Background(), *root, *only, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root, only string, out io.Writer) error {
	folder := os.Getenv(openbFolder)
	if folder == "" {
		_, err := fmt.Fprintf(out, "skipped, because %s does not name the folder of the openb lists\n", openbFolder)
		return err
	}
	l, err := readLists(folder)
	if err != nil {
		return err
	}
	m, err := openModules(ctx, root, out)
	if err != nil {
		return err
	}
	g := gallery{lists: l, modules: m, root: root, out: out}
	err = g.make(ctx, only)
	if closed := m.close(ctx); err == nil {
		err = closed
	}
	return err
}

// gallery is what makes the pictures and the table.
type gallery struct {
	lists   *lists
	modules *modules
	root    string
	out     io.Writer
	arrived map[string][]point // runs of arrivals, by order of nodes: several pictures share them
}

func (g *gallery) make(ctx context.Context, only string) error {
	for _, name := range shipped {
		if slices.Contains(undrawn, name) || only != "" && only != name && only != "pictures" {
			continue
		}
		if why := g.modules.missing(name); why != "" {
			fmt.Fprintf(g.out, "%s: skipped, because %s\n", name, why)
			continue
		}
		svg, err := g.draw(ctx, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := safefile.Replace("picture", pictureOf(g.root, name), []byte(svg)); err != nil {
			return err
		}
		fmt.Fprintf(g.out, "%s: drawn\n", name)
	}
	if only != "" && only != "table" {
		return nil
	}
	return g.table(ctx)
}

// draw makes the picture of a policy.
func (g *gallery) draw(ctx context.Context, name string) (string, error) {
	if g.arrived == nil {
		g.arrived = map[string][]point{}
	}
	switch name {
	case "binpack-tetris":
		return g.tetris(ctx)
	case "gpu-frag":
		return g.frag(ctx)
	case "zone-spread":
		return g.zones(ctx)
	case "drf":
		return g.drf(ctx)
	case "weighted-fair":
		return g.weighted(ctx)
	case "user-fair":
		return g.users(ctx)
	}
	return g.deadlines(ctx)
}

func pictureOf(root, name string) string {
	return filepath.Join(root, "plugins", name, "picture.svg")
}

// shipped are the policies that ship, undrawn those without a picture.
var (
	shipped = []string{"binpack-tetris", "gpu-frag", "zone-spread", "drf", "weighted-fair", "deadline", "user-fair", "sjf", "aging"}
	undrawn = []string{"sjf", "aging"}
)

// builtIn says whether the scheduler has the order itself.
func builtIn(name string) bool { return !slices.Contains(shipped, name) }
