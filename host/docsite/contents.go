package docsite

import (
	"errors"
	"fmt"
	"path"

	"github.com/yuin/goldmark/ast"
)

// contents is the order of the pages.
type contents struct {
	groups []group
	pages  []entry // all pages of the groups
}

// group is a heading of the home page with the list below it.
type group struct {
	Title string
	pages []entry
}

// entry is a page in the list of a group.
type entry struct{ title, source string }

// readContents reads the groups from the home page.
func readContents(d *document) (*contents, error) {
	if d == nil {
		return nil, fmt.Errorf("%s: found no home page", home)
	}
	c := &contents{}
	err := ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 2 {
				c.groups = append(c.groups, group{Title: plain(n, d.text)})
			}
		case *ast.ListItem:
			return ast.WalkSkipChildren, c.add(n, d)
		}
		return ast.WalkContinue, nil
	})
	if err == nil && len(c.pages) == 0 {
		err = fmt.Errorf("%s: expected lists of pages below headings, found none", home)
	}
	return c, err
}

var errFound = errors.New("found")

// add adds the page that an item of a list links to.
func (c *contents) add(item ast.Node, d *document) error {
	var link *ast.Link
	err := ast.Walk(item, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if l, ok := n.(*ast.Link); ok && entering {
			link = l
			return ast.WalkStop, errFound
		}
		return ast.WalkContinue, nil
	})
	if err != nil && !errors.Is(err, errFound) {
		return err
	}
	if link == nil || len(c.groups) == 0 {
		return fmt.Errorf("%s: expected an item with a link below a heading, found %q", home, plain(item, d.text))
	}
	e := entry{title: plain(link, d.text), source: path.Join(path.Dir(home), string(link.Destination))}
	if c.find(e.source) >= 0 {
		return fmt.Errorf("%s: %s is listed twice", home, e.source)
	}
	g := &c.groups[len(c.groups)-1]
	g.pages = append(g.pages, e)
	c.pages = append(c.pages, e)
	return nil
}

// find is the position of a page, or -1.
func (c *contents) find(source string) int {
	for i, p := range c.pages {
		if p.source == source {
			return i
		}
	}
	return -1
}

// rank orders documents: home, the pages of the contents, the others.
func (c *contents) rank(source string) int {
	if source == home {
		return -1
	}
	if i := c.find(source); i >= 0 {
		return i
	}
	return len(c.pages)
}
