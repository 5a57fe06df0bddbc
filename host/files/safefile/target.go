package safefile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// target is what an output takes the place of.
type target struct {
	path   string      // without links
	base   string      // its last part
	folder os.FileInfo // of the folder
	info   os.FileInfo // nil: nothing is there yet
}

// mostLinks bounds the links that a name may lead through.
const mostLinks = 40

// resolve follows links, also one that leads to nothing yet: the file that a link names is replaced, not the link.
func resolve(name string) (target, error) {
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return target{}, errors.New("expected a file, found a folder")
	case err == nil && !info.Mode().IsRegular():
		return target{path: name, info: info}, nil
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return target{}, err
	}
	path, err := followed(name)
	if err != nil {
		return target{}, err
	}
	folder, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return target{}, fmt.Errorf("there is no folder %s", filepath.Dir(path))
	}
	return target{path: path, base: filepath.Base(path), folder: folder, info: info}, nil
}

// followed is the name at the end of links.
func followed(name string) (string, error) {
	for range mostLinks {
		to, err := os.Readlink(name)
		if err != nil {
			return name, nil // it is no link, or nothing
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
	}
	return "", errors.New("expected a file, found links that form a circle")
}

// stage makes the temporary file. A file that may not be written is not replaced either. Where nothing can be made in its
// folder, the temporary file is elsewhere, and its bytes are copied in the end.
func (t target) stage() (*os.File, error) {
	if t.info == nil {
		return temporary(filepath.Dir(t.path), t.base)
	}
	there, err := os.OpenFile(t.path, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	if err := there.Close(); err != nil {
		return nil, err
	}
	file, err := temporary(filepath.Dir(t.path), t.base)
	if err != nil {
		return temporary(os.TempDir(), t.base)
	}
	return file, errors.Join(os.Chmod(file.Name(), t.info.Mode().Perm()), keepOwner(file.Name(), t.info))
}

// take moves a temporary file to the target. A file that cannot be replaced, such as one that is mounted, is overwritten.
func (t target) take(temporary string) error {
	err := os.Rename(temporary, t.path)
	if err == nil || t.info == nil {
		return err
	}
	return t.overwrite(temporary)
}

func (t target) overwrite(temporary string) error {
	from, err := os.Open(temporary)
	if err != nil {
		return err
	}
	to, err := os.OpenFile(t.path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return errors.Join(err, from.Close())
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close(), from.Close())
}
