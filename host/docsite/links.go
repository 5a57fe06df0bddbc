package docsite

import (
	"fmt"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// relink makes the links of a document lead to files of the site. A link to a file of the repository that is not part of the site
// becomes plain text; a link or picture that leads nowhere is an error.
func (b *builder) relink(d *document) error {
	var outside []*ast.Link
	err := ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			destination, ok := b.leads(d, string(n.Destination))
			if !ok {
				outside = append(outside, n)
			}
			n.Destination = []byte(destination)
		case *ast.Image:
			destination, ok := b.leads(d, string(n.Destination))
			if !ok {
				return ast.WalkStop, fmt.Errorf("%s: the picture %s is not part of the site", d.source, n.Destination)
			}
			n.Destination = []byte(destination)
		}
		return ast.WalkContinue, nil
	})
	for _, l := range outside {
		unlink(l)
	}
	return err
}

// leads is where a link of a document leads on the site. Not ok: out of it.
func (b *builder) leads(d *document, link string) (string, bool) {
	if strings.Contains(link, "://") || strings.HasPrefix(link, "#") || strings.HasPrefix(link, "mailto:") {
		return link, true
	}
	file, anchor, found := strings.Cut(link, "#")
	if found {
		anchor = "#" + anchor
	}
	source := path.Join(path.Dir(d.source), file)
	if source == "README.md" {
		source = home // which is the README of the site
	}
	if b.docs[path.Join(source, "README.md")] != nil {
		source = path.Join(source, "README.md")
	}
	at := target(source)
	if b.docs[source] == nil && b.files[at] == nil {
		return link, false
	}
	return between(target(d.source), at) + anchor, true
}

// unlink puts the text of a link in its place.
func unlink(l *ast.Link) {
	parent := l.Parent()
	for n := l.FirstChild(); n != nil; {
		next := n.NextSibling()
		parent.InsertBefore(parent, l, n)
		n = next
	}
	parent.RemoveChild(parent, l)
}
