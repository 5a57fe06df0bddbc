package program

import (
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func TestTryShowsWhatAPolicyWouldHaveChanged(t *testing.T) {
	modules := t.TempDir()
	module(t, modules, "smallest", smallest)
	plain := strings.Replace(sorted, "nodesortpolicy: {type: smallest}, ", "", 1)
	bare := plain[strings.Index(plain, "\n")+1:]
	folder(t, map[string]string{"j": plain, "bare": strings.ReplaceAll(bare, "root.a", "root.default"), "junk.wasm": "junk"})
	try := func(args ...string) result {
		return quern("", append([]string{"policy", "try", "--policy-cache", "none", modules + "/smallest.wasm"}, args...)...)
	}
	for _, journal := range []string{"j", "bare"} {
		try(journal).want(t, cli.Succeeded, "first: n1 before, n2 after, at 0s", "")
	}
	try("j", "--json", "--report", "page.html").want(t, cli.Succeeded, `"on_another_node": 1`, "")
	page := read(t, "page.html")
	for _, expected := range []string{
		"<code>first</code></th><td>n1 before, n2 after", "instead of the present policy for node.score, on j", "Compared with the present policies, smallest ",
		"first run <code>quern playground j</code> on this machine", `href="http://127.0.0.1:7467/#s=`,
	} {
		if !strings.Contains(page, expected) {
			t.Errorf("expected %s, found %s", expected, page)
		}
	}
	try("j", "--report", "-").want(t, cli.Succeeded, "<!DOCTYPE html>", "went to another node")
	try().want(t, cli.BadInput, "", "expected a journal")
	try("-").want(t, cli.BadInput, "", "read twice; found -")
	try("absent").want(t, cli.BadInput, "", "absent")
	try("j", "--until", "never").want(t, cli.BadInput, "", "--until")
	quern("", "policy", "try", "--policy-cache", "none", "junk.wasm", "j").want(t, cli.BadInput, "", "junk.wasm")
	quern("", "policy", "try", "absent.wasm", "j").want(t, cli.BadInput, "", "absent.wasm: no such file")
	quern("", "policy", "try", "j", "j").want(t, cli.BadInput, "", "expected a file NAME.wasm or NAME.toml")
}
