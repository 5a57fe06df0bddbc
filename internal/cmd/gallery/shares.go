package main

import (
	"context"
	"fmt"
)

// Fills look at the queues every so many allocations.
const fillStep = 100

// fill submits the whole list at once, without priorities, and looks at what the queues use while it is placed: a line
// for each queue, by the number of allocations.
func (g *gallery) fill(ctx context.Context, s setup, of func(used, all amounts) float64) (map[string]series, error) {
	fmt.Fprintf(g.out, "  a fill with queues by %q\n", s.queues)
	s.even = true
	c, err := g.newCluster(ctx, s, g.lists.nodes)
	if err != nil {
		return nil, err
	}
	for _, p := range g.lists.pods {
		c.submit(p)
	}
	lines := map[string]series{}
	for before := -1; c.placed > before; {
		before = c.placed
		for _, leaf := range leaves {
			line := lines[leaf]
			line.name = leaf
			line.x, line.y = append(line.x, float64(c.placed)), append(line.y, 100*of(c.queues[leaf], g.lists.total))
			lines[leaf] = line
		}
		if err := c.cycle(fillStep); err != nil {
			return nil, err
		}
	}
	return lines, nil
}
