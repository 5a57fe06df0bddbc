// Package dashboard serves the dashboard of a live scheduler, and beside it the playground, in which the cluster can be opened as it is.
//
// Both are files that may be loaded without a token: what they show they ask of the API, with the token of the user. `quern serve` is the caller.
package dashboard

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/playground"
)

// unframed has no page show this one in a frame, where a click may mean something else than its user sees.
const unframed = "; frame-ancestors 'none'"

// contentPolicy lets the dashboard load what came with it and ask its own host, and nothing else.
const contentPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; " +
	"form-action 'none'" + unframed

// Dashboard serves the two pages.
type Dashboard struct {
	page, playground http.Handler
	keys             []byte // the table of keys, as the editor of the configuration reads it
}

// New makes a dashboard of the files of both pages, and of the folder in which modules that the playground lacks may appear.
func New(page, games fs.FS, modules string) (*Dashboard, error) {
	d := &Dashboard{}
	var failed [3]error
	d.page, failed[0] = playground.Site(page, contentPolicy)
	d.playground, failed[1] = playground.Built(games, modules, playground.ContentPolicy+unframed) // which shows the cluster
	d.keys, failed[2] = json.Marshal(keys())
	return d, errors.Join(failed[:]...)
}

// Routes are those of the pages. They need no token: they show nothing of the cluster.
func (d *Dashboard) Routes() []web.Route {
	return []web.Route{
		{Pattern: "GET /{$}", Needs: auth.Anyone, Handler: d.page},
		{Pattern: "GET /assets/", Needs: auth.Anyone, Handler: d.page},
		{Pattern: "GET /icon.svg", Needs: auth.Anyone, Handler: d.page},
		{Pattern: "GET /keys.json", Needs: auth.Anyone, Handler: http.HandlerFunc(d.table)},
		{Pattern: "GET /playground/", Needs: auth.Anyone, Handler: http.StripPrefix("/playground", d.playground)},
	}
}

// key is a row of the table of keys of the configuration.
type key struct {
	Name      string `json:"name"`
	Where     string `json:"where"`
	Type      string `json:"type"`
	Default   string `json:"default"`
	Inherited string `json:"inherited"`
	Meaning   string `json:"meaning"`
	Status    string `json:"status"`
}

func keys() (list []key) {
	for _, k := range config.Keys() {
		list = append(list, key{k.Key, k.Where, k.Type, k.Default, k.Inherited, k.Effect, string(k.Status)})
	}
	return list
}

// table answers with what the editor suggests.
func (d *Dashboard) table(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(d.keys) // who asked may be gone
}
