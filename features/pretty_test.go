package features_test

import (
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/features"
)

const nested = `@queues
Feature: nested
  As an operator

  Background:
    Given a node "n1" with 16 vcore

  Scenario: before the rules
    When "a" asks in root.default for 1 vcore
    Then "a" is allocated

  Rule: one

    What it says.

    Background: full
      Given "old" asks in root.default for 10 vcore

    @smoke
    Scenario Outline: <size> more cores
      When "new" asks in root.default for <size> vcore
      Then "new" <verb>

      Examples: fits
        | size | verb         |
        | 1    | is allocated |
        | 2    | is allocated |

      Examples: too much
        | size | verb  |
        | 3    | waits |
        | 600  | waits |

  Rule: another

    Example: a table and a text
      When the nodes:
        | node | capacity |
        | n-22 | 1 vcore  |
      And the configuration:
        """yaml
        partitions:
        - name: default

          queues: [{name: prod}]
        """
      Then nothing is allocated
`

// listed is nested as it is listed: backgrounds where they stand.
const listed = `Feature: nested
  As an operator

  Background:
    Given a node "n1" with 16 vcore

  Scenario: before the rules                  # FILE:8
    When "a" asks in root.default for 1 vcore
    Then "a" is allocated

  Rule: one
    What it says.

    Background: full
      Given "old" asks in root.default for 10 vcore

    Scenario Outline: <size> more cores                # FILE:20
      When "new" asks in root.default for <size> vcore
      Then "new" <verb>

      Examples: fits
        | size | verb         |
        | 1    | is allocated |
        | 2    | is allocated |

      Examples: too much
        | size | verb  |
        | 3    | waits |
          Then "new" waits: ask "new" is allocated on n1
`

const listedToo = `
        | 600  | waits |

  Rule: another

    Example: a table and a text # FILE:36
      When the nodes:
        | node | capacity |
        | n-22 | 1 vcore  |
      And the configuration:
        """yaml
        partitions:
        - name: default

          queues: [{name: prod}]
        """
      Then nothing is allocated

`

func TestPretty_BackgroundsWhereTheyStand(t *testing.T) {
	code, out := play(t, nested, features.Options{Format: features.FormatPretty})
	file, _, _ := strings.Cut(out[strings.Index(out, "# ")+2:], ":8\n")
	out = strings.ReplaceAll(out, file, "FILE")
	if code != features.Failed || !strings.HasPrefix(out, listed) || !strings.Contains(out, listedToo) {
		t.Errorf("exit code %d, found\n%s", code, out)
	}
	if n := strings.Count(out, "Background"); n != 2 {
		t.Errorf("%d backgrounds", n)
	}
}

func TestPretty_BackgroundThatFailsLater(t *testing.T) {
	text := `Feature: f
  Background:
    Given a node "n1" with 1 vcore
    And "a" asks in root.default for 1 vcore
  Scenario: one
    Then "a" is allocated
  Scenario: two
    Then "a" waits
`
	drivers := 0
	factory := func() (features.Driver, error) {
		d, err := features.Native()
		if drivers++; drivers == 2 {
			d.Apply(&core.Input{Event: &core.AddNode{ID: "n1", Capacity: resource.NewSet(resource.Quantity{Type: "vcore", Value: 1000})}})
			d.Take()
		}
		return d, err
	}
	_, out := play(t, text, features.Options{Format: features.FormatPretty, NewDriver: factory})
	if !strings.Contains(out, "  Scenario: two") || !strings.Contains(out[strings.Index(out, "  Scenario: two"):], "    Given a node \"n1\" with 1 vcore\n      expected the Given to be accepted") {
		t.Errorf("found\n%s", out)
	}
}

func TestFileAndLine_NamedOnce(t *testing.T) {
	text := "Feature: f\n  Scenario: s\n    Given a node \"n\" with 1 vcore\n    Then \"a\" waits\n"
	for _, format := range features.Formats()[:2] {
		_, out := playFrom(t, text, ":2", features.Options{Format: format})
		if !strings.Contains(out, "own.feature:4: Then") {
			t.Errorf("%s: found\n%s", format, out)
		}
	}
}
