// Command go is the golden policy in Go: every SDK has it in its language, and all answer with the same bytes.
package main

import (
	"math"

	wasm "github.com/quern-project/quern/sdk/go"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/policy"
)

func init() {
	g := &golden{}
	wasm.Serve(&policy.Policy{
		Manifest: abi.Manifest{
			Name:        "golden",
			Version:     "1.0.0",
			Description: "The policy that every SDK is tested with",
			Parameters:  map[string]abi.Parameter{"weight": {Type: abi.Number, Default: 1}},
			Points: map[string]abi.Spec{
				"app.order":   {Columns: []string{"used:vcore", "tag:rank=-1", "tag_code:team"}, Keys: 2, Depends: "row"},
				"ask.order":   {Columns: []string{"gang_size", "gang_min", "user_code", "placeholder"}, Keys: 3, Depends: "row"},
				"node.filter": {Columns: []string{"domain:rack", "domain_free:rack:vcore=-1", "domain_fits"}, Keys: 1, Depends: "ask"},
				"node.score":  {Columns: []string{"free:vcore", "ask:vcore"}, Keys: 1, Depends: "ask"},
				"queue.order": {Columns: []string{"pending_share"}, Keys: 1, Depends: "siblings"},
				"victim.rank": {Columns: []string{"walltime=-1", "ask_priority"}, Keys: 2, Depends: "row"},
			},
		},
		Configure: func(p policy.Parameters) error {
			g.weight = p.Number("weight")
			return nil
		},
		Texts: g.texts,
		Points: map[string]func(*abi.Frame) error{
			"app.order":   g.apps,
			"ask.order":   g.asks,
			"node.filter": g.filter,
			"node.score":  g.nodes,
			"queue.order": g.queues,
			"victim.rank": g.victims,
		},
	})
}

func main() {}

type golden struct {
	weight float64
	gold   float64 // code of the text, 0 where it has not come up
}

func (g *golden) texts(first uint32, texts []string) {
	for i, t := range texts {
		if t == "gold" {
			g.gold = float64(first) + float64(i)
		}
	}
}

// apps puts the least used and lowest ranked first, and of equals the team "gold".
func (g *golden) apps(f *abi.Frame) error {
	used, rank, team := f.Column(0), f.Column(1), f.Column(2)
	for i := range f.Asked {
		row := f.Row(i)
		f.Answer(row, 0, float64(used.At(row)*g.weight)+rank.At(row))
		f.Answer(row, 1, g.second(team.At(row)))
	}
	return nil
}

// asks puts gangs last that need more members than they have, placeholders before others, and of equals the user "gold" first.
func (g *golden) asks(f *abi.Frame) error {
	size, least, user, placeholder := f.Column(0), f.Column(1), f.Column(2), f.Column(3)
	for i := range f.Asked {
		row := f.Row(i)
		code, last := user.At(row), 1.0
		if code != 0 && code == g.gold {
			last = 0
		}
		f.Answer(row, 0, max(0, least.At(row)-size.At(row)))
		f.Answer(row, 1, -placeholder.At(row))
		f.Answer(row, 2, last)
	}
	return nil
}

// second is the second key of a team: which code it has must not matter.
func (g *golden) second(code float64) float64 {
	switch code {
	case 0:
		return 0
	case g.gold:
		return -1
	}
	return 1
}

// filter refuses racks without room for more asks than the weight, but not the one named "gold".
func (g *golden) filter(f *abi.Frame) error {
	rack, free, fits := f.Column(0), f.Column(1), f.Column(2)
	for i := range f.Asked {
		row, refused := f.Row(i), 2.0
		if free.At(row) > 0 {
			refused = 1
		}
		if code := rack.At(row); code != 0 && code == g.gold || fits.At(row) > g.weight {
			refused = 0
		}
		f.Answer(row, 0, refused)
	}
	return nil
}

// nodes likes those best that have most left beside the ask.
func (g *golden) nodes(f *abi.Frame) error {
	free, ask := f.Column(0), f.Column(1)
	for i := range f.Asked {
		row := f.Row(i)
		f.Answer(row, 0, (free.At(row)-ask.At(row))*g.weight)
	}
	return nil
}

// queues puts the smallest part of what is pending first.
func (g *golden) queues(f *abi.Frame) error {
	share, sum := f.Column(0), 0.0
	for i := range f.Asked {
		sum += share.At(f.Row(i))
	}
	for i := range f.Asked {
		row := f.Row(i)
		part := 0.0
		if sum != 0 {
			part = share.At(row) / sum
		}
		f.Answer(row, 0, part)
	}
	return nil
}

// victims puts the longest walltime first, an ask without one before all others, and of equals the lowest priority.
func (g *golden) victims(f *abi.Frame) error {
	walltime, priority := f.Column(0), f.Column(1)
	for i := range f.Asked {
		row := f.Row(i)
		first := -walltime.At(row) * g.weight
		if walltime.At(row) < 0 {
			first = math.Inf(-1)
		}
		f.Answer(row, 0, first)
		f.Answer(row, 1, priority.At(row))
	}
	return nil
}
