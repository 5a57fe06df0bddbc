package main

import (
	"context"
	"slices"
	"time"
)

var arrivedAxis = axis{"GPUs asked for so far, of all GPUs", upTo(125, 25), "%"}

// compare runs arrivals under a policy and the built-in orders, and draws a figure of each.
func (g *gallery) compare(ctx context.Context, policy string, of func(point) float64) ([]series, error) {
	var lines []series
	for _, o := range []struct{ name, style string }{{"fair", "one"}, {"binpacking", "two"}, {policy, "policy"}} {
		points, err := g.arrivals(ctx, o.name)
		if err != nil {
			return nil, err
		}
		line := lineOf(o.name, points, of)
		line.style = o.style
		lines = append(lines, line)
	}
	return lines, nil
}

// packing is the picture of a policy that packs.
func (g *gallery) packing(ctx context.Context, policy, title string) (string, error) {
	allocated, err := g.compare(ctx, policy, func(p point) float64 { return p.allocated })
	if err != nil {
		return "", err
	}
	fragments, err := g.compare(ctx, policy, func(p point) float64 { return p.fragment })
	if err != nil {
		return "", err
	}
	close := arrivedAxis
	close.ticks = []float64{80, 90, 100, 110, 120}
	return picture{
		title: title,
		about: "openb: pods of the list come one after another, and none leaves, until more was asked for than there is.",
		panels: []panel{
			{title: "GPUs allocated", x: close, y: axis{"", []float64{70, 75, 80, 85, 90, 95, 100}, "%"}, series: allocated},
			{title: "free GPUs that the average pod cannot use", x: arrivedAxis, y: axis{"", upTo(12, 4), "%"}, series: fragments},
		},
	}.draw(), nil
}

func (g *gallery) tetris(ctx context.Context) (string, error) {
	return g.packing(ctx, "binpack-tetris", "Asks go where what they want is what is left")
}

func (g *gallery) frag(ctx context.Context) (string, error) {
	return g.packing(ctx, "gpu-frag", "Whole GPUs stay whole, and asks find room until the cluster is full")
}

// zones draws how far the fullest zone is above the emptiest.
func (g *gallery) zones(ctx context.Context) (string, error) {
	apart, err := g.compare(ctx, "zone-spread", func(p point) float64 {
		least, most := 1.0, 0.0
		for _, share := range p.zones {
			least, most = min(least, share), max(most, share)
		}
		return most - least
	})
	if err != nil {
		return "", err
	}
	allocated, err := g.compare(ctx, "zone-spread", func(p point) float64 { return p.allocated })
	if err != nil {
		return "", err
	}
	return picture{
		title: "Four zones fill evenly",
		about: "openb, its nodes in four zones in turn: pods of the list come one after another, and none leaves.",
		panels: []panel{
			{title: "fullest zone less emptiest", x: arrivedAxis, y: axis{"", upTo(6, 2), "%"}, series: apart},
			{title: "GPUs allocated", x: arrivedAxis, y: axis{"", upTo(100, 25), "%"}, series: allocated},
		},
	}.draw(), nil
}

// The queue with the weight stands out.
var leafStyles = map[string]string{"be": "policy", "ls": "one", "burstable": "two", "guaranteed": "three"}

// contest draws what queues use while the whole list is placed, by fair and by a policy.
func (g *gallery) contest(ctx context.Context, policy, title, about string, weights map[string]int, y axis, of func(used, all amounts) float64) (string, error) {
	p := picture{title: title, about: about}
	for _, order := range []string{"fair", policy} {
		lines, err := g.fill(ctx, setup{queues: order, weights: weights}, of)
		if err != nil {
			return "", err
		}
		drawn := panel{title: order, x: axis{"allocations made", upTo(8000, 2000), ""}, y: y}
		for _, leaf := range leaves {
			line := lines[leaf]
			line.style = leafStyles[leaf]
			drawn.series = append(drawn.series, line)
		}
		p.panels = append(p.panels, drawn)
	}
	return p.draw(), nil
}

func (g *gallery) drf(ctx context.Context) (string, error) {
	return g.contest(ctx, "drf", "root.be, with weight 2, has twice the dominant share of root.ls while both want more",
		"openb, all pods at once, priorities off: the largest part of any type that each queue has while they are placed.",
		map[string]int{"be": 2}, axis{"", upTo(60, 20), "%"}, dominant)
}

func (g *gallery) weighted(ctx context.Context) (string, error) {
	cores := func(used, all amounts) float64 { return float64(used.vcore) / float64(all.vcore) }
	return g.contest(ctx, "weighted-fair", "root.be, with weight 2, has twice the cores of root.ls while both want more",
		"openb, all pods at once, priorities off: the part of all cores that each queue has while they are placed.",
		map[string]int{"be": 2}, axis{"", upTo(50, 10), "%"}, cores)
}

// users draws how much of their limits users have while the pods of all of them wait in one queue.
func (g *gallery) users(ctx context.Context) (string, error) {
	cores := int(g.lists.total.vcore / 1000)
	limits := map[string]int{"be": cores / 10, "burstable": cores / 50, "guaranteed": cores / 2000, "ls": cores / 4}
	p := picture{
		title: "Users fill their limits alike, whoever came first",
		about: "openb, all pods at once in one queue, each queue of the trace a user with a limit: how much of it each user has while they are placed.",
	}
	for _, order := range []string{"fifo", "user-fair"} {
		lines, err := g.fill(ctx, setup{apps: order, limits: limits}, func(used, _ amounts) float64 { return float64(used.vcore) / 1000 })
		if err != nil {
			return "", err
		}
		drawn := panel{title: order, x: axis{"allocations made", upTo(5000, 1000), ""}, y: axis{"of the own limit", upTo(100, 25), "%"}}
		for _, user := range leaves {
			line := lines[user]
			for i := range line.y {
				line.y[i] /= float64(limits[user])
			}
			line.style = leafStyles[user]
			drawn.series = append(drawn.series, line)
		}
		p.panels = append(p.panels, drawn)
	}
	return p.draw(), nil
}

// deadlines draws how late jobs are, the latest first.
func (g *gallery) deadlines(ctx context.Context) (string, error) {
	p := picture{
		title: "Fewer jobs are late when those go first that must start first",
		about: "openb at twice its speed on one node with 8 GPUs: pods of up to 6 h, due after 2, 4 or 16 times the time they run, and 10 min.",
	}
	lateness := panel{title: "jobs that are later than this", x: axis{"late by", upTo(6, 1), "h"}, y: axis{"", upTo(40, 10), "%"}}
	for _, o := range []struct{ name, style string }{{"fifo", "one"}, {"deadline", "policy"}} {
		late, err := g.late(ctx, o.name)
		if err != nil {
			return "", err
		}
		line := tail(late)
		line.name, line.style = o.name, o.style
		lateness.series = append(lateness.series, line)
	}
	p.panels = []panel{lateness}
	return p.draw(), nil
}

// tail is how many in a hundred are later than so many hours.
func tail(late []time.Duration) series {
	late = slices.Sorted(slices.Values(late))
	var s series
	for minutes := 0; minutes <= 6*60; minutes += 3 {
		at, _ := slices.BinarySearch(late, time.Duration(minutes)*time.Minute+1)
		s.x, s.y = append(s.x, float64(minutes)/60), append(s.y, 100*float64(len(late)-at)/float64(len(late)))
	}
	return s
}
