package docsite

import (
	"bytes"
	"fmt"
	"html/template"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
)

var layout = template.Must(template.ParseFS(assets, "assets/page.html"))

// page is what the layout shows.
type page struct {
	Title, Root    string // Root leads from the page to the top of the site
	Home           bool
	Groups         []shownGroup
	Headings       []shownLink
	Body           template.HTML
	Previous, Next *shownLink
}

type shownGroup struct {
	Title string
	Open  bool
	Pages []shownLink
}

type shownLink struct {
	Title, Href string
	Current     bool
}

// section is a part of a page below a heading, for search.
type section struct {
	Page    string `json:"p"`
	Title   string `json:"t"` // of the page
	Heading string `json:"h"`
	Text    string `json:"x"`
}

// write renders a document into a page of the site.
func (b *builder) write(d *document) error {
	at := target(d.source)
	if err := b.relink(d); err != nil {
		return err
	}
	var body bytes.Buffer
	if err := markdown.Renderer().Render(&body, d.text, d.root); err != nil {
		return fmt.Errorf("%s: %w", d.source, err)
	}
	b.collect(d, at)
	shown := page{Title: d.title, Root: strings.Repeat("../", strings.Count(at, "/")), Home: d.source == home,
		Body: template.HTML(body.String()), Headings: headings(d)} // the documents are the project's own
	b.navigate(&shown, d.source, at)
	return b.lay(at, shown)
}

// lay puts a page into the layout.
func (b *builder) lay(at string, shown page) error {
	var out bytes.Buffer
	if err := layout.Execute(&out, shown); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	b.files[at] = out.Bytes()
	return nil
}

// writeMissing writes the page for addresses without one. Its links begin at the top, since it is shown at any address.
func (b *builder) writeMissing() error {
	shown := page{Title: "No such page", Root: "/", Body: "<h1>No such page</h1>\n<p>No page has this address. The list of pages and the search lead to all of them.</p>"}
	b.navigate(&shown, missing, missing)
	for _, g := range shown.Groups {
		for i := range g.Pages {
			g.Pages[i].Href = "/" + g.Pages[i].Href
		}
	}
	return b.lay(missing, shown)
}

// navigate fills in the groups and the neighbours of a page.
func (b *builder) navigate(p *page, source, at string) {
	for _, g := range b.contents.groups {
		shown := shownGroup{Title: g.Title}
		for _, e := range g.pages {
			current := e.source == source
			shown.Open = shown.Open || current
			shown.Pages = append(shown.Pages, shownLink{Title: e.title, Href: between(at, target(e.source)), Current: current})
		}
		p.Groups = append(p.Groups, shown)
	}
	i := b.contents.find(source)
	if i < 0 && source != home {
		return // a page outside of the contents has no neighbours
	}
	neighbour := func(i int) *shownLink {
		if i < 0 || i >= len(b.contents.pages) {
			return nil
		}
		e := b.contents.pages[i]
		return &shownLink{Title: e.title, Href: between(at, target(e.source))}
	}
	p.Previous, p.Next = neighbour(i-1), neighbour(i+1)
}

// headings are the second-level headings of a document.
func headings(d *document) (all []shownLink) {
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			all = append(all, shownLink{Title: plain(h, d.text), Href: "#" + anchorOf(h)})
		}
	}
	return all
}

func anchorOf(h *ast.Heading) string {
	id, _ := h.AttributeString("id")
	bytes, _ := id.([]byte)
	return string(bytes)
}

// collect adds the sections of a document to the search index.
func (b *builder) collect(d *document, at string) {
	current := section{Page: at, Title: d.title}
	flush := func() {
		if current.Text = strings.TrimSpace(current.Text); current.Text != "" || current.Heading != "" {
			b.sections = append(b.sections, current)
		}
	}
	for n := d.root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			if h.Level > 1 {
				flush()
				current = section{Page: at + "#" + anchorOf(h), Title: d.title, Heading: plain(h, d.text)}
			}
			continue
		}
		current.Text += " " + plain(n, d.text)
	}
	flush()
}

// between is the relative path from a file of the site to another one.
func between(from, to string) string {
	down := strings.Split(path.Dir(from), "/")
	up := strings.Split(to, "/")
	if down[0] == "." {
		down = nil
	}
	for len(down) > 0 && len(up) > 1 && down[0] == up[0] {
		down, up = down[1:], up[1:]
	}
	return strings.Repeat("../", len(down)) + strings.Join(up, "/")
}
