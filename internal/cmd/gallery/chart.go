package main

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"
)

// picture is what stands in a README: a title that says what is to be seen, and one or two panels side by side.
type picture struct {
	title, about string
	panels       []panel
}

// panel is a chart of lines, each with its name at its end.
type panel struct {
	title  string
	x, y   axis
	series []series
}

// axis goes from one tick to the last.
type axis struct {
	name  string
	ticks []float64
	unit  string
}

// series is a line; its style is a class of the sheet.
type series struct {
	name, style string
	x, y        []float64
}

// Sizes, in the units of the picture.
const (
	width, height    = 880, 400
	top, bottom      = 118, 338
	left, gap        = 62, 70
	nameRoom, oneRow = 112, 17
)

// draw writes the picture as SVG, readable on light and on dark.
func (p picture) draw() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="t d">`+"\n", width, height)
	fmt.Fprintf(&b, "<title id=\"t\">%s</title>\n<desc id=\"d\">%s</desc>\n%s\n", html.EscapeString(p.title), html.EscapeString(p.about), sheet)
	fmt.Fprintf(&b, `<rect class="sheet" width="%d" height="%d"/>`+"\n", width, height)
	fmt.Fprintf(&b, `<text class="head" x="20" y="34">%s</text>`+"\n", html.EscapeString(p.title))
	fmt.Fprintf(&b, `<text class="small soft" x="20" y="56">%s</text>`+"\n", html.EscapeString(p.about))
	each := (width - left - gap*(len(p.panels)-1)) / len(p.panels)
	for i, panel := range p.panels {
		panel.draw(&b, float64(left+i*(each+gap)), float64(each-nameRoom))
	}
	return b.String() + "</svg>\n"
}

// sheet has the colours: orange for the policy, blue and others beside it, told apart by dashes too.
const sheet = `<style>
  text { font: 14px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2933 }
  .head { font-size: 16px; font-weight: 600 } .small { font-size: 12px } .panel { font-size: 13px; font-weight: 600 } .end { text-anchor: end } .mid { text-anchor: middle }
  .sheet { fill: #fbfcfc } .soft { fill: #52606d } .grid { stroke: #dde2e6; stroke-width: 1 } .base { stroke: #7b8794; stroke-width: 1.2 }
  .line { fill: none; stroke-width: 2; stroke-linejoin: round } .name { font-size: 12.5px }
  .policy { stroke: #c8501d; stroke-width: 3 } .one { stroke: #0b6fb0 } .two { stroke: #52606d; stroke-dasharray: 7 4 } .three { stroke: #00785a; stroke-dasharray: 2 4; stroke-linecap: round }
  .ideal { stroke: #9aa5b1; stroke-width: 1.4; stroke-dasharray: 1 4; stroke-linecap: round }
  text.policy { fill: #b2441a; stroke: none; font-weight: 600 } text.one { fill: #0b6fb0; stroke: none } text.two { fill: #52606d; stroke: none }
  text.three { fill: #00785a; stroke: none } text.ideal { fill: #6b7682; stroke: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #e4e7eb } .sheet { fill: #161b20 } .soft { fill: #aab4be } .grid { stroke: #2c353d } .base { stroke: #7b8794 }
    .policy { stroke: #ff9a62 } .one { stroke: #6cb8f0 } .two { stroke: #aab4be } .three { stroke: #57c09a } .ideal { stroke: #7b8794 }
    text.policy { fill: #ff9a62 } text.one { fill: #6cb8f0 } text.two { fill: #aab4be } text.three { fill: #57c09a } text.ideal { fill: #97a3ae }
  }
</style>`

func (p panel) draw(b *strings.Builder, at, wide float64) {
	x := func(v float64) float64 { return at + wide*p.x.part(v) }
	y := func(v float64) float64 { return bottom - (bottom-top)*p.y.part(v) }
	fmt.Fprintf(b, `<text class="panel" x="%.0f" y="90">%s</text>`+"\n", at, html.EscapeString(p.title))
	for _, v := range p.y.ticks {
		fmt.Fprintf(b, `<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, at, y(v), at+wide, y(v))
		fmt.Fprintf(b, `<text class="small soft end" x="%.1f" y="%.1f">%s</text>`+"\n", at-8, y(v)+4, p.y.label(v))
	}
	fmt.Fprintf(b, `<line class="base" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/>`+"\n", at, bottom, at+wide, bottom)
	for _, v := range p.x.ticks {
		fmt.Fprintf(b, `<text class="small soft mid" x="%.1f" y="%d">%s</text>`+"\n", x(v), bottom+18, p.x.label(v))
	}
	fmt.Fprintf(b, `<text class="small soft mid" x="%.1f" y="%d">%s</text>`+"\n", at+wide/2, bottom+38, html.EscapeString(p.x.name))
	for _, s := range p.series {
		fmt.Fprintf(b, `<path class="line %s" d="%s"/>`+"\n", s.style, s.path(p.x, x, y))
	}
	p.names(b, at+wide+8, y)
}

// names writes each line's name beside its end, moved where two would meet.
func (p panel) names(b *strings.Builder, at float64, y func(float64) float64) {
	type name struct {
		*series
		at float64
	}
	var names []name
	for i := range p.series {
		if s := &p.series[i]; s.name != "" {
			names = append(names, name{s, y(s.last(p.x)) + 4})
		}
	}
	slices.SortStableFunc(names, func(a, b name) int { return cmp.Compare(a.at, b.at) })
	for i := 1; i < len(names); i++ {
		names[i].at = max(names[i].at, names[i-1].at+oneRow)
	}
	if n := len(names) - 1; n >= 0 && names[n].at > bottom+4 {
		names[n].at = bottom + 4
		for i := n - 1; i >= 0; i-- {
			names[i].at = min(names[i].at, names[i+1].at-oneRow)
		}
	}
	for _, n := range names {
		fmt.Fprintf(b, `<text class="name %s" x="%.1f" y="%.1f">%s</text>`+"\n", n.style, at, n.at, html.EscapeString(n.name))
	}
}

// path is the line as far as the axis goes, thinned to what can be seen.
func (s *series) path(a axis, x, y func(float64) float64) string {
	var b strings.Builder
	drawn := -1.0
	for i := range s.x {
		px := x(s.x[i])
		last := i == len(s.x)-1
		if s.x[i] > a.end() || s.x[i] < a.ticks[0] || !last && drawn >= 0 && px-drawn < 1.5 {
			continue
		}
		letter := "L"
		if b.Len() == 0 {
			letter = "M"
		}
		fmt.Fprintf(&b, "%s%.1f %.1f", letter, px, y(s.y[i]))
		drawn = px
	}
	return b.String()
}

// last is where the line ends.
func (s *series) last(a axis) float64 {
	v := 0.0
	for i := range s.x {
		if s.x[i] <= a.end() {
			v = s.y[i]
		}
	}
	return v
}

func (a axis) end() float64 { return a.ticks[len(a.ticks)-1] }

// part is how far along the axis a value lies, from 0 to 1.
func (a axis) part(v float64) float64 {
	return min(max((v-a.ticks[0])/(a.end()-a.ticks[0]), 0), 1)
}

func (a axis) label(v float64) string {
	return strings.TrimSpace(fmt.Sprintf("%g %s", v, a.unit))
}

// upTo returns ticks from 0 on.
func upTo(end, step float64) []float64 {
	var ticks []float64
	for v := 0.0; v <= end; v += step {
		ticks = append(ticks, v)
	}
	return ticks
}
