package program

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/auth/authtest"
)

// populated is a live host in a process of its own with a folder of modules, and clients that load it.
type populated struct {
	*testing.T
	host          *host
	data, modules string
	clients       []*client
	seen          []string // decisions
}

func populate(t *testing.T) *populated {
	dir := t.TempDir()
	p := &populated{T: t, data: filepath.Join(dir, "data"), modules: filepath.Join(dir, "modules")}
	if err := os.Mkdir(p.modules, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("QUERN_POLICIES", p.modules)
	t.Setenv("QUERN_POLICY_CACHE", filepath.Join(dir, "cache"))
	t.Setenv("QUERN_POLICY_UPLOAD", "true")
	for i := range 3 {
		c := &client{name: string(rune('a' + i)), random: rand.New(rand.NewPCG(uint64(i), 5)), n: -1, told: map[int]string{}}
		c.next()
		p.clients = append(p.clients, c)
	}
	p.host = startHost(t, p.data)
	t.Cleanup(func() { p.host.kill(t) })
	nodes := ""
	for i := range 4 {
		nodes += fmt.Sprintf(`{"type":"node.add","id":"n%d","capacity":{"vcore":%d}}`+"\n", i, 6*(i+1))
	}
	setUp := &client{key: "set-up", told: map[int]string{}, body: nodes}
	if err := setUp.once(p.host.address); err != nil {
		t.Fatal(err)
	}
	return p
}

// move puts a file in its place at once.
func (p *populated) move(from, name string) {
	p.Helper()
	if err := os.Rename(from, filepath.Join(p.modules, name)); err != nil {
		p.Fatal(err)
	}
}

// loadUntil has clients send until a route answers with a text.
func (p *populated) loadUntil(route, text string) {
	p.Helper()
	stop := make(chan struct{})
	var sending sync.WaitGroup
	for _, c := range p.clients {
		sending.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := c.send(p.host.address); err != nil {
					p.Error(err)
					return
				}
			}
		})
	}
	defer sending.Wait()
	defer close(stop)
	soon(p.T, p.host.address+route, text)
}

// crash kills the host and starts it again. What it had decided must be there.
func (p *populated) crash() {
	p.Helper()
	p.seen = allDecisions(p.T, p.host.address)
	p.host.kill(p.T)
	p.host = startHost(p.T, p.data)
	p.keeps()
}

// told checks that the host has what clients were told, and nothing twice.
func (p *populated) told() {
	p.Helper()
	g := newBooks(p.T, true, map[string]int{"n0": 6000, "n1": 12000, "n2": 18000, "n3": 24000})
	for _, c := range p.clients {
		c.report(g)
	}
	g.look(p.T, p.host.address)
}

// keeps checks that what was decided before is there.
func (p *populated) keeps() {
	p.Helper()
	now := allDecisions(p.T, p.host.address)
	if len(now) < len(p.seen) || strings.Join(now[:len(p.seen)], "\n") != strings.Join(p.seen, "\n") {
		p.Fatal("what was decided is not there any more")
	}
	p.seen = now
}

// configure sorts nodes by a policy.
func (p *populated) configure(policy string) {
	p.Helper()
	text := "partitions: [{name: default, nodesortpolicy: {type: " + policy + "}, queues: [{name: root, queues: [{name: default}]}]}]"
	if status, body := p.send("PUT", "/v1/config", text, "If-Match", "*"); status != http.StatusOK {
		p.Fatal(body)
	}
}

func (p *populated) send(method, path, body string, headers ...string) (int, string) {
	p.Helper()
	request, err := http.NewRequest(method, p.host.address+path, strings.NewReader(body))
	if err != nil {
		p.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		p.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// replays checks that a replay of the exported journal decides what the host did, with the modules of its folder.
func (p *populated) replays() {
	p.Helper()
	decisions := allDecisions(p.T, p.host.address)
	p.host.kill(p.T)
	exported, modules := filepath.Join(p.TempDir(), "exported.jsonl"), filepath.Join(p.TempDir(), "exported")
	r := quern("", "journal", "export", "--modules", modules, p.data)
	r.want(p.T, cli.Succeeded, `"type":"policy.set"`, "")
	if err := os.WriteFile(exported, []byte(r.out), 0o600); err != nil {
		p.Fatal(err)
	}
	for _, folder := range []string{modules, p.data} {
		if r := quern("", "replay", "--policies", folder, "--out", "-", exported); !strings.HasPrefix(r.out, strings.Join(decisions, "\n")) {
			p.Errorf("the exported journal decides differently with %s: %s", folder, r.err)
		}
	}
	p.host = startHost(p.T, p.data)
}

// broken answers until it is asked about more than two nodes, which no trial does.
func broken() string {
	return strings.Replace(smallest, "QUERN_EACH(frame, row)", "int n = 0; QUERN_EACH(frame, row) n++; if (n > 2) __builtin_trap();\n  QUERN_EACH(frame, row)", 1)
}

func TestModules_ChangeUnderLoadAndThroughCrashes(t *testing.T) {
	built := t.TempDir()
	module(t, built, "one", smallest)
	module(t, built, "two", strings.Replace(smallest, "-quern_value(size, row)", "quern_value(size, row)", 1))
	module(t, built, "broken", strings.Replace(broken(), "-quern_value", "2 * quern_value", 1))
	p := populate(t)

	p.move(built+"/one.wasm", "smallest.wasm")
	p.loadUntil("/v1/policies/smallest", `"state":"serving"`)
	p.configure("smallest")
	p.loadUntil("/v1/policies/smallest", `"in_force":true`)
	p.crash()

	if err := os.WriteFile(filepath.Join(p.modules, "smallest.wasm"), []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.loadUntil("/v1/policies/smallest", `"refused":"`)
	if body, _ := get(t, p.host.address+"/v1/policies/smallest"); !strings.Contains(body, `"state":"serving"`) || !strings.Contains(body, "smallest.wasm: ") {
		t.Errorf("the version before does not go on: %s", body)
	}
	p.crash() // the version that serves is not in the folder any more
	if body, _ := get(t, p.host.address+"/v1/policies/smallest"); !strings.Contains(body, `"state":"serving"`) || !strings.Contains(body, `"refused":"`) {
		t.Errorf("the version before does not go on after a crash: %s", body)
	}

	p.move(built+"/two.wasm", "smallest.wasm")
	p.loadUntil("/v1/decisions?type=policy.fault", "")
	first, _ := get(t, p.host.address+"/v1/policies/smallest")
	p.loadUntil("/v1/policies/smallest", `"fuel":`) // shown where the folder has what serves
	if body, _ := get(t, p.host.address+"/v1/policies/smallest"); body == first || strings.Contains(body, "refused") {
		t.Errorf("found %s", body)
	}
	p.crash()

	p.move(built+"/broken.wasm", "smallest.wasm")
	p.loadUntil("/v1/policies/smallest", `"state":"quarantined"`)
	if body, _ := get(t, p.host.address+"/v1/policies/smallest"); !strings.Contains(body, `"last_fault":{"at":"`) || !strings.Contains(body, `"fallback":"fair"`) {
		t.Errorf("found %s", body)
	}
	metrics, _ := get(t, p.host.address+"/metrics")
	for _, series := range []string{`quern_policy_faults_total{policy="smallest",reason="`, `quern_policy_call_seconds_count{policy="smallest"} `, `quern_policy_quarantined{policy="smallest"} `} {
		if !strings.Contains(metrics, "\n"+series) {
			t.Errorf("the metrics have no %s", series)
		}
	}
	p.crash()

	if err := os.Remove(filepath.Join(p.modules, "smallest.wasm")); err != nil {
		t.Fatal(err)
	}
	p.loadUntil("/v1/decisions?type=policy.fault&limit=1000", `"reason":"removed"`)
	if _, r := get(t, p.host.address+"/v1/policies/smallest"); r.StatusCode != http.StatusNotFound {
		t.Errorf("found %s", r.Status)
	}
	p.crash()
	p.replays()
	p.told()
}

// A process is asked while its host serves, and never again about what was recorded: it is gone when the host is started again.
func TestARecordedProcessIsNotAskedByRecovery(t *testing.T) {
	p := populate(t)
	if out, err := exec.Command("go", "build", "-o", filepath.Join(p.modules, "slow"), "../../../host/replay/testdata/modules/slow").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(p.modules, "slow.toml"), []byte("[process]\ncommand = \"slow\"\n[limits]\ndeadline = \"1s\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	soon(t, p.host.address+"/v1/policies/slow", `"process":true`)
	p.configure("slow")
	// The first ask that this node could take finds the process too slow, which is recorded, too.
	if status, body := p.send("POST", "/v1/inputs", `{"type":"node.add","id":"seven","capacity":{"vcore":7}}`+"\n"); status != http.StatusOK {
		t.Fatal(body)
	}
	p.loadUntil("/v1/decisions?type=policy.fault", `"policy":"slow"`)
	first := p.host
	p.crash()
	if said := first.diagnostics.String(); strings.Count(said, "sandbox of the programs of policies") != 1 {
		t.Errorf("expected once what confines the program, found %s", said)
	}
	p.loadUntil("/v1/policies/slow", `"calls":`)

	for _, name := range []string{"slow", "slow.toml"} {
		if err := os.Remove(filepath.Join(p.modules, name)); err != nil {
			t.Fatal(err)
		}
	}
	p.crash()
	if body, _ := get(t, p.host.address+"/v1/decisions?type=policy.fault&limit=1000"); strings.Contains(body, "diverged") {
		t.Errorf("recovery asked the process: %s", body)
	}
	p.replays()
}

func TestAShadowSeesLiveTraffic(t *testing.T) {
	built := t.TempDir()
	module(t, built, "one", smallest)
	module(t, built, "largest", strings.NewReplacer("-quern_value(size, row)", "quern_value(size, row)", "smallest", "largest").Replace(smallest))
	p := populate(t)
	p.move(built+"/one.wasm", "smallest.wasm")
	soon(t, p.host.address+"/v1/policies/smallest", `"state":"serving"`)
	p.configure("smallest")
	if err := os.WriteFile(filepath.Join(p.modules, "largest.toml"), []byte("shadow_of = \"smallest\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.move(built+"/largest.wasm", "largest.wasm")
	p.loadUntil("/v1/policies/largest", `"shadows":[{"of":"smallest","point":"node.score","rounds":`)
	p.loadUntil("/v1/policies/largest", `"acting":"n0","shadow":"n3"`)
	before := p.seen
	p.crash()
	if body, _ := get(t, p.host.address+"/v1/policies/largest"); !strings.Contains(body, `"state":"shadow"`) {
		t.Errorf("found %s", body)
	}
	if p.replays(); len(before) > len(p.seen) {
		t.Error("decisions are missing")
	}
}

func TestModulesAreWrittenOverHTTPIfThatIsAllowed(t *testing.T) {
	built := t.TempDir()
	module(t, built, "one", smallest)
	module(t, built, "two", strings.Replace(smallest, "-quern_value(size, row)", "quern_value(size, row)", 1))
	p := populate(t)
	wasm := []string{"Content-Type", "application/wasm"}
	toml := []string{"Content-Type", "application/toml"}
	const route = "/v1/policies/smallest"
	expect := func(what, method, path, body string, headers []string, status int, text string) {
		t.Helper()
		if got, answer := p.send(method, path, body, headers...); got != status || !strings.Contains(answer, text) {
			t.Errorf("%s: found %d %s", what, got, answer)
		}
	}
	one, two := read(t, built+"/one.wasm"), read(t, built+"/two.wasm")
	expect("settings of nothing", "PUT", route, "", toml, 404, "not_found")
	expect("a first version", "PUT", route, one, wasm, 200, `"state":"serving"`)
	expect("no version before", "POST", route+"/rollback", "", nil, 409, `has no previous version`)
	expect("junk", "PUT", route, "junk", wasm, 422, "policy_refused")
	expect("a program", "PUT", "/v1/policies/evil", "[process]\ncommand = \"/bin/sh\"\n", toml, 404, "not_found")
	expect("a program in the place of a module", "PUT", route, "[process]\ncommand = \"/bin/sh\"\n", toml, 422, "process.command")
	expect("wrong settings", "PUT", route, "[limits]\nfuell = 3\n", toml, 422, "smallest.toml:2: ")
	expect("a shadow of nothing", "PUT", route, "shadow_of = \"nothing\"\n", toml, 422, "shadow_of")
	expect("after all that", "GET", route, "", nil, 200, `"fuel":1000000`)
	expect("good settings", "PUT", route, "[limits]\nfuel = 2000000\n", toml, 200, `"fuel":2000000`)
	expect("who may write", "GET", "/v1/policies", "", nil, 200, `"upload":"allowed"`)
	if _, body := p.send("GET", route, ""); !strings.Contains(body, `"previous":true`) {
		t.Errorf("there is no version before: %s", body) // with the other settings
	}
	expect("a second version", "PUT", route, two, wasm, 200, `"fuel":2000000`)
	expect("another type", "PUT", route, one, []string{"Content-Type", "text/plain"}, 415, "unsupported_media_type")
	expect("a name that leads elsewhere", "PUT", "/v1/policies/..%2Fx", one, wasm, 422, "policy_refused")
	expect("a built-in's name", "PUT", "/v1/policies/fair", one, wasm, 422, "policy_refused")
	expect("a parameter", "PUT", route+"?force=true", one, wasm, 400, "bad_parameter")
	if got := read(t, p.modules+"/smallest.wasm"); got != two {
		t.Error("the second version is not in the folder")
	}
	if err := os.WriteFile(p.modules+"/smallest.wasm", []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	soon(t, p.host.address+route, `"refused":"`)
	expect("the version that serves", "POST", route+"/rollback", "", nil, 200, `"state":"serving"`)
	if got := read(t, p.modules+"/smallest.wasm"); got != two {
		t.Error("the second version, which serves, is not in the folder again")
	}
	if _, body := p.send("GET", route, ""); strings.Contains(body, "refused") || read(t, p.modules+"/.refused/smallest.wasm") != "junk" {
		t.Errorf("the refused version counts: %s", body)
	}
	expect("the version before", "POST", route+"/rollback", "", nil, 200, `"state":"serving"`)
	if got := read(t, p.modules+"/smallest.wasm"); got != one {
		t.Error("the first version is not in the folder again")
	}
	form := "--b\r\nContent-Disposition: form-data; name=\"settings\"\r\n\r\n[limits]\nfuel = 3000000\n\r\n--b\r\nContent-Disposition: form-data; name=\"module\"\r\n\r\n" + two + "\r\n--b--\r\n"
	expect("both at once", "PUT", route, form, []string{"Content-Type", "multipart/form-data; boundary=b"}, 200, `"fuel":3000000`)
	expect("an empty form", "PUT", route, "--b--\r\n", []string{"Content-Type", "multipart/form-data; boundary=b"}, 400, "bad_input")
	expect("removed", "DELETE", route, "", nil, 200, `"removed":true`)
	expect("removed twice", "DELETE", route, "", nil, 404, "not_found")
	expect("put back", "POST", route+"/rollback", "", nil, 200, `"fuel":3000000`)
	expect("nothing before", "POST", "/v1/policies/other/rollback", "", nil, 404, "not_found")
	expect("by an input", "POST", "/v1/inputs", `{"type":"policy.remove","name":"smallest"}`, nil, 403, "policies_by_folder")
	p.crash()
	expect("after a crash", "GET", "/v1/policies", "", nil, 200, `{"items":[{"policy":"smallest","state":"serving"`)

	t.Setenv("QUERN_POLICY_UPLOAD", "false")
	p.crash()
	expect("who may write then", "GET", "/v1/policies", "", nil, 200, `"upload":"off"`)
	for _, c := range [][2]string{{"PUT", route}, {"DELETE", route}, {"POST", route + "/rollback"}} {
		expect("switched off", c[0], c[1], one, wasm, 403, "upload_off")
	}
}

func TestPolicies_ReaderSeesWhetherWritingIsAllowed(t *testing.T) {
	h := hostedWith(t, "--ephemeral", "--policies", t.TempDir(), "--policy-upload", "--tokens", authtest.Tokens(t, "viewer", "operator", "admin"))
	for token, upload := range map[string]string{"viewer": "denied", "operator": "denied", "admin": "allowed"} {
		if status, body := fetch(t, http.DefaultClient, "http://"+h.http+"/v1/policies", token); status != 200 || body != `{"items":[],"upload":"`+upload+`"}`+"\n" {
			t.Errorf("%s: found %d %q", token, status, body)
		}
	}
}

func TestAModuleThatARecordNamesMustBeThere(t *testing.T) {
	built := t.TempDir()
	hash := module(t, built, "one", smallest)
	p := populate(t)
	p.move(built+"/one.wasm", "smallest.wasm")
	soon(t, p.host.address+"/v1/policies/smallest", `"state":"serving"`)
	p.configure("smallest")
	p.host.kill(t)
	archived := filepath.Join(p.data, "modules", hash+".wasm")
	aside := filepath.Join(built, "aside.wasm")
	for _, step := range []error{os.Rename(archived, aside), os.Remove(filepath.Join(p.modules, "smallest.wasm"))} {
		if step != nil {
			t.Fatal(step)
		}
	}
	quern("", "serve", "--data", p.data, "--http", "127.0.0.1:0").want(t, cli.Failed, "", `policy "smallest": expected a module with sha256 `+hash+", found none")
	quern("", "serve", "--data", p.data, "--http", "127.0.0.1:0").want(t, cli.Failed, "", "restore the file as "+archived)
	quern("", "journal", "compact", p.data).want(t, cli.Failed, "", hash)
	if err := os.Rename(aside, archived); err != nil {
		t.Fatal(err)
	}
	p.host = startHost(t, p.data)
	if body, _ := get(t, p.host.address+"/v1/decisions?type=policy.fault"); !strings.Contains(body, `"reason":"removed"`) {
		t.Errorf("the module is not in the folder, and was not removed: %s", body)
	}
}

func TestAnExportBeginsWithADecision(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	address, end := hosted(t, "--data", data)
	c := &client{key: "one", told: map[int]string{}, body: `{"type":"app.add","id":"x","queue":"root.default"}`}
	if err := c.once(address); err != nil {
		t.Fatal(err)
	}
	c.key, c.body = "two", `{"type":"app.add","id":"y","queue":"root.default"}`
	if err := c.once(address); err != nil {
		t.Fatal(err)
	}
	end()
	export := func(args ...string) result { return quern("", append([]string{"journal", "export", data}, args...)...) }
	export("--since", "1").want(t, cli.Succeeded, `"id":"x"`, "")
	second := export("--since", "2")
	second.want(t, cli.Succeeded, `"id":"y"`, "note: the journal begins with the state of ")
	if x, y := strings.Index(second.out, `"id":"x"`), strings.Index(second.out, `"id":"y"`); x < 0 || x > y || !strings.Contains(second.out, "# This journal begins with the state of ") {
		t.Errorf("expected the application that was there, found %s", second.out)
	}
	quern(second.out, "replay", "--json", "-").want(t, cli.Succeeded, `"apps": 2`, "")
	export("--since", "3").want(t, cli.BadInput, "", "--since: decision 3 has not been made yet: the last decision is 2")
	export("--since", "x").want(t, cli.BadInput, "", "--since")
	export("--since", "1", "--from", "2026-11-23T06:00:00Z").want(t, cli.BadInput, "", "since")
}
