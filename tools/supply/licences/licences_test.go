package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files
(the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions: The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`
	notAllowed = "This program is free software: you can redistribute it and/or modify it under the terms of the GNU General Public License as published by the Free Software Foundation, either version 3 of the License, or (at your option) any later version."
)

// with makes a module whose folder has these files.
func with(t *testing.T, name string, files map[string]string) module {
	t.Helper()
	dir := t.TempDir()
	for file, text := range files {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := withFiles(map[string]map[string]bool{name: {dir: true}})
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

func TestRender_SharedTextOnce(t *testing.T) {
	files, err := render([]module{with(t, "a", map[string]string{"LICENSE": mit}), with(t, "b", map[string]string{"license.md": "\n" + strings.ReplaceAll(mit, "\n", "\r\n"), "NOTICE": "Thanks.", "LICENSE.docs": notAllowed, "license.go": "package b"})})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(files[listFile])), "\n")
	if len(files) != 3 || len(lines) != 2 || !strings.HasPrefix(lines[0], "a MIT ") || !strings.HasPrefix(lines[1], "b MIT ") || len(strings.Fields(lines[1])) != 4 {
		t.Errorf("expected one text for both and a notice, found %d files, %q", len(files), lines)
	}
}

func TestRender_Refusals(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no licence":   {map[string]string{"README": mit}, "none that is recognized"},
		"own words":    {map[string]string{"LICENSE": "Use it as you like, but only on Tuesdays, and never for profit."}, "recognized 0 % of it"},
		"a notice":     {map[string]string{"NOTICE": mit}, "none that is recognized"},
		"another kind": {map[string]string{"COPYING": notAllowed}, "expected one of 0BSD"},
	} {
		if _, err := render([]module{with(t, "m", test.files)}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: expected %q, found %v", name, test.want, err)
		}
	}
}

func TestCompare_StaleFolder(t *testing.T) {
	files, err := render([]module{with(t, "npm:a", map[string]string{"LICENSE": mit})})
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if err := write(out, files); err != nil {
		t.Fatal(err)
	}
	if err := compare(out, files); err != nil {
		t.Error(err)
	}
	again, err := recorded(out, pagePrefix)
	if err != nil || len(again) != 1 || again[0].name != "npm:a" || len(again[0].files) != 1 {
		t.Errorf("found %+v, %v", again, err)
	}
	if err := os.WriteFile(filepath.Join(out, textsFolder, "more.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := compare(out, files); err == nil || !strings.Contains(err.Error(), "texts of no module") {
		t.Errorf("found %v", err)
	}
	if err := os.WriteFile(filepath.Join(out, listFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := compare(out, files); err == nil || !strings.Contains(err.Error(), "is stale") {
		t.Errorf("found %v", err)
	}
}
