package safefile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Open opens a regular file, or a link to one. A pipe, a device or a socket is refused without waiting: the file is opened
// non-blocking, and the check is of the opened file. Errors begin with the path.
func Open(path string) (*os.File, fs.FileInfo, error) {
	return open(path, func(fs.FileInfo) bool { return false })
}

// OpenOrStream opens a regular file, the null device, or a descriptor that the process was given, such as /dev/stdin or
// the /dev/fd/63 of a shell's process substitution, whatever it is connected to. Of the last, a read may block.
func OpenOrStream(path string) (f *os.File, stream bool, err error) {
	f, info, err := open(path, func(info fs.FileInfo) bool {
		return !info.IsDir() && (isDescriptor(filepath.Clean(path)) || isNull(info))
	})
	return f, err == nil && !info.Mode().IsRegular(), err
}

// isDescriptor reports whether a path is how systems name what a process has opened already: /dev/stdin, /dev/fd/63 or
// /proc/self/fd/63.
func isDescriptor(path string) bool {
	folder, file := filepath.Split(path)
	if _, err := strconv.ParseUint(file, 10, 31); err != nil {
		return path == "/dev/stdin"
	}
	return folder == "/dev/fd/" || strings.HasPrefix(folder, "/proc/") && strings.HasSuffix(folder, "/fd/")
}

func isNull(info fs.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(info, null)
}

// Read reads a regular file that has at most so many bytes. Errors begin with the path.
func Read(path string, most int64) ([]byte, error) {
	f, info, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	var data bytes.Buffer
	data.Grow(int(min(info.Size(), most)) + bytes.MinRead) // else a large file is copied many times
	if _, err := data.ReadFrom(io.LimitReader(f, most+1)); err != nil {
		return nil, WithPath(path, err)
	}
	if int64(data.Len()) > most {
		return nil, tooLarge(path, most)
	}
	return data.Bytes(), nil
}

// Hash is the SHA-256 of a regular file that has at most so many bytes, in hexadecimal digits, and its size. Errors begin
// with the path.
func Hash(path string, most int64) (sum string, size int64, err error) {
	f, info, err := Open(path)
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if info.Size() > most {          // a sparse file would take hours
		return "", 0, tooLarge(path, most)
	}
	h := sha256.New()
	if size, err = io.Copy(h, io.LimitReader(f, most+1)); err != nil {
		return "", 0, WithPath(path, err)
	}
	if size > most {
		return "", 0, tooLarge(path, most)
	}
	return hex.EncodeToString(h.Sum(nil)), size, nil
}

func tooLarge(path string, most int64) error {
	return fmt.Errorf("%s: expected at most %d bytes, found more", path, most)
}

// WithPath puts the path in front of what is wrong with a file, as in other errors, without the name of the system call.
func WithPath(path string, err error) error {
	var bad *fs.PathError
	if errors.As(err, &bad) {
		err = bad.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// open opens what is a regular file or otherwise allowed.
func open(path string, allowed func(fs.FileInfo) bool) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		if info, other := os.Stat(path); other == nil && !info.Mode().IsRegular() { // a socket cannot be opened at all
			return nil, nil, refusal(path, info)
		}
		return nil, nil, WithPath(path, err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = WithPath(path, err)
	case !info.Mode().IsRegular() && !allowed(info):
		err = refusal(path, info)
	default:
		return f, info, nil
	}
	_ = f.Close() // nothing was written
	return nil, nil, err
}

func refusal(path string, info fs.FileInfo) error {
	return fmt.Errorf("%s: expected a file, found %s", path, kind(info.Mode()))
}

// kind names what is no regular file.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else"
}
