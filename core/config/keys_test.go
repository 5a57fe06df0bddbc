package config

import (
	"strings"
	"testing"
)

// TestEveryDocumentedKeyIsKnown decodes each key of the table at its level. None may be unknown.
func TestEveryDocumentedKeyIsKnown(t *testing.T) {
	for _, k := range Keys() {
		t.Run(k.Where+"/"+k.Key, func(t *testing.T) {
			_, err := Decode([]byte(withKey(k)), Options{})
			if err == nil {
				return
			}
			for _, e := range err.(Errors) {
				if strings.HasSuffix(e.Key, last(k)) && e.Found == `"`+last(k)+`"` {
					t.Errorf("unknown: %s", e)
				}
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

// withKey returns a configuration with a key and a value of its type, or true if the type is not known here.
func withKey(k KeyDoc) string {
	said := k.Key + ": true"
	if k.Type == "*" {
		said = k.Key + `: "*"`
	}
	if k.Where != InProperties {
		said = strings.ReplaceAll(said, ".", ": {") + strings.Repeat("}", strings.Count(k.Key, "."))
	}
	switch k.Where {
	case InFile:
		return said
	case InPartition:
		return "partitions: [{" + said + "}]"
	case InRule:
		return "partitions: [{placementrules: [{" + said + "}]}]"
	case InQueue:
		return "partitions: [{queues: [{" + said + "}]}]"
	case InLevel:
		return "partitions: [{topology: [{" + said + "}]}]"
	case InWindow:
		return "partitions: [{windows: [{" + said + "}]}]"
	case InLimit:
		return "partitions: [{queues: [{limits: [{" + said + "}]}]}]"
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
