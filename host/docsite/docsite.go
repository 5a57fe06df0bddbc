// Package docsite makes a site of the project's documents: pages with groups, search, and a previous and next page.
//
// The site needs nothing of its server but files, and works from the disk, too. The home page, docs/README.md, is the table of
// contents: its headings are the groups, its lists the pages in their order. `quern docs` serves or writes the site.
package docsite

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

//go:embed assets
var assets embed.FS

// Site is the files of a site, by their paths.
type Site struct {
	Files map[string][]byte
	Pages int
}

// The two files that every page loads besides its text, and the one that search loads.
var own = []string{"site.css", "site.js"}

// SearchIndex is the file that search loads. A folder that has it was written by this package.
const SearchIndex = "search-index.js"

// Build makes the site of the documents in a tree of files. An error names the page and its fault.
func Build(tree fs.FS) (*Site, error) {
	b := &builder{tree: tree, files: map[string][]byte{}, docs: map[string]*document{}}
	if err := b.read(); err != nil {
		return nil, err
	}
	contents, err := readContents(b.docs[home])
	if err != nil {
		return nil, err
	}
	b.contents = contents
	if err := b.complete(); err != nil {
		return nil, err
	}
	for _, d := range b.sorted() {
		if err := b.write(d); err != nil {
			return nil, err
		}
	}
	if err := b.writeMissing(); err != nil {
		return nil, err
	}
	if err := b.index(); err != nil {
		return nil, err
	}
	return &Site{Files: b.files, Pages: len(b.docs)}, nil
}

// home is the document of the first page.
const home = "docs/README.md"

// missing is the page for addresses without one.
const missing = "404.html"

// builder collects the files of a site.
type builder struct {
	tree     fs.FS
	docs     map[string]*document // by source
	contents *contents
	files    map[string][]byte
	sections []section
}

// read parses all documents and keeps the other files as they are.
func (b *builder) read() error {
	for _, name := range own {
		data, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return err
		}
		b.files[name] = data
	}
	return fs.WalkDir(b.tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(b.tree, name)
		if err != nil {
			return err
		}
		if path.Ext(name) == ".md" {
			b.docs[name] = parse(name, data)
		} else {
			b.files[target(name)] = data
		}
		return nil
	})
}

// target is where a file of the repository is on the site: documents at the top, the others by their own paths.
func target(name string) string {
	name = strings.TrimPrefix(name, "docs/")
	if folder, ok := strings.CutSuffix(name, "README.md"); ok {
		if folder == "" {
			return "index.html"
		}
		return folder + "index.html"
	}
	if stem, ok := strings.CutSuffix(name, ".md"); ok {
		return stem + ".html"
	}
	return name
}

// complete reports pages of docs that the table of contents lacks, and entries without a page.
func (b *builder) complete() error {
	if b.docs[home] == nil {
		return fmt.Errorf("%s: found no home page", home)
	}
	for _, p := range b.contents.pages {
		if b.docs[p.source] == nil {
			return fmt.Errorf("%s: %s: found no such page", home, p.source)
		}
	}
	for _, d := range b.sorted() {
		if strings.HasPrefix(d.source, "docs/") && d.source != home && b.contents.find(d.source) < 0 {
			return fmt.Errorf("%s: expected the page %s in one of its lists", home, d.source)
		}
	}
	return nil
}

// sorted returns the documents by their paths, those of the contents first and in its order.
func (b *builder) sorted() []*document {
	all := slices.SortedFunc(maps.Values(b.docs), func(x, y *document) int { return strings.Compare(x.source, y.source) })
	if b.contents == nil {
		return all
	}
	slices.SortStableFunc(all, func(x, y *document) int { return b.contents.rank(x.source) - b.contents.rank(y.source) })
	return all
}

// index writes the data of search, as a script: pages that are opened from a disk may not load JSON.
func (b *builder) index() error {
	var out bytes.Buffer
	out.WriteString("window.quernSearch = ")
	encoder := json.NewEncoder(&out)
	if err := encoder.Encode(b.sections); err != nil {
		return err
	}
	b.files[SearchIndex] = out.Bytes()
	return nil
}
