// Package configmap reads entries of ConfigMaps that are compressed: those whose keys end in .gz, such as queues.yaml.gz. The webhook and the
// reader of YuniKorn's configurations use it.
package configmap

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Suffix ends the keys of compressed entries.
const Suffix = ".gz"

// MostText bounds an entry in bytes once it is decompressed. A ConfigMap has at most 1 MiB, of which ten thousand queues take about a tenth.
const MostText = 16 << 20

// Text returns the text of an entry under a key: what gzip made of it, with or without base64 around that, or else the content itself. The
// API server takes either: data has texts only, and binaryData is base64 in any case.
func Text(key string, content []byte) ([]byte, error) {
	if !strings.HasSuffix(key, Suffix) {
		return content, nil
	}
	if !zipped(content) {
		decoded, err := base64.StdEncoding.AppendDecode(nil, bytes.TrimSpace(content))
		if err != nil || !zipped(decoded) {
			return nil, errors.New("expected what gzip writes, or that in base64, found something else")
		}
		content = decoded
	}
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(z, MostText+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("gzip: %w", err)
	case len(text) > MostText:
		return nil, fmt.Errorf("expected at most %d MiB once decompressed, found more", MostText>>20)
	}
	return text, nil
}

// zipped reports whether a content begins as gzip begins.
func zipped(content []byte) bool { return bytes.HasPrefix(content, []byte{0x1f, 0x8b}) }
