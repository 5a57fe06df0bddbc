// Command image makes a container image that contains one program and the texts that go with it, as a file for `podman load`, `docker load` or a registry.
// The same program makes the same image, bit for bit.
//
// Usage: image --program FILE --name NAME:TAG --out FILE.tar [--arch amd64] [TEXT...]
package main

import (
	"archive/tar"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

func main() {
	program := flag.String("program", "", "the program, a static `FILE` for Linux")
	tag := flag.String("name", "", "the name of the image, `NAME:TAG`")
	out := flag.String("out", "", "the `FILE` to write")
	arch := flag.String("arch", "amd64", "the `ARCHITECTURE` that the program is for")
	flag.Parse()
	if err := run(*program, flag.Args(), *tag, *out, *arch); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(program string, texts []string, tag, out, arch string) error {
	ref, err := name.NewTag(tag, name.WithDefaultRegistry(""))
	if err != nil {
		return err
	}
	binary, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	files := []file{{path.Base(program), 0o755, binary}}
	for _, text := range texts {
		content, err := os.ReadFile(text)
		if err != nil {
			return err
		}
		files = append(files, file{path.Base(text), 0o644, content})
	}
	image, err := imageOf(files, arch)
	if err != nil {
		return err
	}
	if err := tarball.WriteToFile(out, ref, image); err != nil {
		return err
	}
	digest, err := image.Digest()
	if err == nil {
		fmt.Printf("%s: %s, %d bytes of program, %s\n", out, tag, len(binary), digest)
	}
	return err
}

// unprivileged is the user that the program runs as. Kubernetes checks that it is not root by the number.
const unprivileged = "65532:65532"

// file is a file in the root folder of the image.
type file struct {
	name    string
	mode    int64
	content []byte
}

// imageOf makes an image of files that runs the first of them.
func imageOf(list []file, arch string) (v1.Image, error) {
	files, err := archive(list)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files)), nil })
	if err != nil {
		return nil, err
	}
	image, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return nil, err
	}
	return mutate.ConfigFile(image, &v1.ConfigFile{
		Architecture: arch, OS: "linux", Created: v1.Time{Time: epoch}, RootFS: rootFS(image),
		Config: v1.Config{User: unprivileged, Entrypoint: []string{"/" + list[0].name}, StopSignal: "SIGTERM"},
	})
}

// epoch is the time of everything in the image, so that it does not depend on when it is made.
var epoch = time.Unix(0, 0).UTC()

// rootFS are the layers of an image, which the new configuration has to list as well.
func rootFS(image v1.Image) v1.RootFS {
	config, err := image.ConfigFile()
	if err != nil {
		panic(err) // it is in memory
	}
	return config.RootFS
}

// archive is the file system of the image.
func archive(list []file) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range list {
		header := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: f.mode, Size: int64(len(f.content)), ModTime: epoch, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), w.Close()
}
