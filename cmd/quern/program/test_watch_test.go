package program

import (
	"bufio"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// watchedTest runs quern test --watch; screen is what it prints, stop is Ctrl-C and returns the rest and the exit code.
func watchedTest(t *testing.T, paths ...string) (screen *bufio.Reader, stop func() (string, int)) {
	t.Helper()
	t.Setenv("QUERN_REPORTS", "")                                // what is played again is only a part
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // so that a test that waits in vain ends
	r, w := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, append([]string{"test", "--watch"}, paths...), cli.Streams{In: strings.NewReader(""), Out: w, Err: w})
		_ = w.Close() // a pipe's never fails
	}()
	screen = bufio.NewReader(r)
	return screen, func() (string, int) {
		cancel()
		rest, err := io.ReadAll(screen)
		if err != nil {
			t.Error(err)
		}
		return string(rest), <-code
	}
}

func rewrite(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const waiting = "waiting for changes (Ctrl-C ends it)\n"

func TestAWatchedTestPlaysAgainWhatChanged(t *testing.T) {
	ours := "Feature: ours\n  Scenario: of a file\n    Given the configuration file \"queues.yaml\"\n    When an application \"a\" in root.default\n    Then application \"a\" is New\n"
	dir := folder(t, map[string]string{"queues.yaml": queues})
	if err := os.MkdirAll("all/deep", 0o755); err != nil {
		t.Fatal(err)
	}
	rewrite(t, "all/mine.feature", feature)
	rewrite(t, "all/deep/ours.feature", strings.Replace(ours, "queues.yaml", dir+"/queues.yaml", 1))
	screen, stop := watchedTest(t, "all")
	expectOnScreen(t, screen, "2 scenarios (2 passed)")
	expectOnScreen(t, screen, waiting)

	rewrite(t, "all/mine.feature", strings.Replace(feature, "4 vcore", "500m vcore", 1))
	expectOnScreen(t, screen, "all/mine.feature:6: Then \"a\" is allocated")
	expectOnScreen(t, screen, "1 scenario (1 failed)")
	expectOnScreen(t, screen, waiting)

	rewrite(t, "queues.yaml", strings.ReplaceAll(queues, "name: default\n      res", "name: other\n      res"))
	expectOnScreen(t, screen, "all/deep/ours.feature:5: Then application")
	expectOnScreen(t, screen, "1 scenario (1 failed)")
	expectOnScreen(t, screen, waiting)

	rewrite(t, "all/deep/ours.feature", "Fable")
	expectOnScreen(t, screen, "all/deep/ours.feature")
	expectOnScreen(t, screen, waiting)
	if err := os.Mkdir("all/new", 0o755); err != nil {
		t.Fatal(err)
	}
	rewrite(t, "all/new/more.feature", feature)
	expectOnScreen(t, screen, "1 scenario (1 passed)")
	expectOnScreen(t, screen, waiting)
	if err := os.Remove("all/deep/ours.feature"); err != nil {
		t.Fatal(err)
	}
	rewrite(t, "all/mine.feature", feature)
	expectOnScreen(t, screen, "1 scenario (1 passed)")
	expectOnScreen(t, screen, waiting)
	if rest, code := stop(); rest != "" || code != cli.Succeeded {
		t.Errorf("exit code %d after Ctrl-C, and\n%s", code, rest)
	}
}

func TestWatchedTest_NothingToWatchEndsIt(t *testing.T) {
	folder(t, map[string]string{"mine.feature": feature})
	t.Setenv("QUERN_REPORTS", "")
	for line, told := range map[string]string{
		"":                                       "--watch: expected the path of a feature file",
		"absent.feature":                         "absent.feature",
		"absent.feature:3":                       "absent.feature",
		"mine.feature --reports out":             "--watch: expected no --reports",
		"mine.feature --format junit:report.xml": "no --format with a file",
	} {
		quern("", append([]string{"test", "--watch"}, strings.Fields(line)...)...).want(t, cli.BadInput, "", told)
	}
	screen, stop := watchedTest(t, "mine.feature:2")
	expectOnScreen(t, screen, "1 scenario (1 passed)")
	expectOnScreen(t, screen, waiting)
	if _, code := stop(); code != cli.Succeeded {
		t.Errorf("exit code %d after Ctrl-C", code)
	}
}
