package config

import (
	"strings"
	"testing"
)

// TestEveryDocumentedKeyIsKnown puts each key of the table where it belongs: none may be unknown, and those that are
// refused must be refused by name.
func TestEveryDocumentedKeyIsKnown(t *testing.T) {
	for _, k := range Keys() {
		t.Run(k.Where+"/"+k.Key, func(t *testing.T) {
			_, err := Decode([]byte(withKey(k)), Options{})
			text := ""
			if err != nil {
				text = err.Error()
			}
			known := false
			for line := range strings.SplitSeq(text, "\n") {
				named := strings.Contains(line, ": "+k.Key+": ")
				if named && strings.HasSuffix(line, `found "`+last(k)+`"`) {
					t.Errorf("unknown: %s", line)
				}
				known = known || named && strings.Contains(line, string(Refused))
			}
			if known != (k.Status == Refused) {
				t.Errorf("documented as %q, got\n%s", k.Status, text)
			}
		})
	}
}

func last(k KeyDoc) string {
	if k.Where == InProperties {
		return k.Key
	}
	return k.Key[strings.LastIndexByte(k.Key, '.')+1:]
}

// withKey is a configuration with a key that says something: true where no more is known of its type.
func withKey(k KeyDoc) string {
	said := k.Key + ": true"
	if k.Type == "*" {
		said = k.Key + `: "*"`
	}
	if outer, inner, ok := strings.Cut(k.Key, "."); ok && k.Where != InProperties {
		said = outer + ": {" + inner + ": true}"
	}
	switch k.Where {
	case InFile:
		return said
	case InPartition:
		return "partitions: [{" + said + "}]"
	case InQueue:
		return "partitions: [{queues: [{" + said + "}]}]"
	}
	return "partitions: [{queues: [{name: a, properties: {" + said + "}}]}]"
}

func TestKeysAreDocumentedOnceAndInFull(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Keys() {
		if seen[k.Where+" "+k.Key] {
			t.Errorf("%s twice in %s", k.Key, k.Where)
		}
		seen[k.Where+" "+k.Key] = true
		if k.Type == "" || k.Effect == "" || k.Status == "" {
			t.Errorf("%s: %+v", k.Key, k)
		}
	}
}
