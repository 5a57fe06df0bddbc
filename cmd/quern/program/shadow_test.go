package program

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// slowly scores nodes as smallest does, and takes its time.
var slowly = strings.Replace(smallest, "QUERN_EACH", "for (volatile int i = 0; i < 50000; i++) {}\n  QUERN_EACH", 1)

// comingAndGoing is a journal of nodes that come, take an ask, and go, some before anything was scheduled.
func comingAndGoing(nodes int) string {
	var b strings.Builder
	b.WriteString(`{"at":"0s","type":"config.set","config":"partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]"}` + "\n" +
		`{"at":"0s","type":"app.add","id":"x","queue":"root.a"}` + "\n")
	for i := range nodes {
		fmt.Fprintf(&b, `{"at":"%ds","type":"node.add","id":"n%d","capacity":{"vcore":%d}}`+"\n", i, i, 2+i*7%5)
		fmt.Fprintf(&b, `{"at":"%ds","type":"ask.add","id":"a%d","app":"x","resources":{"vcore":1}}`+"\n", i, i)
		if i >= 3 {
			fmt.Fprintf(&b, `{"at":"%ds","type":"node.remove","id":"n%d"}`+"\n", i, i-3+i%2)
		}
	}
	return b.String()
}

func TestShadow_SlowOneReportsTheSameEachTime(t *testing.T) {
	modules := t.TempDir()
	module(t, modules, "slowly", slowly)
	if err := os.WriteFile(filepath.Join(modules, "slowly.toml"), []byte("shadow_of = \"fair\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	folder(t, map[string]string{"j": comingAndGoing(700)})
	var reports []string
	for range 2 {
		r := quern("", "replay", "--policies", modules, "--policy-cache", "none", "j")
		r.want(t, cli.Succeeded, "shadow slowly of fair, node.score: would have put another first in ", "")
		_, report, _ := strings.Cut(r.out, "shadow slowly")
		reports = append(reports, strings.SplitN(report, "\n", 2)[0])
	}
	if reports[0] != reports[1] {
		t.Errorf("the two runs report\n%s\n%s", reports[0], reports[1])
	}
	if strings.Contains(reports[0], "failed") {
		t.Errorf("the shadow failed: %s", reports[0])
	}
}
