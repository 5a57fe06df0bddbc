package playground

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// compiled are the modules of the playground, which make builds: a program that go build alone has made lacks them.
var compiled = []string{"core.wasm.gz", "features.wasm.gz", "later/policytest.wasm.gz"}

// building is the file that a folder of modules has while they are being compiled.
const building = "building"

// serviceWorker is the script that keeps the site in the browser. The list of all files goes before its code, so that a
// browser, which compares this script, finds a new version whenever a file has changed.
const serviceWorker = "offline.js"

// built is the playground that is part of the program.
type built struct {
	*site
	modules string // a folder in which modules that the program lacks may appear; empty: there is none
	worker  []byte // the code of the service worker
}

// Built serves the playground that is part of the program, whose pages may load what the policy allows. Modules that the
// program was compiled without are served from a folder as soon as they are there; empty: there is no such folder. Until then
// a request for one is answered with when to ask again, or how to get it. The error is that of a file that cannot be read.
func Built(files fs.FS, modules, policy string) (http.Handler, error) {
	s, err := newSite(files, policy)
	if err != nil {
		return nil, err
	}
	worker, err := fs.ReadFile(files, serviceWorker)
	return &built{s, modules, worker}, err
}

// Whole reports whether a program has all modules of its playground.
func Whole(files fs.FS) bool {
	return !slices.ContainsFunc(compiled, func(name string) bool {
		_, err := fs.Stat(files, name)
		return err != nil
	})
}

func (b *built) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, ok := requested(w, r)
	switch {
	case !ok:
	case name == serviceWorker:
		b.serveWorker(w, r)
	case b.all[name] == nil && slices.Contains(compiled, name):
		b.serveModule(w, r, name)
	default:
		b.serve(w, r, name)
	}
}

// serveWorker answers with the service worker and the list of the files that are there now.
func (b *built) serveWorker(w http.ResponseWriter, r *http.Request) {
	hashes := map[string]string{}
	for name, f := range b.all {
		hashes[name] = f.hash
	}
	for _, name := range compiled {
		if data, err := b.module(name); hashes[name] == "" && err == nil {
			hashes[name] = hashOf(data)
		}
	}
	delete(hashes, serviceWorker)
	list, err := json.Marshal(hashes) // sorted by name
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError) // cannot be: they are texts
		return
	}
	b.describe(w.Header(), types[".js"])
	script := fmt.Appendf(nil, "self.quernFiles=%s;\n%s", list, b.worker)
	w.Header().Set("ETag", `"`+hashOf(script)+`"`)
	http.ServeContent(w, r, serviceWorker, time.Time{}, bytes.NewReader(script))
}

// serveModule answers with a module that the program lacks, from the folder, or with the reason why it is not there.
func (b *built) serveModule(w http.ResponseWriter, r *http.Request, name string) {
	data, err := b.module(name)
	if err == nil {
		b.describe(w.Header(), types[".gz"])
		w.Header().Set("ETag", `"`+hashOf(data)+`"`)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	if _, err := os.Stat(filepath.Join(b.modules, building)); b.modules != "" && err == nil {
		w.Header().Set("Retry-After", "2")
		http.Error(w, name+" is still being compiled", http.StatusServiceUnavailable)
		return
	}
	http.Error(w, "this program was compiled without "+name+"; in a clone of the sources, make build compiles one with it, into build/quern", http.StatusNotFound)
}

// module reads a module from the folder.
func (b *built) module(name string) ([]byte, error) {
	if b.modules == "" {
		return nil, fs.ErrNotExist
	}
	return os.ReadFile(filepath.Join(b.modules, filepath.FromSlash(name)))
}
