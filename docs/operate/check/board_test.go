package check

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// board is what Grafana reads of a dashboard, as far as it is checked here.
type board struct {
	UID           string `json:"uid"`
	Title         string `json:"title"`
	SchemaVersion int    `json:"schemaVersion"`
	Templating    struct {
		List []struct{ Name, Type, Query string }
	}
	Annotations struct {
		List []struct{ Name, Expr string }
	}
	Panels []struct {
		ID         int
		Type       string
		Title      string
		Datasource struct{ Type, UID string }
		GridPos    struct{ H, W, X, Y int }
		Targets    []struct{ RefID, Expr string }
		Options    json.RawMessage
	}
}

// variables are what stands for those of the board in a query.
var variables = strings.NewReplacer("$job", "quern", "$instance", ".*", "$queue", "root.*", "$__rate_interval", "5m")

var labelValues = regexp.MustCompile(`^label_values\((.+), (\w+)\)$`)

func TestTheBoardAsksForMetricsThatThereAre(t *testing.T) {
	var b board
	d := json.NewDecoder(strings.NewReader(read(t, "../quern-board.json")))
	if err := d.Decode(&b); err != nil {
		t.Fatal(err)
	}
	if b.UID == "" || b.Title == "" || b.SchemaVersion < 36 {
		t.Errorf("found the board %q, %q of the schema %d", b.UID, b.Title, b.SchemaVersion)
	}
	metrics := documented(t)
	names := map[string]bool{"__rate_interval": true}
	for _, v := range b.Templating.List {
		names[v.Name] = true
		if v.Type != "query" {
			continue
		}
		m := labelValues.FindStringSubmatch(v.Query)
		if m == nil {
			t.Errorf("the variable %s: expected label_values, found %s", v.Name, v.Query)
			continue
		}
		check(t, "the variable "+v.Name, fmt.Sprintf("sum by (%s) (%s)", m[2], variables.Replace(m[1])), metrics, nil)
	}
	for _, a := range b.Annotations.List {
		check(t, "the annotation "+a.Name, variables.Replace(a.Expr), metrics, nil)
	}
	for _, p := range b.Panels {
		for _, q := range p.Targets {
			check(t, p.Title, variables.Replace(q.Expr), metrics, nil)
			for _, m := range regexp.MustCompile(`\$(\w+)`).FindAllStringSubmatch(q.Expr, -1) {
				if !names[m[1]] {
					t.Errorf("%s: there is no variable %s", p.Title, m[1])
				}
			}
		}
	}
}

func TestTheBoardIsLaidOutWithoutOverlap(t *testing.T) {
	var b board
	if err := json.Unmarshal([]byte(read(t, "../quern-board.json")), &b); err != nil {
		t.Fatal(err)
	}
	ids, taken := map[int]bool{}, map[[2]int]string{}
	for _, p := range b.Panels {
		if ids[p.ID] || p.ID == 0 || p.Title == "" {
			t.Errorf("the panel %q has the ID %d, which another has, or none", p.Title, p.ID)
		}
		ids[p.ID] = true
		refs := map[string]bool{}
		for _, q := range p.Targets {
			if refs[q.RefID] || q.RefID == "" {
				t.Errorf("%s: two queries have the name %q", p.Title, q.RefID)
			}
			refs[q.RefID] = true
		}
		if p.Type != "row" && (len(p.Targets) == 0 || p.Datasource.UID != "${datasource}" || p.Datasource.Type != "prometheus" || len(p.Options) == 0) {
			t.Errorf("%s has no queries, options or data source", p.Title)
		}
		g := p.GridPos
		if g.W < 1 || g.H < 1 || g.X < 0 || g.X+g.W > 24 {
			t.Errorf("%s lies outside of the grid: %+v", p.Title, g)
		}
		for x := g.X; x < g.X+g.W; x++ {
			for y := g.Y; y < g.Y+g.H; y++ {
				if other, ok := taken[[2]int{x, y}]; ok {
					t.Fatalf("%s lies over %s", p.Title, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
	}
}

func TestTheBoardShowsEveryMetricThatAnAlertIsAbout(t *testing.T) {
	alerts, _ := rules(t)
	text := read(t, "../quern-board.json")
	for _, r := range alerts {
		for _, name := range regexp.MustCompile(`\bquern_\w+`).FindAllString(r.Expr, -1) {
			if !strings.Contains(text, name) && name != "quern_start_time_seconds" && name != "quern_store_snapshot_age_seconds" {
				t.Errorf("%s is about %s, which the board does not show", r.Alert, name)
			}
		}
	}
}
