package docsite

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/quern-project/quern"
)

// small is a tree of three pages in two groups.
func small() fstest.MapFS {
	return fstest.MapFS{
		"docs/README.md":      {Data: []byte("# All\n\n## First\n\n- [One](first/one.md): it\n- [Two](first/two.md)\n\n## Second\n\n- [Why](../RATIONALE.md)\n")},
		"docs/first/one.md":   {Data: []byte("# One page\n\n## A `part`\n\nSee [two](two.md#b), [a file](../e.yaml), [code](../../main.go).\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n")},
		"docs/first/two.md":   {Data: []byte("# Two\n\n## B\n\n![p](../images/p.svg)\n")},
		"docs/e.yaml":         {Data: []byte("a: 1\n")},
		"docs/images/p.svg":   {Data: []byte("<svg/>")},
		"RATIONALE.md":        {Data: []byte("# Why\n\nBecause.\n")},
		"plugins/x/README.md": {Data: []byte("# Other\n\n[home](../../docs/README.md)\n")},
	}
}

func built(t *testing.T, tree fs.FS) *Site {
	t.Helper()
	site, err := Build(tree)
	if err != nil {
		t.Fatal(err)
	}
	return site
}

func TestSite_PagesHaveGroupsAndNeighbours(t *testing.T) {
	site := built(t, small())
	one, two := string(site.Files["first/one.html"]), string(site.Files["first/two.html"])
	for _, c := range []struct{ page, want string }{
		{one, `<details open><summary>First</summary>`},
		{one, `<details><summary>Second</summary>`},
		{one, `<a href="one.html" aria-current="page">One</a>`},
		{one, `<a class="next" rel="next" href="two.html"><span>Next</span> Two</a>`},
		{one, `<h2 id="a-part">A <code>part</code></h2>`},
		{one, `<a href="two.html#b">two</a>, <a href="../e.yaml">a file</a>, code.`},
		{one, `<td align="right">2</td>`},
		{two, `<a class="previous" rel="prev" href="one.html">`},
		{two, `<a class="next" rel="next" href="../RATIONALE.html"><span>Next</span> Why</a>`},
		{string(site.Files["plugins/x/index.html"]), `<a href="../../index.html">home</a>`},
	} {
		if !strings.Contains(c.page, c.want) {
			t.Errorf("expected %s in\n%s", c.want, c.page)
		}
	}
}

func TestSite_SearchIndexHasSections(t *testing.T) {
	index := string(built(t, small()).Files[SearchIndex])
	for _, want := range []string{
		`{"p":"first/one.html#a-part","t":"One page","h":"A part","x":"See two, a file, code. a b 1 2"}`,
		`{"p":"RATIONALE.html","t":"Why","h":"","x":"Because."}`,
	} {
		if !strings.Contains(index, want) {
			t.Errorf("expected %s in\n%s", want, index)
		}
	}
}

func TestSite_WrongDocumentsAreRefused(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"docs/first/lost.md", "# Lost\n", "docs/README.md: expected the page docs/first/lost.md in one of its lists"},
		{"docs/README.md", "## A\n\n- [no](first/none.md)\n", "docs/README.md: docs/first/none.md: found no such page"},
		{"docs/README.md", "## A\n\n- [a](first/one.md)\n- [b](first/one.md)\n", "docs/README.md: docs/first/one.md is listed twice"},
		{"docs/README.md", "## A\n\n- nothing\n", `docs/README.md: expected an item with a link below a heading, found "nothing"`},
		{"docs/README.md", "# A\n", "docs/README.md: expected lists of pages below headings, found none"},
		{"docs/first/one.md", "![gone](gone.png)\n", "docs/first/one.md: the picture gone.png is not part of the site"},
	} {
		tree := small()
		tree[c.file] = &fstest.MapFile{Data: []byte(c.text)}
		if _, err := Build(tree); err == nil || err.Error() != c.want {
			t.Errorf("%s: expected the error %q, found %v", c.file, c.want, err)
		}
	}
	if _, err := Build(fstest.MapFS{}); err == nil || !strings.Contains(err.Error(), "no home page") {
		t.Errorf("expected an error about the home page, found %v", err)
	}
}

var (
	linkInPage   = regexp.MustCompile(`(?:href|src)="([^"]+)"`)
	anchorInPage = regexp.MustCompile(`id="([^"]+)"`)
)

// All links of the project's own site lead to a file of the site, and to a heading that it has.
func TestSite_LinksOfTheDocumentsLeadSomewhere(t *testing.T) {
	site := built(t, quern.Files)
	if site.Pages < 60 {
		t.Errorf("expected 60 pages or more, found %d", site.Pages)
	}
	anchors := map[string]bool{}
	for name, data := range site.Files {
		for _, m := range anchorInPage.FindAllSubmatch(data, -1) {
			anchors[name+"#"+string(m[1])] = true
		}
	}
	for name, data := range site.Files {
		if path.Ext(name) != ".html" || name == missing {
			continue
		}
		for _, m := range linkInPage.FindAllSubmatch(data, -1) {
			link, err := url.Parse(string(m[1]))
			if err != nil || link.Scheme != "" {
				continue
			}
			to := name
			if link.Path != "" {
				to = path.Join(path.Dir(name), link.Path)
			}
			if site.Files[to] == nil {
				t.Errorf("%s: %s leads nowhere", name, m[1])
			} else if link.Fragment != "" && !anchors[to+"#"+link.Fragment] {
				t.Errorf("%s: %s: the page has no such heading", name, m[1])
			}
		}
	}
}

func TestSite_IsServed(t *testing.T) {
	site := built(t, small())
	for _, c := range []struct {
		method, address string
		status          int
		kind, has       string
	}{
		{"GET", "/", 200, "text/html; charset=utf-8", "<h1 id=\"all\">All</h1>"},
		{"GET", "/first/one.html", 200, "text/html; charset=utf-8", "One page"},
		{"GET", "/e.yaml", 200, "text/plain; charset=utf-8", "a: 1"},
		{"GET", "/images/p.svg", 200, "image/svg+xml; charset=utf-8", "<svg/>"},
		{"GET", "/plugins/x/", 200, "text/html; charset=utf-8", "Other"},
		{"GET", "/plugins/x", 301, "text/html; charset=utf-8", "/plugins/x/"},
		{"GET", "/a/b/none.html", 404, "text/html; charset=utf-8", `<a href="/first/one.html">One</a>`},
		{"GET", "/../../etc/passwd", 404, "text/html; charset=utf-8", "No such page"},
		{"HEAD", "/", 200, "text/html; charset=utf-8", ""},
		{"POST", "/", 405, "text/plain; charset=utf-8", "expected GET or HEAD"},
	} {
		w := httptest.NewRecorder()
		site.ServeHTTP(w, httptest.NewRequest(c.method, "http://x"+c.address, http.NoBody))
		if w.Code != c.status || w.Header().Get("Content-Type") != c.kind || !strings.Contains(w.Body.String(), c.has) {
			t.Errorf("%s %s: expected %d, %s and %q, found %d, %s and %q", c.method, c.address, c.status, c.kind, c.has, w.Code, w.Header().Get("Content-Type"), w.Body)
		}
		if c.status != 301 && c.status != 405 && !strings.HasPrefix(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: found no policy of contents", c.address)
		}
	}
}

func TestSite_IsWrittenToFolders(t *testing.T) {
	site := built(t, small())
	folder := filepath.Join(t.TempDir(), "new")
	for range 2 { // into a new folder, and over the earlier site
		if err := site.Save(folder); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(filepath.Join(folder, "first", "one.html"))
	if err != nil || string(data) != string(site.Files["first/one.html"]) {
		t.Errorf("expected the page, found %q, %v", data, err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := site.Save(other); err == nil || !strings.Contains(err.Error(), "found other files") {
		t.Errorf("expected a refusal of a folder with other files, found %v", err)
	}
	if entries, _ := os.ReadDir(other); len(entries) != 1 {
		t.Errorf("the refused folder has %d files", len(entries))
	}
}
