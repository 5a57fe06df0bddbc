package configmap

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"strings"
	"testing"
)

func packed(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(text); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestEntry_Compressed(t *testing.T) {
	const text = "partitions: []\n"
	whole := packed(t, []byte(text))
	lines := base64.StdEncoding.EncodeToString(whole)
	lines = lines[:20] + "\n" + lines[20:] + "\n"
	for name, c := range map[string]struct {
		key     string
		content []byte
		want    string
		err     string
	}{
		"plain":               {"queues.yaml", []byte(text), text, ""},
		"binary":              {"queues.yaml.gz", whole, text, ""},
		"base64, in lines":    {"queues.yaml.gz", []byte(lines), text, ""},
		"another key":         {"queues.yaml", whole, string(whole), ""},
		"not compressed":      {"queues.yaml.gz", []byte(text), "", "expected what gzip writes"},
		"base64 of a text":    {"queues.yaml.gz", []byte(base64.StdEncoding.EncodeToString([]byte(text))), "", "expected what gzip writes"},
		"cut off":             {"queues.yaml.gz", whole[:len(whole)-9], "", "gzip: "},
		"cut off in its head": {"queues.yaml.gz", whole[:5], "", "gzip: "},
		"empty":               {"queues.yaml.gz", nil, "", "expected what gzip writes"},
		"a bomb":              {"queues.yaml.gz", packed(t, make([]byte, MostText+1)), "", "expected at most 16 MiB"},
	} {
		got, err := Text(c.key, c.content)
		if string(got) != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %.40q, %v", name, got, err)
		}
	}
}
