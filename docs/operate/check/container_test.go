package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

func TestTheContainerHoldsTheProgramAlone(t *testing.T) {
	parsed, err := parser.Parse(strings.NewReader(read(t, "../Containerfile")))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range parsed.Warnings {
		t.Error(w.Short)
	}
	stages, _, err := instructions.Parse(parsed.AST, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(stages) != 2 {
		t.Fatalf("found %d stages", len(stages))
	}
	checkBuild(t, &stages[0])
	last := &stages[1]
	if last.BaseName != "scratch" {
		t.Errorf("it is made from %s", last.BaseName)
	}
	user, entry := "", ""
	for _, c := range last.Commands {
		switch c := c.(type) {
		case *instructions.UserCommand:
			user = c.User
		case *instructions.EntrypointCommand:
			entry = strings.Join(c.CmdLine, " ")
			if c.PrependShell {
				t.Error("there is no shell in it that could start the program")
			}
		case *instructions.CmdCommand:
			checkCommand(t, c.CmdLine)
		case *instructions.RunCommand:
			t.Error("there is nothing in it that could run a command")
		case *instructions.CopyCommand:
			if c.From != stages[0].Name {
				t.Errorf("it copies from %q", c.From)
			}
		}
	}
	if !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(user) || entry != "/quern" {
		t.Errorf("it starts %q as the user %q", entry, user)
	}
}

// checkBuild checks the stage that compiles.
func checkBuild(t *testing.T, s *instructions.Stage) {
	t.Helper()
	goLine := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "../../../go.mod"))
	if goLine == nil || !strings.HasSuffix(s.BaseName, "golang:"+goLine[1]) {
		t.Errorf("it is compiled by %s, and go.mod asks for Go %s", s.BaseName, goLine)
	}
	static := false
	for _, c := range s.Commands {
		switch c := c.(type) {
		case *instructions.CopyCommand:
			for _, name := range c.SourcePaths {
				if _, err := os.Stat(filepath.Join("../../..", name)); err != nil {
					t.Error(err)
				}
			}
		case *instructions.RunCommand:
			static = static || strings.Contains(strings.Join(c.CmdLine, " "), "CGO_ENABLED=0 go build")
		}
	}
	if !static {
		t.Error("the program is not linked statically: it would not start without a C library")
	}
}

func TestTheProgramCompilesWithoutC(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "-f", "{{if .CgoFiles}}{{.ImportPath}}{{end}}", "./cmd/quern")
	list.Dir, list.Env = "../../..", append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	out, err := list.CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("expected Go alone, found %s (%v)", out, err)
	}
}
