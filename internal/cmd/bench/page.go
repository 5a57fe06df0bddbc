package main

import (
	_ "embed"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"text/template"
	"time"
)

//go:embed page.md
var pageText string

// page fills in the page about performance. The counted table is that of -instructions.
func page(results []result, times int, took time.Duration, counted string) (string, error) {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return "", err
	}
	var tables, growths strings.Builder
	for i := range results {
		fmt.Fprintf(&tables, "\n### %s\n%s\n\n", results[i].name, wrap(results[i].about))
		results[i].table(&tables)
		results[i].growthTables(&growths)
	}
	var b strings.Builder
	err = t.Execute(&b, map[string]any{
		"Machine": machine(), "Times": times, "Took": took.Round(time.Second).String(), "Date": time.Now().UTC().Format(time.DateOnly),
		"Tables": tables.String(), "Growths": growths.String(), "Short": shortfalls(results),
		"Mixed": mixedShare(results[0]), "Counted": countedBegin + counted + countedEnd, "Picture": growthPictureName,
	})
	return b.String(), err
}

// printTables prints the tables alone.
func printTables(w io.Writer, results []result) {
	for i := range results {
		fmt.Fprintln(w)
		results[i].table(w)
	}
	for i := range results {
		results[i].growthTables(w)
	}
}

func (r *result) table(w io.Writer) {
	fmt.Fprint(w, "| workload | size |")
	for _, c := range r.columns {
		fmt.Fprintf(w, " %s |", header(c))
	}
	fmt.Fprintf(w, " wanted |\n|---|---|%s---|\n", strings.Repeat("--:|", len(r.columns)))
	for i := range r.rows {
		row := &r.rows[i]
		fmt.Fprintf(w, "| %s | %s |", row.name, sizeText(row.size))
		for j := range r.columns {
			fmt.Fprintf(w, " %s |", spreadText(row.spread(j)))
		}
		fmt.Fprintf(w, " %s |\n", r.wantedText(row))
	}
}

func header(c column) string {
	switch c.unit {
	case "":
		return c.name
	case perSecond:
		return c.name + c.unit
	}
	return c.name + ", " + c.unit
}

// spreadText prints the median, and the least and the most where they differ.
func spreadText(s spread) string {
	middle, least, most := figure(s.median), figure(s.least), figure(s.most)
	if least == most {
		return middle
	}
	return fmt.Sprintf("**%s** (%s – %s)", middle, least, most)
}

func (r *result) wantedText(row *row) string {
	var parts []string
	for _, c := range r.columns {
		if wanted, ok := row.wants(c); ok {
			parts = append(parts, c.name+" "+wish(c, wanted))
		}
	}
	return strings.Join(parts, ", ")
}

// wish prints a wanted figure with its bound.
func wish(c column, wanted float64) string {
	switch {
	case c.more:
		return "at least " + amount(c, wanted)
	case wanted == 0:
		return "0"
	}
	return "under " + amount(c, wanted)
}

// amount prints a figure with its unit.
func amount(c column, v float64) string {
	if c.unit == "" || c.unit == perSecond {
		return figure(v) + c.unit
	}
	return figure(v) + " " + c.unit
}

// shortfalls lists the medians that are not what is wanted.
func shortfalls(results []result) []string {
	var lines []string
	for _, r := range results {
		for i := range r.rows {
			row := &r.rows[i]
			for j, c := range r.columns {
				got := row.spread(j).median
				if wanted, ok := row.wants(c); ok && c.short(got, wanted) {
					name := row.name
					if size := sizeText(row.size); size != "" {
						name += ", " + size
					}
					lines = append(lines, fmt.Sprintf("%s: %s %s, wanted %s", name, c.name, amount(c, got), wish(c, wanted)))
				}
			}
		}
	}
	return lines
}

// mixedShare is the rate of fill-mixed as a part of that of fill at the same size.
func mixedShare(fills result) string {
	rates := map[string]float64{}
	size := ""
	for i := range fills.rows {
		row := &fills.rows[i]
		rates[row.name+sizeText(row.size)] = row.spread(fills.column(rate)).median
		if row.name == mixed {
			size = sizeText(row.size)
		}
	}
	return fmt.Sprintf("%.2f", rates[mixed+size]/rates[plain+size])
}

func (r *result) growthTables(w io.Writer) {
	for _, g := range r.growths {
		fmt.Fprintf(w, "\n| %s, by %s | %s | ratio |\n|--:|--:|--:|\n", g.what, g.along, g.unit)
		for _, s := range r.steps(g) {
			fmt.Fprintf(w, "| %s | %s | %.2f |\n", figure(float64(s.size)), figure(s.cost), s.ratio)
		}
	}
}

func sizeText(size []int) string {
	parts := make([]string, len(size))
	for i, n := range size {
		parts[i] = figure(float64(n))
	}
	return strings.Join(parts, " / ")
}

// figure prints three digits that count, and commas.
func figure(v float64) string {
	if v < 100 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	digits := strconv.FormatFloat(v, 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// lineWidth is where the page's text is broken.
const lineWidth = 120

func wrap(text string) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		if column > 0 && column+1+len(word) > lineWidth {
			b.WriteByte('\n')
			column = 0
		} else if column > 0 {
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

// machine says what the figures were measured on.
func machine() string {
	return fmt.Sprintf("%s, %d processors for the program, %s, %s/%s", processor(), runtime.GOMAXPROCS(0), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// processor is the model as Linux tells it.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "a processor of unknown model"
	}
	for line := range strings.Lines(string(text)) {
		if name, model, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(model)
		}
	}
	return "a processor of unknown model"
}
