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

// Options say how a text is to be read.
type Options struct {
	File   string // for errors
	Format Format // YAML if empty

	// Policies reports whether a loaded policy module of a name serves a point: "queue.order", "app.order",
	// "ask.order" or "node.score". Nil: there are no modules.
	Policies func(point, name string) bool

	// Doubts adds warnings about names and amounts that are legal and probably slips. The scheduler decides without them, so
	// that its decisions do not depend on what seems plausible.
	Doubts bool
	Types  []string // the resource types of the nodes, for Doubts; nil: they are not known
}

// Decode reads and validates a configuration. An error is of type Errors and says all that is wrong.
func Decode(text []byte, o Options) (*Config, error) {
	c, _, err := Check(text, o)
	return c, err
}

// Check is Decode for a reader who wants the warnings beside the errors, too.
func Check(text []byte, o Options) (*Config, []Warning, error) {
	d := &decoder{options: o}
	tree := d.tree(withoutChecksum(text))
	if tree == nil {
		return nil, nil, d.errors
	}
	c, err := d.config(tree)
	return c, d.listWarnings(), err
}

// config judges a tree.
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
	errors   Errors // the first of them
	warnings []Warning
	known    map[string][]string // the keys that a level knows, as an error lists them; filled when needed

	unkept   int // errors beyond those that are kept
	unlisted int // warnings beyond those that are listed
	used     usage

	partition  *Partition  // that is being read
	label      string      // begins the paths of its queues; empty for the first
	rootLimits *limitTable // those of the partition
	prefix     string      // of keys, while what stands below one is read: it ends in a dot
	steps      int         // of comparing limits with those above
	stepsEnded bool        // an error says so
}

// tree reads the text, without a judgement on what it says; nil, and an error, where it cannot be read.
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
	if d.crowded() {
		d.unkept++
		return
	}
	d.errors = append(d.errors, &Error{File: d.options.File, Line: int(at.line), Column: int(at.column), Queue: d.shown(queue), Key: d.whole(key), Expected: expected, Found: found})
}

func (d *decoder) warn(at place, queue, key, text string) {
	if len(d.warnings) >= listedWarnings {
		d.unlisted++
		return
	}
	d.warnings = append(d.warnings, Warning{d.options.File, int(at.line), int(at.column), d.shown(queue), d.whole(key), text})
}

// below runs a reader of what stands below a key. Errors and warnings name the whole key.
func (d *decoder) below(prefix string, read func()) {
	before := d.prefix
	d.prefix += prefix
	read()
	d.prefix = before
}

// whole is a key with those that it stands below. An empty one is the last of these itself.
func (d *decoder) whole(key string) string {
	if key == "" {
		return strings.TrimSuffix(d.prefix, ".")
	}
	return d.prefix + key
}

// shown is the path of a queue as texts have it.
func (d *decoder) shown(queue string) string {
	if queue == InPartition || queue == InFile {
		return queue
	}
	return d.label + queue
}

// withoutChecksum drops a last line `checksum: …`. Tools append it to a file of either format; in TOML it would be no
// TOML, and in YAML it may stand at an indentation of its own.
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
