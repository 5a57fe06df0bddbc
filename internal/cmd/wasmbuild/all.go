package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// order is that in which pages want the modules, and where the site has each.
var order = []struct{ name, site string }{{"core", "core.wasm.gz"}, {"features", "features.wasm.gz"}, {"policytest", "later/policytest.wasm.gz"}}

// building is a file that is beside the compressed modules while they are being made: a host that serves them from there has
// pages wait.
const building = "building"

// buildAll builds all modules into a folder, and compressed into its folder modules, as the site has them. It does again only
// what has changed.
func buildAll(ctx context.Context, dir string) (err error) {
	packed := filepath.Join(dir, "modules")
	for _, folder := range []string{filepath.Join(packed, "later"), filepath.Join(dir, "linked")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
	}
	mark := filepath.Join(packed, building)
	if err := os.WriteFile(mark, nil, 0o644); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(mark)) }()
	for i, m := range order {
		made, err := buildOne(ctx, dir, m.name, filepath.Join(packed, m.site))
		if err != nil {
			return fmt.Errorf("%s.wasm: %w", m.name, err)
		}
		if made {
			fmt.Printf("%s%s.wasm: compiled (%d of %d)\n", clearLine(), m.name, i+1, len(order))
		}
	}
	return nil
}

// clearLine clears the line on a terminal, where another program may be showing its progress.
func clearLine() string {
	info, err := os.Stdout.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return ""
	}
	return "\r\033[K"
}

// buildOne builds a module and its compressed form, unless what the linker made is what they were made of before.
func buildOne(ctx context.Context, dir, name, compressed string) (made bool, err error) {
	unpacked, module := filepath.Join(dir, "linked", name+".wasm"), filepath.Join(dir, name+".wasm")
	if err := compile(ctx, linked(unpacked), modules[name]); err != nil {
		return false, err
	}
	code, err := os.ReadFile(unpacked)
	if err != nil {
		return false, err
	}
	sum, err := sumWithThisProgram(code)
	if err != nil {
		return false, err
	}
	if before, err := os.ReadFile(unpacked + ".sum"); err == nil && string(before) == sum && exist(module, compressed) {
		return false, nil
	}
	packed, err := pack(code)
	if err != nil {
		return false, err
	}
	zipped, err := compress(packed)
	if err != nil {
		return false, err
	}
	return true, errors.Join(replace(module, packed), replace(compressed, zipped), os.WriteFile(unpacked+".sum", []byte(sum), 0o644))
}

// sumWithThisProgram depends on what the linker made, and on this program, which makes the module of it.
func sumWithThisProgram(code []byte) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	program, err := os.ReadFile(self)
	sum := sha256.New()
	sum.Write(program)
	sum.Write(code)
	return hex.EncodeToString(sum.Sum(nil)), err
}

func exist(files ...string) bool {
	for _, file := range files {
		if _, err := os.Stat(file); err != nil {
			return false
		}
	}
	return true
}

// compress makes the same bytes of the same bytes: no name, no time.
func compress(data []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(data)
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}

// replace writes a file that others may be reading.
func replace(file string, data []byte) error {
	if err := os.WriteFile(file+".new", data, 0o644); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
