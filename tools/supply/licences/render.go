package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

const (
	listFile    = "modules.txt"
	textsFolder = "texts"
)

// allowed are the licences, by their SPDX names, under which software may be part of the programs.
var allowed = []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MPL-2.0", "MPL-2.0-no-copyleft-exception", "Unicode-DFS-2016", "Unlicense"}

// leastKnown is the percentage of a licence's text that must be recognized.
const leastKnown = 75

// render makes the files of the folder: the list and each text once, under the beginning of its hash.
func render(modules []module) (map[string][]byte, error) {
	files := map[string][]byte{}
	var list bytes.Buffer
	for _, m := range modules {
		kinds, texts := m.kinds, []string(nil)
		for _, path := range m.files {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			text = plain(text)
			if m.kinds == nil {
				found, err := kindsOf(m.name, path, text)
				if err != nil {
					return nil, err
				}
				kinds = append(kinds, found...)
			}
			sum := sha256.Sum256(text)
			name := fmt.Sprintf("%x.txt", sum[:6])
			files[textsFolder+"/"+name] = text
			texts = append(texts, name)
		}
		if len(kinds) == 0 {
			return nil, fmt.Errorf("%s: expected a file with its licence, found none that is recognized", m.name)
		}
		fmt.Fprintln(&list, m.name, joined(kinds, ","), joined(texts, " "))
	}
	files[listFile] = list.Bytes()
	return files, nil
}

// plain ends lines and the text alike, so that equal licences are equal bytes.
func plain(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	return append(bytes.Trim(text, "\n"), '\n')
}

func joined(list []string, by string) string {
	slices.Sort(list)
	return strings.Join(slices.Compact(list), by)
}

// kindsOf are the licences that a file holds. A notice and a grant of patents need hold none.
func kindsOf(module, path string, text []byte) (kinds []string, err error) {
	switch base, _, _ := strings.Cut(strings.ToUpper(filepath.Base(path)), "."); base {
	case "NOTICE", "PATENTS", "COPYRIGHT":
		return nil, nil
	}
	coverage := licensecheck.Scan(text)
	if coverage.Percent < leastKnown {
		return nil, fmt.Errorf("%s: %s: expected a known licence, recognized %.0f %% of it", module, path, coverage.Percent)
	}
	for _, m := range coverage.Match {
		if !slices.Contains(allowed, m.ID) {
			return nil, fmt.Errorf("%s: %s: %s: expected one of %s", module, path, m.ID, strings.Join(allowed, ", "))
		}
		kinds = append(kinds, m.ID)
	}
	return kinds, nil
}

// recorded are the modules of the folder whose names begin with a prefix, with the texts that it holds.
func recorded(folder, prefix string) (list []module, err error) {
	text, err := os.ReadFile(filepath.Join(folder, listFile))
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 3 || !strings.HasPrefix(fields[0], prefix) {
			continue
		}
		m := module{name: fields[0], kinds: strings.Split(fields[1], ",")}
		for _, name := range fields[2:] {
			m.files = append(m.files, filepath.Join(folder, textsFolder, name))
		}
		list = append(list, m)
	}
	return list, nil
}
