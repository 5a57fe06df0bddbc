package main

import (
	"archive/tar"
	"io"
	"os"
	"path/filepath"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

func made(t *testing.T, arch string) (file string, image v1.Image) {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "quern-kube")
	if err := os.WriteFile(program, []byte("a program"), 0o700); err != nil {
		t.Fatal(err)
	}
	notice := filepath.Join(dir, "NOTICE")
	if err := os.WriteFile(notice, []byte("a notice"), 0o600); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(dir, "image.tar")
	if err := run(program, []string{notice}, "quern-kube:v1", file, arch); err != nil {
		t.Fatal(err)
	}
	image, err := tarball.ImageFromPath(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return file, image
}

func TestTheSameProgramMakesTheSameImage(t *testing.T) {
	first, _ := made(t, "amd64")
	second, _ := made(t, "amd64")
	a, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(second)
	if err != nil {
		t.Fatal(err)
	}
	if string(a) != string(b) {
		t.Error("two images of one program differ")
	}
}

func TestImage_ProgramAndItsTexts(t *testing.T) {
	_, image := made(t, "arm64")
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if config.Architecture != "arm64" || config.Config.User != unprivileged || len(config.Config.Entrypoint) != 1 || config.Config.Entrypoint[0] != "/quern-kube" {
		t.Errorf("found %+v", config)
	}
	layers, err := image.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("found %d layers (%v)", len(layers), err)
	}
	content, err := layers[0].Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	files := tar.NewReader(content)
	for _, want := range []file{{"quern-kube", 0o755, []byte("a program")}, {"NOTICE", 0o644, []byte("a notice")}} {
		header, err := files.Next()
		if err != nil || header.Name != want.name || header.Mode != want.mode {
			t.Fatalf("%s: found %+v (%v)", want.name, header, err)
		}
		if text, err := io.ReadAll(files); err != nil || string(text) != string(want.content) {
			t.Errorf("%s: found %q (%v)", want.name, text, err)
		}
	}
	if _, err := files.Next(); err != io.EOF {
		t.Errorf("found another file (%v)", err)
	}
}

func TestWhatCannotBeMadeIsAnError(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "p")
	if err := os.WriteFile(program, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][3]string{
		"no program": {filepath.Join(dir, "none"), "p:v1", filepath.Join(dir, "o.tar")},
		"no name":    {program, "", filepath.Join(dir, "o.tar")},
		"bad name":   {program, "UPPER CASE", filepath.Join(dir, "o.tar")},
		"no folder":  {program, "p:v1", filepath.Join(dir, "none", "o.tar")},
	} {
		if err := run(args[0], nil, args[1], args[2], "amd64"); err == nil {
			t.Errorf("%s: expected an error", name)
		}
	}
}
