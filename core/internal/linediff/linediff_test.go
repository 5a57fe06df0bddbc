package linediff

import "testing"

func TestDiffShowsTheLinesThatDifferAndThreeAroundThem(t *testing.T) {
	for name, tc := range map[string]struct{ before, after, expected string }{
		"equal":         {"a\nb\n", "a\nb\n", ""},
		"a line less":   {"a\nb\nc\n", "a\nc\n", "  a\n- b\n  c\n  "},
		"a line more":   {"a\nc\n", "a\nb\nc\n", "  a\n+ b\n  c\n  "},
		"another line":  {"a\nb\n", "a\nc\n", "  a\n- b\n+ c\n  "},
		"far from both": {"1\n2\n3\n4\nx\n5\n6\n7\n8\n", "1\n2\n3\n4\ny\n5\n6\n7\n8\n", "  2\n  3\n  4\n- x\n+ y\n  5\n  6\n  7\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if found := Diff(tc.before, tc.after); found != tc.expected {
				t.Errorf("expected\n%q\nfound\n%q", tc.expected, found)
			}
		})
	}
}
