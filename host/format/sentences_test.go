package format

import "testing"

func TestPartsAreJoinedAsASentenceDoes(t *testing.T) {
	for want, parts := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := List(parts); got != want {
			t.Errorf("expected %q, found %q", want, got)
		}
	}
}

func TestATextIsBrokenBetweenWords(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"a bb ccc", "a bb\nccc"}, {"äää bb", "äää\nbb"}, {"longer a b", "longer\na b"}, {"abcd e", "abcd\ne"}, {"a b c", "a b\nc"},
	} {
		if got := Wrap(c.text, 4); got != c.want {
			t.Errorf("%q: expected %q, found %q", c.text, c.want, got)
		}
	}
}
