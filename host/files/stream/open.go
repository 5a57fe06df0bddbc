package stream

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/quern-project/quern/host/files/safefile"
)

// maxWindow bounds what a zstd file may ask us to hold; `zstd --long` uses this much.
const maxWindow = 128 << 20

// Open opens a file, or standard input, and looks through its compression.
func Open(name string, env Env) (io.ReadCloser, error) {
	r, err := open(name, env)
	if err != nil {
		return nil, err
	}
	return r, nil
}

func open(name string, env Env) (*opened, error) {
	raw, waits, err := openRaw(name, env)
	if err != nil {
		return nil, &Error{err}
	}
	counted := &counting{ctx: env.Context, r: raw, read: env.Read}
	buffered := bufio.NewReaderSize(counted, 1<<16)
	plain, err := decompress(name, buffered)
	if err != nil {
		_ = raw.Close()
		return nil, &Error{err}
	}
	return &opened{Reader: &unmarked{text: bufio.NewReaderSize(plain, 1<<16)}, plain: plain, raw: raw, waits: waits}, nil
}

// openRaw opens a file, or standard input, as it is. It waits if a read may have to, for whatever writes at the other end.
func openRaw(name string, env Env) (r io.ReadCloser, waits bool, err error) {
	if name == Stdin {
		if err := env.openedStdin(); err != nil {
			return nil, false, err
		}
		if env.Spooled == "" {
			return interruptible(env.Context, env.Stdin), true, nil
		}
		name = env.Spooled
	}
	f, stream, err := safefile.OpenOrStream(name)
	if err != nil {
		return nil, false, err
	}
	if err := env.opened(name, f); err != nil {
		_ = f.Close()
		return nil, false, err
	}
	if stream {
		return &given{interruptible(env.Context, f), f}, true, nil
	}
	return f, false, nil
}

// opened asks whether the run may read a file.
func (e Env) opened(name string, f *os.File) error {
	if e.Opened == nil {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return safefile.WithPath(name, err)
	}
	return e.Opened(name, info)
}

// openedStdin tells of the file that standard input was redirected from.
func (e Env) openedStdin() error {
	f, ok := e.Stdin.(*os.File)
	if !ok || e.Opened == nil {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return nil // it is closed: reading tells
	}
	return e.Opened(shown(Stdin), info)
}

// given is a stream that the process was given, by its name.
type given struct {
	io.ReadCloser
	file *os.File
}

// Close ends a read that waits, and frees the name.
func (g *given) Close() error { return errors.Join(g.ReadCloser.Close(), g.file.Close()) }

// zippedInBase64 begins what gzip has compressed if it is in base64, as ConfigMaps have it under keys such as queues.yaml.gz.
const zippedInBase64 = "H4sI"

// decompress looks at the first bytes.
func decompress(name string, r *bufio.Reader) (io.Reader, error) {
	head, err := r.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case string(head) == zippedInBase64 && strings.EqualFold(filepath.Ext(name), ".gz"):
		z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, r))
		if err != nil {
			return nil, fmt.Errorf("%s: base64, gzip: %w", name, cut(err))
		}
		return &packed{Reader: z, kind: "base64, gzip"}, nil
	case len(head) >= 2 && head[0] == 0x1f && head[1] == 0x8b:
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, fmt.Errorf("%s: gzip: %w", name, cut(err))
		}
		return &packed{Reader: z, kind: "gzip"}, nil
	case string(head) == "\x28\xb5\x2f\xfd":
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, fmt.Errorf("%s: zstd: %w", name, cut(err))
		}
		return &packed{Reader: z, kind: "zstd", close: z.Close}, nil
	}
	return r, nil
}

// packed names the compression in what goes wrong with it.
type packed struct {
	io.Reader
	kind  string
	close func()
}

func (p *packed) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%s: %w", p.kind, cut(err))
	}
	return n, err
}

// errCut is what a reader means by an unexpected end of file.
var errCut = errors.New("the file is incomplete")

func cut(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errCut
	}
	return err
}

// opened is a file with the decompressor on top.
type opened struct {
	io.Reader
	plain io.Reader // below it: the decompressor, if there is one
	raw   io.Closer
	waits bool // a read may have to wait for a writer
}

func (o *opened) Close() error {
	if p, ok := o.plain.(*packed); ok && p.close != nil {
		p.close()
	}
	return o.raw.Close()
}

// byteOrderMark begins some UTF-8 files. It belongs to no text.
const byteOrderMark = "\ufeff"

// unmarked skips the byte-order mark of a text. It looks at the text with the first read, which may have to wait.
type unmarked struct {
	text  *bufio.Reader
	begun bool
}

func (u *unmarked) Read(b []byte) (int, error) {
	if !u.begun {
		u.begun = true
		if head, _ := u.text.Peek(len(byteOrderMark)); string(head) == byteOrderMark { // the read returns the error
			_, _ = u.text.Discard(len(head))
		}
	}
	return u.text.Read(b)
}

// counting tells of what is read, and ends when its context does.
type counting struct {
	ctx  context.Context
	r    io.Reader
	read func(int)
}

func (c *counting) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(b)
	if c.read != nil && n > 0 {
		c.read(n)
	}
	return n, err
}

// interruptible reads from what may block forever, such as a terminal, and gives up when the context ends.
func interruptible(ctx context.Context, r io.Reader) io.ReadCloser {
	out, in := io.Pipe()
	go func() {
		_, err := io.Copy(in, r)
		_ = in.CloseWithError(err)
	}()
	stop := context.AfterFunc(ctx, func() { _ = in.CloseWithError(ctx.Err()) }) // of both ends the one that tells the reader
	return &closing{PipeReader: out, stop: stop}
}

type closing struct {
	*io.PipeReader
	stop func() bool
}

func (c *closing) Close() error {
	c.stop()
	return c.PipeReader.Close()
}

// Size is the number of bytes that reading these files will take; below 0 where that is not known.
func Size(names ...string) int64 {
	var total int64
	for _, name := range names {
		info, err := os.Stat(name)
		if name == Stdin || err != nil || !info.Mode().IsRegular() {
			return -1
		}
		total += info.Size()
	}
	return total
}
