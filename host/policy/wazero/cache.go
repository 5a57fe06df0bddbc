package wazero

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"

	"github.com/quern-project/quern/host/files/safefile"
)

// cache keeps compiled code between runs. The library runs what it finds under the name that it wants: so it is shown a
// folder of this runtime alone, with links to those entries of the shared folder that bear the sum they should. What
// it adds there is given its sum and moved to the shared folder. An entry that is torn or foreign is removed, and the code
// compiled again; a cache that cannot be written is no error, once it is open.
//
// An entry is DIR/ENGINE/PLACE/NAME-SUM: NAME is the library's, a SHA-256 of the module and the processor's features; SUM
// is keyed with DIR/key, and covers ENGINE and NAME too.
type cache struct {
	library wazero.CompilationCache
	dir     string // DIR/ENGINE
	key     []byte
	engine  string   // the library's name for its version and the system
	run     string   // the folder of this runtime
	lock    *os.File // of it; nil: there is none
	shown   string   // in it, what the library reads and writes

	renewed time.Time // the age of its folder counts from then

	mu sync.Mutex // one module at a time, so that it is known whose code the library added
}

// openCache opens a folder, which is made where there is none.
func openCache(dir string) (*cache, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := checkFolder(dir); err != nil {
		return nil, err
	}
	c := &cache{}
	if c.key, err = cacheKey(dir); err != nil {
		return nil, err
	}
	if err := c.begin(dir); err != nil {
		return nil, err
	}
	if err := c.openLibrary(); err != nil {
		c.close()
		return nil, err
	}
	c.shown, c.dir, c.renewed = filepath.Join(c.run, c.engine), filepath.Join(dir, c.engine), time.Now()
	return c, nil
}

// openLibrary has the library make its folder, the only one in that of this runtime, and learns what it is called.
func (c *cache) openLibrary() (err error) {
	if c.library, err = wazero.NewCompilationCacheWithDir(c.run); err != nil {
		return err
	}
	made, err := os.ReadDir(c.run)
	if err != nil {
		return err
	}
	if len(made) != 1 {
		return fmt.Errorf("%s: expected one folder of the engine, found %d", c.run, len(made))
	}
	c.engine = made[0].Name()
	return nil
}

// close frees the folder of this runtime.
func (c *cache) close() {
	if os.Remove(c.shown) != nil || os.Remove(c.run) != nil { // the usual case is that both are empty
		_ = os.RemoveAll(c.run) // what cannot be removed is abandoned
	}
	if c.lock != nil {
		_ = c.lock.Close() // it was only opened
	}
}

// compile has the library compile a module, or take its code from the cache.
func (c *cache) compile(module []byte, compile func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.renew()
	place := filepath.Join(c.dir, fmt.Sprintf("%08x-%d", crc32.Checksum(module, castagnoli), len(module)))
	known := c.show(place)
	err := compile()
	if err != nil {
		// It may be the cache's: an entry that was torn after its sum was taken, or a new one that could not be written, which
		// the library tells although it has the code by then.
		c.clear(known)
		known = nil
		err = compile()
	}
	c.collect(place, known)
	c.clear(known)
	return err
}

// renew keeps the folder of a runtime that lives long from being taken for abandoned.
func (c *cache) renew() {
	now := time.Now()
	if now.Sub(c.renewed) < abandoned/24 {
		return
	}
	if os.MkdirAll(c.shown, 0o700) == nil && os.Chtimes(c.run, now, now) == nil {
		c.renewed = now
	}
}

// clear removes the links to entries.
func (c *cache) clear(known map[string]bool) {
	for name := range known {
		_ = os.Remove(filepath.Join(c.shown, name))
	}
}

// castagnoli is fast in hardware. It only says where to look: the library finds code by its own name.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// show links the good entries of a place where the library looks, and removes the others.
func (c *cache) show(place string) map[string]bool {
	known := map[string]bool{}
	entries, _ := os.ReadDir(place) // none: nothing is cached
	for _, e := range entries {
		path := filepath.Join(place, e.Name())
		name, sum, _ := strings.Cut(e.Name(), "-")
		if found, err := c.sum(name, path); err != nil || !hmac.Equal([]byte(found), []byte(sum)) {
			_ = os.RemoveAll(path) // a folder too; one that cannot be removed is passed over each time
			continue
		}
		if os.Link(path, filepath.Join(c.shown, name)) == nil {
			known[name] = true
		}
	}
	return known
}

// collect moves what the library added to the shared folder.
func (c *cache) collect(place string, known map[string]bool) {
	entries, _ := os.ReadDir(c.shown)
	for _, e := range entries {
		if known[e.Name()] {
			continue
		}
		path := filepath.Join(c.shown, e.Name())
		if sum, err := c.sum(e.Name(), path); err == nil && os.MkdirAll(place, 0o700) == nil {
			_ = os.Rename(path, filepath.Join(place, e.Name()+"-"+sum))
		}
		_ = os.Remove(path) // unless it was moved
	}
}

// sum is the keyed sum of an entry's file.
func (c *cache) sum(name, path string) (string, error) {
	f, info, err := safefile.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // it was only read
	if err := ours(path, info); err != nil {
		return "", err
	}
	h := hmac.New(sha256.New, c.key)
	_, _ = fmt.Fprintf(h, "quern compiled code 1\n%s\n%s\n", c.engine, name)
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// FolderError is a cache that others could have changed.
type FolderError struct{ text string }

func (e *FolderError) Error() string { return e.text }

// Is makes it an error of permissions.
func (e *FolderError) Is(target error) bool { return target == fs.ErrPermission }

// checkFolder refuses a folder that others can write: code from it is run.
func checkFolder(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s: expected a folder, found a file", dir)
	}
	if err := ours(dir, info); err != nil {
		return &FolderError{fmt.Sprintf("%v; make it yours alone (chown, chmod go-w), or choose another folder", err)}
	}
	return nil
}
