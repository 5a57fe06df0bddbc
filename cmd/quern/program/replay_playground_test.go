package program

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/cmd/quern/replaycmd"
)

// leads is how the report says that its run is opened in the playground.
func leads(t *testing.T, file string) (p struct {
	Command, Link string
	Hosted        bool
}) {
	t.Helper()
	_, text, _ := strings.Cut(read(t, file), `<script type="application/json" id="data">`)
	text, _, _ = strings.Cut(text, "</script>")
	data := struct{ Playground any }{&p}
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTheReportHoldsAShortRunForThePlayground(t *testing.T) {
	folder(t, map[string]string{"small.journal": small, "two.yaml": capped(2)})
	quern("", "replay", "--config", "two.yaml", "--until", "1m", "--report", "r.html", "--playground", "https://quern.example/", "small.journal").want(t, cli.Succeeded, "", "")
	p := leads(t, "r.html")
	if p.Command != "quern playground --config two.yaml small.journal" || !p.Hosted {
		t.Errorf("found %+v", p)
	}
	session, ok := strings.CutPrefix(p.Link, "https://quern.example/#s=")
	if !ok {
		t.Fatalf("found %+v", p)
	}
	packed, err := base64.RawURLEncoding.DecodeString(session)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		t.Fatal(err)
	}
	var scenario struct {
		T, J string
		B    float64
	}
	if err := json.Unmarshal(text, &scenario); err != nil {
		t.Fatal(err)
	}
	if scenario.T != "small.journal" || scenario.B != 60 || !strings.Contains(scenario.J, `"until":"1m0s"`) || strings.Count(scenario.J, "config.set") != 1 || !strings.Contains(scenario.J, `"id":"n1"`) {
		t.Errorf("found %+v", scenario)
	}
}

func TestOnlyAShortRunFromFilesIsHeldForThePlayground(t *testing.T) {
	folder(t, map[string]string{"small.journal": small, "bad": small + "junk\n", "long": small + strings.Repeat("#\n", replaycmd.MostPacked)})
	quern(small, "replay", "--report", "stdin.html", "-").want(t, cli.Succeeded, "", "")
	quern("", "replay", "--report", "bad.html", "bad").want(t, cli.BadInput, "", "junk")
	for _, file := range []string{"stdin.html", "bad.html"} {
		if p := leads(t, file); p.Command != "" || p.Link != "" {
			t.Errorf("%s: found %+v", file, p)
		}
	}
	quern("", "replay", "--report", "long.html", "long").want(t, cli.Succeeded, "", "")
	if p := leads(t, "long.html"); p.Command != "quern playground long" || p.Link != "http://127.0.0.1:7467/#given" || p.Hosted {
		t.Errorf("found %+v", p)
	}
}

func TestTheAddressOfAPlaygroundIsThatOfAPage(t *testing.T) {
	folder(t, map[string]string{"small.journal": small})
	for _, address := range []string{"quern.example", "ftp://quern.example/", "https://quern.example/#s=1", "javascript:alert(1)", "http://"} {
		quern("", "replay", "--report", "r.html", "--playground", address, "small.journal").want(t, cli.BadInput, "", "--playground: expected the address of a page")
	}
	quern("", "replay", "--playground", "https://quern.example/", "small.journal").want(t, cli.BadInput, "", "--playground: expected --report beside it")
}
