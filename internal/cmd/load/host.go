package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// host is `quern serve` in a process of its own.
type host struct {
	command *exec.Cmd
	http    string // the beginning of its addresses
	grpc    string
	data    string // folder
	log     string // file
	ended   chan error
}

var serving = regexp.MustCompile(`^serving http=(\S+) grpc=(\S+) seq=\d+\n$`)

// startHost runs a build of quern below a folder, where its record and its log go, with further flags.
func startHost(quern, dir string, flags ...string) (*host, error) {
	h := &host{data: filepath.Join(dir, "data"), log: filepath.Join(dir, "log"), ended: make(chan error, 1)}
	log, err := os.Create(h.log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }() // the process has its own
	h.command = exec.Command(quern, append([]string{"serve", "--data", h.data, "--http", "127.0.0.1:0", "--grpc", "127.0.0.1:0"}, flags...)...)
	h.command.Stderr = log
	out, err := h.command.StdoutPipe()
	if err == nil {
		err = h.command.Start()
	}
	if err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	found := serving.FindStringSubmatch(line)
	go func() {
		_, _ = io.Copy(io.Discard, out)
		h.ended <- h.command.Wait()
	}()
	if found == nil {
		return nil, errors.Join(fmt.Errorf("expected a line with the addresses, found %q: see %s", line, h.log), err, h.stop())
	}
	h.http, h.grpc = "http://"+found[1], found[2]
	return h, nil
}

// stopTime is how long a host may take to end.
const stopTime = 20 * time.Second

// stop ends the host in good order.
func (h *host) stop() error {
	if err := h.command.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case err := <-h.ended:
		return err
	case <-time.After(stopTime):
		return errors.Join(fmt.Errorf("the host did not end within %s", stopTime), h.command.Process.Kill())
	}
}

// folder is what lies in the data folder.
type folder struct {
	bytes     int64
	snapshots int64    // bytes of them
	kept      []string // snapshots, the oldest first
}

// folder looks at the data folder.
func (h *host) folder() (f folder, err error) {
	err = filepath.WalkDir(h.data, func(_ string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return ignoreGone(err)
		}
		info, err := entry.Info()
		if err != nil {
			return ignoreGone(err)
		}
		f.bytes += info.Size()
		if name := entry.Name(); strings.HasSuffix(name, ".snap") {
			f.kept, f.snapshots = append(f.kept, name), f.snapshots+info.Size()
		}
		return nil
	})
	return f, err
}

// ignoreGone is for files that the host removes meanwhile.
func ignoreGone(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// pace calls a function so often a second until the context ends or it fails. What is late is made up for.
func pace(ctx context.Context, perSecond float64, do func() error) error {
	began := time.Now()
	for n := 1; ; n++ {
		due := began.Add(time.Duration(float64(n) / perSecond * float64(time.Second)))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Until(due)):
		}
		if err := do(); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
	}
}
