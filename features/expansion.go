package features

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	messages "github.com/cucumber/messages/go/v21"
)

// mostSteps bounds the steps of a feature, each counted in every scenario and example that has it: a short text may stand for billions.
const mostSteps = 100_000

// expansion adds up the steps of a feature.
type expansion struct {
	steps int
	line  int // of the scenario with which there are too many; 0: there are not
}

// checkExpansion refuses a feature with too many steps, before any scenario is made of it.
func checkExpansion(f *messages.Feature) error {
	if f == nil {
		return nil
	}
	var e expansion
	background := 0
	for _, child := range f.Children {
		background += backgroundSteps(child.Background)
		e.scenario(child.Scenario, background)
		if child.Rule == nil {
			continue
		}
		own := background
		for _, child := range child.Rule.Children {
			own += backgroundSteps(child.Background)
			e.scenario(child.Scenario, own)
		}
	}
	if e.line > 0 {
		return ParseErrors{{e.line, 1, fmt.Sprintf("expected at most %d steps, with those of backgrounds and of each example, found more", mostSteps)}}
	}
	return nil
}

func backgroundSteps(b *messages.Background) int {
	if b == nil {
		return 0
	}
	return len(b.Steps)
}

// scenario counts a scenario, once for each of its examples, or once where it has none.
func (e *expansion) scenario(s *messages.Scenario, background int) {
	if s == nil || e.line > 0 {
		return
	}
	times := 0
	for _, examples := range s.Examples {
		times += len(examples.TableBody)
	}
	if len(s.Examples) == 0 {
		times = 1
	}
	if e.steps += times * (len(s.Steps) + background); e.steps > mostSteps {
		e.line = int(s.Location.Line)
	}
}

// checkExpansion refuses files with features of too many steps, before the library makes scenarios of them. What else is wrong with a file
// the library finds.
func (o Options) checkExpansion() error {
	var all []error
	for _, path := range o.Paths {
		top, _ := fileOf(path)
		_ = filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (file == top || strings.HasSuffix(file, ".feature")) {
				all = append(all, tooManySteps(file))
			}
			return nil
		})
	}
	return errors.Join(all...)
}

func tooManySteps(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil //nolint:nilerr // the library says it
	}
	document, err := documentOf(string(text), (&messages.Incrementing{}).NewId)
	var wrong ParseErrors
	if document == nil || !errors.As(err, &wrong) {
		return nil
	}
	return fmt.Errorf("%s:%d:%d: %s", file, wrong[0].Line, wrong[0].Column, wrong[0].Message)
}
