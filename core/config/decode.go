package config

import (
	"bytes"
	"strconv"
	"strings"
)

// Format is the language of a configuration.
type Format string

// The formats.
const (
	YAML Format = "yaml"
	TOML Format = "toml"
)

// Options control the decoding of a text.
type Options struct {
	File   string // for errors
	Format Format // YAML if empty

	// Policies reports whether a policy module with a name is loaded for a point: "queue.order", "app.order", "ask.order" or
	// "node.score". It is nil if there are no modules.
	Policies func(point, name string) bool

	// Implausible adds warnings about names and amounts that are valid, but probably mistakes. The scheduler decodes without it, so
	// that decisions do not depend on what seems plausible.
	Implausible bool
	Types       []string // the resource types of the nodes, for Implausible; nil if they are unknown
}

// Decode decodes and validates a configuration. An error is of type Errors and lists everything that is wrong.
func Decode(text []byte, o Options) (*Config, error) {
	c, _, err := Check(text, o)
	return c, err
}

// Check is Decode for callers that need the warnings even if there are errors.
func Check(text []byte, o Options) (*Config, []Warning, error) {
	d := &decoder{options: o}
	tree := d.tree(withoutChecksum(text))
	if tree == nil {
		return nil, nil, d.errors
	}
	c, err := d.config(tree)
	return c, d.listWarnings(), err
}

// config validates a tree.
func (d *decoder) config(tree *value) (*Config, error) {
	c := d.file(tree)
	if len(d.errors) > 0 {
		return nil, d.refusal()
	}
	c.Warnings = d.listWarnings()
	return c, nil
}

// decoder is one run of Decode.
type decoder struct {
	options  Options
	errors   Errors // the first maxErrors
	warnings []Warning
	known    map[string][]string // by level: the known keys, as errors list them; filled when needed

	droppedErrors   int // number of errors beyond maxErrors
	droppedWarnings int // number of warnings beyond those listed
	used            usage

	partition  *Partition  // the one that is being read
	label      string      // start of the paths of its queues; empty for the first
	rootLimits *limitTable // limits of the partition
	prefix     string      // prefix of keys while the value of a key is read; it ends with a dot
	steps      int         // steps of comparing limits with those above
	stepsEnded bool        // mostSteps was exceeded, and reported

	windowIDs map[string]string // keys of the windows so far
	devices   []DeviceType      // of the configuration; known before its partitions are read
}

// tree parses the text without validation. It returns nil, and adds an error, if the text cannot be parsed.
func (d *decoder) tree(text []byte) *value {
	if len(text) > maxText {
		d.add(place{1, 1}, InFile, sizeKey, "at most "+strconv.Itoa(maxText)+" bytes", strconv.Itoa(len(text)))
		return nil
	}
	read := readYAML
	if d.options.Format == TOML {
		read = readTOML
	}
	tree, fatal := read(string(text))
	if fatal != nil {
		d.add(fatal.at, InFile, fatal.key, fatal.expected, fatal.found)
	}
	return tree
}

func (d *decoder) add(at place, queue, key, expected, found string) {
	if d.errorsFull() {
		d.droppedErrors++
		return
	}
	d.errors = append(d.errors, &Error{File: d.options.File, Line: int(at.line), Column: int(at.column), Queue: d.shown(queue), Key: d.fullKey(key), Expected: expected, Found: found})
}

func (d *decoder) warn(at place, queue, key, text string) {
	if len(d.warnings) >= listedWarnings {
		d.droppedWarnings++
		return
	}
	d.warnings = append(d.warnings, Warning{d.options.File, int(at.line), int(at.column), d.shown(queue), d.fullKey(key), text})
}

// below runs a reader for the value of a key. Errors and warnings have the full key.
func (d *decoder) below(prefix string, read func()) {
	before := d.prefix
	d.prefix += prefix
	read()
	d.prefix = before
}

// fullKey returns a key with its prefix. For an empty key, it is the prefix without its dot.
func (d *decoder) fullKey(key string) string {
	if key == "" {
		return strings.TrimSuffix(d.prefix, ".")
	}
	return d.prefix + key
}

// shown returns the path of a queue as shown in texts.
func (d *decoder) shown(queue string) string {
	if queue == InPartition || queue == InFile {
		return queue
	}
	return d.label + queue
}

// withoutChecksum drops a last line `checksum: …`. Tools append it to files of both formats. It is not valid TOML, and in YAML it may have
// a different indentation.
func withoutChecksum(text []byte) []byte {
	trimmed := bytes.TrimRight(text, " \t\r\n")
	start := bytes.LastIndexByte(trimmed, '\n') + 1
	if bytes.HasPrefix(trimmed[start:], []byte("checksum:")) {
		return text[:start]
	}
	return text
}

// oneOf lists words for an error.
func oneOf(words ...string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
