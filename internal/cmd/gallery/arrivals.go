package main

import (
	"context"
	"fmt"
)

// point is how things stand after so many arrivals. All are shares of the cluster's GPUs, but the zones'.
type point struct {
	arrived   float64
	allocated float64
	fragment  float64
	zones     map[string]float64 // largest share of a type that a zone uses
}

// Arrivals go on until this part of the cluster's GPUs was asked for, a look every so many pods.
const (
	mostArrived = 1.3
	lookEvery   = 50
)

// arrivals lets the pods of the list come one after another, none of them leaving, and begins the list again until much
// more was asked for than there is. Runs are kept, for the pictures that share them.
func (g *gallery) arrivals(ctx context.Context, nodes string) ([]point, error) {
	if points, ok := g.arrived[nodes]; ok {
		return points, nil
	}
	fmt.Fprintf(g.out, "  arrivals under %s\n", nodes)
	c, err := g.newCluster(ctx, setup{nodes: nodes}, g.lists.nodes)
	if err != nil {
		return nil, err
	}
	points := []point{c.point(0)}
	var arrived int64
	for n := 0; float64(arrived) < mostArrived*float64(g.lists.total.gpu); n++ {
		p := g.lists.pods[n%len(g.lists.pods)].again(n / len(g.lists.pods))
		c.submit(p)
		if err := c.decide(); err != nil {
			return nil, err
		}
		arrived += p.wants.gpu
		if n%lookEvery == lookEvery-1 {
			points = append(points, c.point(arrived))
		}
	}
	g.arrived[nodes] = points
	return points, nil
}

func (c *cluster) point(arrived int64) point {
	all := float64(c.lists.total.gpu)
	return point{float64(arrived) / all, float64(c.used.gpu) / all, c.fragments(), c.zoneShares()}
}

func (c *cluster) zoneShares() map[string]float64 {
	free, all := map[string]amounts{}, map[string]amounts{}
	for _, n := range c.lists.nodes {
		zone := c.zone[n.ID]
		free[zone] = free[zone].plus(c.free[n.ID], 1)
		all[zone] = all[zone].plus(amountsOf(n.Capacity), 1)
	}
	shares := map[string]float64{}
	for zone, a := range all {
		shares[zone] = dominant(a.plus(free[zone], -1), a)
	}
	return shares
}

// dominant is the largest share of a type.
func dominant(used, all amounts) float64 {
	share := func(part, whole int64) float64 {
		if whole == 0 {
			return 0
		}
		return float64(part) / float64(whole)
	}
	return max(share(used.gpu, all.gpu), share(used.vcore, all.vcore), share(used.memory, all.memory))
}

// lineOf draws a figure of the points.
func lineOf(name string, points []point, of func(point) float64) series {
	s := series{name: name}
	for _, p := range points {
		s.x, s.y = append(s.x, 100*p.arrived), append(s.y, 100*of(p))
	}
	return s
}
