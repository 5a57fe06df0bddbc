package main

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// The growth picture: a small chart for each growth, four to a row, with logarithmic scales.
const (
	chartWidth, chartHeight = 236, 170
	chartsInRow             = 4
	plotLeft, plotTop       = 42, 30
	plotWidth, plotHeight   = 180, 110
	lowestRatio             = 0.1
	highestRatio            = 1000
)

// growthPicture draws the growth tables of a page: each cost relative to that of the smallest size, and, dashed, what a cost
// in proportion to the size would be.
func growthPicture(page string) string {
	var charts []string
	for _, t := range growthsIn(page) {
		charts = append(charts, growthChart(t.what, t.along, t.steps))
	}
	rows := (len(charts) + chartsInRow - 1) / chartsInRow
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="t d" font-family="sans-serif">`+"\n",
		chartsInRow*chartWidth, rows*chartHeight)
	b.WriteString("<title id=\"t\">How costs grow</title>\n<desc id=\"d\">For each size that grows, the cost relative to the smallest size, on logarithmic scales. " +
		"The dashed line is a cost in proportion to the size.</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n")
	for i, chart := range charts {
		fmt.Fprintf(&b, "<g transform=\"translate(%d %d)\">\n%s</g>\n", i%chartsInRow*chartWidth, i/chartsInRow*chartHeight, chart)
	}
	return b.String() + "</svg>\n"
}

// grownTable is a growth table, whose costs are ratios.
type grownTable struct {
	what, along string
	steps       []step
}

// growthsIn reads the growth tables of a page.
func growthsIn(page string) (tables []grownTable) {
	inside := false
	for line := range strings.Lines(page) {
		cells := cellsOf(line)
		if len(cells) != 3 {
			inside = false
			continue
		}
		if cells[2] == "ratio" {
			what, along, _ := strings.Cut(cells[0], ", by ")
			tables, inside = append(tables, grownTable{what: what, along: along}), true
		}
		size, wrong := strconv.Atoi(strings.ReplaceAll(cells[0], ",", ""))
		ratio, wrongRatio := strconv.ParseFloat(cells[2], 64)
		if inside && wrong == nil && wrongRatio == nil {
			last := &tables[len(tables)-1]
			last.steps = append(last.steps, step{size: size, ratio: ratio})
		}
	}
	return tables
}

func growthChart(what, along string, steps []step) string {
	var b strings.Builder
	first, last := float64(max(steps[0].size, 1)), float64(max(steps[len(steps)-1].size, 2))
	at := func(size, ratio float64) string {
		x := plotLeft + plotWidth*math.Log(size/first)/math.Log(last/first)
		y := plotTop + plotHeight*math.Log(highestRatio/min(max(ratio, lowestRatio), highestRatio))/math.Log(highestRatio/lowestRatio)
		return fmt.Sprintf("%.1f,%.1f", x, y)
	}
	fmt.Fprintf(&b, `<text x="%d" y="12" font-size="11" fill="#222">%s</text>`+"\n", plotLeft, html.EscapeString(what))
	fmt.Fprintf(&b, `<text x="%d" y="24" font-size="10" fill="#555">by %s</text>`+"\n", plotLeft, html.EscapeString(along))
	for ratio := lowestRatio; ratio <= highestRatio; ratio *= 10 {
		from, to := at(first, ratio), at(last, ratio)
		fmt.Fprintf(&b, `<polyline points="%s %s" stroke="#ddd" fill="none"/>`+"\n", from, to)
		_, y, _ := strings.Cut(from, ",")
		fmt.Fprintf(&b, `<text x="%d" y="%s" dy="3" font-size="9" text-anchor="end" fill="#555">%s×</text>`+"\n", plotLeft-4, y, figure(ratio))
	}
	proportional := min(last, first*highestRatio)
	fmt.Fprintf(&b, `<polyline points="%s %s" stroke="#999" stroke-dasharray="4 3" fill="none"/>`+"\n", at(first, 1), at(proportional, proportional/first))
	points := make([]string, len(steps))
	for i, s := range steps {
		points[i] = at(float64(max(s.size, 1)), s.ratio)
		x, y, _ := strings.Cut(points[i], ",")
		fmt.Fprintf(&b, `<circle cx="%s" cy="%s" r="2.5" fill="#1763a6"/>`+"\n", x, y)
		fmt.Fprintf(&b, `<text x="%s" y="%d" font-size="9" text-anchor="middle" fill="#555">%s</text>`+"\n", x, plotTop+plotHeight+12, shortSize(s.size))
	}
	fmt.Fprintf(&b, `<polyline points="%s" stroke="#1763a6" stroke-width="2" fill="none"/>`+"\n", strings.Join(points, " "))
	return b.String()
}

// shortSize writes 10000 as 10k.
func shortSize(n int) string {
	switch {
	case n >= million && n%million == 0:
		return fmt.Sprintf("%dM", n/million)
	case n >= 1000 && n%1000 == 0:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprint(n)
}
