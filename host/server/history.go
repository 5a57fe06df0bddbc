package server

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/quern-project/quern/core"
)

// The history of configurations is bounded: the oldest go first. The one in force always stays.
const (
	historyEntries = 100
	historyBytes   = 16 << 20 // of their texts
)

// Where configurations come from.
const (
	FromFile      = "file"
	FromAPI       = "api"
	FromConfigMap = "configmap" // a file that Kubernetes mounts; the record has it as a file
)

// Configuration is one that was put in force.
type Configuration struct {
	N      uint64 // counts from 1; 0: there has been none
	At     time.Duration
	By     string `json:",omitempty"` // the user; empty: not known
	Source string // FromFile or FromAPI
	File   string `json:",omitempty"`
	SHA256 string
	Format string // yaml or toml
	Text   string
}

// Tag identifies a configuration among all that were or will be in force.
func (c *Configuration) Tag() string { return tagOf(c.N, c.SHA256) }

func tagOf(n uint64, sum string) string { return fmt.Sprintf("%d-%.16s", n, sum) }

// defaultConfig is what is in force before any configuration.
const defaultConfig = "partitions:\n  - name: default\n    queues:\n      - name: root\n        queues:\n          - name: default\n"

// noConfig is what is in force before any configuration, as one of the history.
func noConfig() Configuration {
	return Configuration{SHA256: SumOf(defaultConfig), Format: formatYAML, Text: defaultConfig}
}

const formatYAML = "yaml"

// SumOf is the SHA-256 of a text.
func SumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// history lists configurations in the order in which they were put in force.
type history struct {
	list  []Configuration
	bytes int // of their texts
}

// add appends a configuration that a config.set has put in force.
func (h *history) add(at time.Duration, by string, in *core.SetConfig) {
	last := h.last()
	h.list = append(h.list, Configuration{N: last.N + 1, At: at, By: by, Source: FromAPI, SHA256: SumOf(in.Config), Format: formatOf(in), Text: in.Config})
	h.bytes += len(in.Config)
	for len(h.list) > 1 && (len(h.list) > historyEntries || h.bytes > historyBytes) {
		h.bytes -= len(h.list[0].Text)
		h.list = h.list[1:]
	}
}

func formatOf(in *core.SetConfig) string {
	if in.Format == "" {
		return formatYAML
	}
	return in.Format
}

// last is the configuration in force.
func (h *history) last() Configuration {
	if len(h.list) == 0 {
		return noConfig()
	}
	return h.list[len(h.list)-1]
}

// applied notes that a configuration came from a file.
func (h *history) applied(a Applied) {
	for i := len(h.list) - 1; i >= 0; i-- {
		if c := &h.list[i]; c.SHA256 == a.SHA256 {
			c.Source, c.File = FromFile, a.File
			return
		}
	}
}

// recall takes over the history of a snapshot. One that was written before there was a history has the configuration alone.
func (h *history) recall(list []Configuration, in *core.ConfigSource, at time.Duration) error {
	for i := range list {
		c := &list[i]
		if i > 0 && c.N != list[i-1].N+1 || c.SHA256 != SumOf(c.Text) {
			return fmt.Errorf("the history of configurations in it is inconsistent at number %d", c.N)
		}
		h.bytes += len(c.Text)
	}
	h.list = list
	if len(list) == 0 && in.Text != "" {
		h.add(at, "", &core.SetConfig{Config: in.Text, Format: in.Format})
	}
	if in.Text != "" && h.last().Text != in.Text {
		return fmt.Errorf("the history of configurations in it does not end with the current one")
	}
	return nil
}
