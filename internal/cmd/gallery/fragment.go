package main

import (
	"cmp"
	"slices"
)

// shape is what some pods of the list want alike.
type shape struct {
	wants amounts
	pods  int
}

// shapesOf counts the shapes of the pods that want GPUs.
func shapesOf(pods []pod) []shape {
	counts := map[amounts]int{}
	for i := range pods {
		if pods[i].wants.gpu > 0 {
			counts[pods[i].wants]++
		}
	}
	shapes := make([]shape, 0, len(counts))
	for wants, n := range counts {
		shapes = append(shapes, shape{wants, n})
	}
	slices.SortFunc(shapes, func(a, b shape) int {
		return cmp.Or(cmp.Compare(a.wants.gpu, b.wants.gpu), cmp.Compare(a.wants.vcore, b.wants.vcore), cmp.Compare(a.wants.memory, b.wants.memory))
	})
	return shapes
}

const wholeGPU = 1000

// fragment is what the average pod of the list could not use of a node's free GPUs, in thousandths: all of them where
// it does not fit, and otherwise the broken one, unless it fits into that. It is measured with every shape of the list,
// not with those that the policy gpu-frag goes by.
func fragment(free amounts, shapes []shape) float64 {
	var unusable, pods float64
	broken := free.gpu % wholeGPU
	for _, s := range shapes {
		pods += float64(s.pods)
		switch {
		case !s.wants.fits(free):
			unusable += float64(s.pods) * float64(free.gpu)
		case broken < s.wants.gpu:
			unusable += float64(s.pods) * float64(broken)
		}
	}
	if pods == 0 {
		return 0
	}
	return unusable / pods
}
