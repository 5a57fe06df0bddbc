package remote

import (
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Config is the text of a queue configuration.
type Config struct {
	Text   []byte
	Format string // yaml or toml
	Tag    string // of one that a host has: a change names the one that it was made for
	Number uint64 // in the history of the host
}

// Change answers a configuration that was put in force, or would be.
type Change struct {
	Number      uint64   `json:"number"`
	Warnings    []string `json:"warnings"`
	Differences []struct {
		Queue  string `json:"queue"`
		Key    string `json:"key"`
		Change string `json:"change"` // added, removed or changed
		From   string `json:"from"`
		To     string `json:"to"`
	} `json:"differences"` // of a dry run
}

// PastConfig is an entry of the history.
type PastConfig struct {
	Number uint64 `json:"number"`
	At     string `json:"at"`
	By     string `json:"by"`
	Source string `json:"source"`
	File   string `json:"file"`
	Bytes  int    `json:"bytes"`
}

// Config implements Host.
func (h *overHTTP) Config(ctx context.Context, number uint64) (*Config, error) {
	path := []string{"config"}
	if number > 0 {
		path = append(path, "history", strconv.FormatUint(number, 10))
	}
	response, err := h.send(ctx, call{method: http.MethodGet, path: path})
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	_, language, _ := strings.Cut(kind, "/")
	if language != "yaml" && language != "toml" {
		return nil, ErrNotQuern
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer))
	if err != nil {
		return nil, h.unreachable(ctx, err)
	}
	c := &Config{Text: text, Format: language, Tag: response.Header.Get("ETag")}
	c.Number, _ = strconv.ParseUint(response.Header.Get("Quern-Config-Number"), 10, 64) // 0 where it is not said
	return c, nil
}

// ConfigHistory implements Host.
func (h *overHTTP) ConfigHistory(ctx context.Context) ([]PastConfig, error) {
	text, err := h.get(ctx, nil, "config", "history")
	if err != nil {
		return nil, err
	}
	var list struct {
		Items []PastConfig `json:"items"`
	}
	if json.Unmarshal(text, &list) != nil {
		return nil, ErrNotQuern
	}
	return list.Items, nil
}

// TryConfig implements Host.
func (h *overHTTP) TryConfig(ctx context.Context, c *Config) (*Change, error) {
	return h.change(ctx, call{method: http.MethodPut, path: []string{"config"}, query: url.Values{"dry-run": {"true"}}, body: c.Text, header: contentOf(c)})
}

// SetConfig implements Host.
func (h *overHTTP) SetConfig(ctx context.Context, c *Config, key string) (*Change, error) {
	header := contentOf(c)
	header["If-Match"], header["Idempotency-Key"] = c.Tag, key
	return patiently(ctx, h, func() (*Change, error) {
		return h.change(ctx, call{method: http.MethodPut, path: []string{"config"}, body: c.Text, header: header})
	})
}

// ValidateConfig implements Host.
func (h *overHTTP) ValidateConfig(ctx context.Context, c *Config) (*Change, error) {
	return h.change(ctx, call{method: http.MethodPost, path: []string{"config", "validate"}, body: c.Text, header: contentOf(c)})
}

func contentOf(c *Config) map[string]string {
	return map[string]string{"Content-Type": "application/" + c.Format}
}

func (h *overHTTP) change(ctx context.Context, c call) (*Change, error) {
	text, err := h.read(ctx, c)
	if err != nil {
		return nil, err
	}
	var made Change
	if json.Unmarshal(text, &made) != nil {
		return nil, ErrNotQuern
	}
	return &made, nil
}
