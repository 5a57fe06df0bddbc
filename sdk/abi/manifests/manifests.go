// Package manifests reads what modules declare: for hosts, and for those who write hosts and tools.
package manifests

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/quern-project/quern/sdk/abi"
)

// Parse reads a manifest strictly: a key that this version does not know is an error. Columns and dependences are
// left to the scheduler, which knows what it can serve. Errors have the line and the column.
func Parse(text []byte) (*abi.Manifest, error) {
	if len(text) > abi.MaxManifest {
		return nil, fmt.Errorf("manifest: expected at most %d bytes, found %d", abi.MaxManifest, len(text))
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	m := &abi.Manifest{}
	if err := d.Decode(m); err != nil {
		return nil, Located(text, fmt.Errorf("manifest: %w", err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, Located(text, errors.New("manifest: expected one JSON object, found more after it"))
	}
	if err := m.Check(); err != nil {
		return nil, Located(text, fmt.Errorf("manifest: %w", err))
	}
	m.Source = string(text)
	return m, nil
}
