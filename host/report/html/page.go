package html

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"strings"
)

// uPlotVersion is the version of the library in assets/uplot.
const uPlotVersion = "1.6.32"

//go:embed assets/page.html assets/page.css assets/script assets/uplot
var assets embed.FS

// scripts are joined in this order, inside one function, so that nothing of them is global.
var scripts = []string{"format", "dom", "theme", "playground", "colours", "chart", "findings", "cluster", "tree", "detail", "limits", "waiting", "longest", "jobs", "gangs", "counts", "preemptions", "compared", "history", "main"}

// Page is a report that is ready to be written. It needs neither the books nor the scheduler any more.
type Page struct {
	page
	title, version string
}

// Draw makes the page of the run so far, which is to be over.
func (c *Collector) Draw(m Meta) *Page { return &Page{c.draw(m), m.Journal, m.Version} }

// Write writes the page, with the runs beside which it is shown; nil: it stands alone.
func (p *Page) Write(w io.Writer, beside *Comparison) error {
	p.Compared = comparedOf(beside)
	data, err := json.Marshal(p.page) // escapes <, > and &, so no name can end the element it stands in
	if err != nil {
		return err
	}
	style := asset("uplot/uPlot.min.css") + asset("page.css")
	script := asset("uplot/uPlot.iife.min.js") + "\n(function () {\n'use strict';\n"
	for _, name := range scripts {
		script += asset("script/" + name + ".js")
	}
	script += "})();\n"
	_, err = strings.NewReplacer(
		"%CSP%", Policy(style, script),
		"%TITLE%", html.EscapeString(p.title),
		"%VERSION%", html.EscapeString(p.version),
		"%UPLOT%", uPlotVersion,
		"%LICENSE%", html.EscapeString(asset("uplot/LICENSE")),
		"%STYLE%", style,
		"%DATA%", string(data),
		"%SCRIPT%", script,
	).WriteString(w, asset("page.html"))
	return err
}

// Style and ThemeScript give other pages the look of the report: the style sheet, and the script that follows the system's colours and
// the button with the ID theme.
func Style() string { return asset("page.css") }

// ThemeScript is the script of Style. Nothing of it is global.
func ThemeScript() string {
	return "(function () {\n'use strict';\n" + asset("script/dom.js") + asset("script/theme.js") + "applyTheme();\nsetUpTheme(() => {}, () => {});\n})();\n"
}

// asset returns an embedded file; that it exists is known when the program is built.
func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Policy forbids a page everything but its own style and script, by their hashes.
func Policy(style, script string) string {
	return "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script) +
		"; base-uri 'none'; form-action 'none'"
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
