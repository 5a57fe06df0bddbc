package tool

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/policy/registry"
)

// Pinned says what Pin did.
type Pinned struct {
	Settings string // the file
	File     string // that is pinned
	SHA256   string
	Before   string // the pin that was there; empty: none
	Created  bool   // the settings were not there
}

// String says it in a line.
func (p *Pinned) String() string {
	switch {
	case p.Created:
		return fmt.Sprintf("%s: created, with the sha256 of %s, %s", p.Settings, p.File, p.SHA256)
	case strings.EqualFold(p.Before, p.SHA256):
		return fmt.Sprintf("%s: unchanged, already pinned to the sha256 of %s, %s", p.Settings, p.File, p.SHA256)
	case p.Before != "":
		return fmt.Sprintf("%s: the pin is now %s, of %s; it was %s", p.Settings, p.SHA256, p.File, p.Before)
	}
	return fmt.Sprintf("%s: pinned to the sha256 of %s, %s", p.Settings, p.File, p.SHA256)
}

// Pin writes the hash of a policy's file into its settings, NAME.toml, which it makes where there are none. All else in
// them stays as it is, byte for byte; they are replaced whole or not at all.
func Pin(s *Subject) (*Pinned, error) {
	if s.Broken != nil {
		return nil, &InputError{s.Broken}
	}
	p := &Pinned{Settings: s.beside(settingsEnding), File: filepath.Base(s.File), SHA256: s.SHA256, Created: s.Settings == ""}
	path, mode, text := p.Settings, os.FileMode(0o644), []byte(nil)
	if !p.Created {
		real, err := filepath.EvalSymlinks(path) // the file that a link names is changed, not the link
		if err != nil {
			return nil, &InputError{safefile.WithPath(path, err)}
		}
		path = real
		if text, err = readFile(path, config.MostSettings); err != nil {
			return nil, err
		}
		if err := config.CheckTOML(p.Settings, text, registry.Settings{}); err != nil {
			return nil, &InputError{err}
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, &InputError{safefile.WithPath(path, err)}
		}
		mode = info.Mode().Perm()
	}
	pinned, before, err := withPin(text, s.SHA256)
	if err != nil {
		return nil, badInput("%s: %w", p.Settings, err)
	}
	if p.Before = before; bytes.Equal(pinned, text) {
		return p, nil
	}
	return p, safefile.WriteFile(path, pinned, mode)
}

// pinLine is the line that holds a pin, as far as its value.
var pinLine = regexp.MustCompile(`(?m)^[ \t]*(?:sha256|"sha256"|'sha256')[ \t]*=[ \t]*("[^"\n]*"|'[^'\n]*')`)

// withPin returns settings with another pin, and the pin before. A line that looks like a pin may stand in a table or
// in a text of several lines, so each is tried until the settings read as before, except for the pin.
func withPin(text []byte, hash string) (pinned []byte, before string, err error) {
	was, err := decode(text)
	if err != nil {
		return nil, "", err
	}
	before, isText := was["sha256"].(string)
	if _, there := was["sha256"]; there && !isText {
		return nil, "", errors.New("sha256: expected a text")
	}
	if strings.EqualFold(before, hash) {
		return text, before, nil
	}
	was["sha256"] = hash
	for _, try := range editions(text, hash) {
		if now, err := decode(try); err == nil && reflect.DeepEqual(now, was) {
			return try, before, nil
		}
	}
	return nil, "", errors.New("sha256: expected a line of its own, such as sha256 = \"\", found another form")
}

// mostEditions bounds how often settings are decoded, each time whole, to find the pin among lines that look like it.
const mostEditions = 100

// editions are the settings with the hash in the place of what may be the pin, or in a first line.
func editions(text []byte, hash string) [][]byte {
	quoted := `"` + hash + `"`
	var all [][]byte
	for _, at := range pinLine.FindAllSubmatchIndex(text, mostEditions) {
		all = append(all, bytes.Join([][]byte{text[:at[2]], []byte(quoted), text[at[3]:]}, nil))
	}
	end := "\n"
	if line, _, more := bytes.Cut(text, []byte("\n")); more && bytes.HasSuffix(line, []byte("\r")) {
		end = "\r\n"
	}
	return append(all, append([]byte("sha256 = "+quoted+end), text...))
}

func decode(text []byte) (map[string]any, error) {
	m := map[string]any{}
	_, err := toml.Decode(string(text), &m)
	var bad toml.ParseError
	if errors.As(err, &bad) {
		return nil, fmt.Errorf("%d: %s", bad.Position.Line, bad.Message)
	}
	return m, err
}
