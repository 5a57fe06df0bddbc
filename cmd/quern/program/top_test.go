package program

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/cmd/quern/clientcmd"
)

func TestTopIsPrintedOnceWhereThereIsNoTerminal(t *testing.T) {
	withCluster(t)
	r := quern("", "top")
	for _, want := range []string{"quern top  http://127.0.0.1:", "vcore            ██████░░░░░░░░░░░░░░  31 %  2.5 of 8\n", "waiting asks 1, nodes 2 (drained 0), queues 3\n", "\nroot.b ", "\nhuge ", "\nn1 "} {
		r.want(t, cli.Succeeded, want, "")
	}
	if strings.Contains(r.out, "\x1b") {
		t.Errorf("found %q", r.out)
	}
	quern("", "top", "--interval", "1ms").want(t, cli.BadInput, "", "--interval: expected at least 200ms")
	quern("", "top", "--server", "http://127.0.0.1:1").want(t, cli.Failed, "", "Start one with quern serve")
}

// expectOnScreen reads what is drawn until a text comes.
func expectOnScreen(t *testing.T, screen *bufio.Reader, text string) {
	t.Helper()
	var seen strings.Builder
	for !strings.HasSuffix(seen.String(), text) {
		b, err := screen.ReadByte()
		if err != nil {
			t.Fatalf("expected %q on the screen, found %q", text, seen.String())
		}
		seen.WriteByte(b)
	}
}

func TestTopAtATerminal(t *testing.T) {
	program := asQuern(t)
	withCluster(t)
	cmd := exec.CommandContext(t.Context(), program, "top", "--interval", "200ms")
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	terminal := atTerminal(t, cmd, 24, 80)
	screen := bufio.NewReader(terminal)
	expectOnScreen(t, screen, clientcmd.OpenScreen)
	expectOnScreen(t, screen, "waiting asks 1, nodes 2 (drained 0)")
	quern("", "drain", "n1").want(t, cli.Succeeded, "", "")
	expectOnScreen(t, screen, "waiting asks 1, nodes 2 (drained 1)")
	expectOnScreen(t, screen, "a second: allocations ")
	if _, err := terminal.WriteString("\t\t"); err != nil { // to the asks
		t.Fatal(err)
	}
	expectOnScreen(t, screen, clientcmd.RestOfLine+"\r\n"+clientcmd.RestOfLine+"\r\nwaiting ask  queue   priority  since")
	if _, err := terminal.WriteString("q"); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(screen) // it fails when the program has ended
	if err := cmd.Wait(); err != nil || !strings.HasSuffix(string(rest), clientcmd.CloseScreen) {
		t.Errorf("%v, the screen ends with %q", err, rest[max(0, len(rest)-40):])
	}
}
