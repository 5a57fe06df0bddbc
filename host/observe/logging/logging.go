// Package logging is the log of a live host: records of several subsystems in one stream, each with a level of its own. Levels and the
// format can be changed while the host runs.
package logging

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
)

// Subsystem is a part of the host that has a level of its own.
type Subsystem string

// The subsystems.
const (
	Loop     Subsystem = "loop"     // rounds and the view
	Store    Subsystem = "store"    // the record on disk
	HTTP     Subsystem = "http"     // requests over HTTP
	GRPC     Subsystem = "grpc"     // requests over gRPC
	Policy   Subsystem = "policy"   // policy modules
	Config   Subsystem = "config"   // configuration and settings
	Audit    Subsystem = "audit"    // who changed what
	Platform Subsystem = "platform" // the cluster that is scheduled
)

// Subsystems lists them all.
func Subsystems() []Subsystem {
	return []Subsystem{Loop, Store, HTTP, GRPC, Policy, Config, Audit, Platform}
}

// Formats of a log.
const (
	Text = "text"
	JSON = "json"
)

// Logs makes the loggers of a host.
type Logs struct {
	text, json slog.Handler
	asJSON     atomic.Bool
	levels     map[Subsystem]*slog.LevelVar
}

// New makes logs in a format, from a level on: those in text are written to one writer, those in JSON to the other, a record at a time.
func New(text, json io.Writer, format string, levels Levels) (*Logs, error) {
	all := &slog.HandlerOptions{Level: slog.LevelDebug} // each subsystem's own decides
	l := &Logs{text: slog.NewTextHandler(text, all), json: slog.NewJSONHandler(json, all), levels: map[Subsystem]*slog.LevelVar{}}
	for _, s := range Subsystems() {
		l.levels[s] = &slog.LevelVar{}
	}
	l.Set(levels)
	return l, l.SetFormat(format)
}

// CheckFormat reports what is wrong with the name of a format.
func CheckFormat(format string) error {
	if format != Text && format != JSON {
		return fmt.Errorf("expected %s or %s, found %q", Text, JSON, format)
	}
	return nil
}

// SetFormat has all records from now on written in a format.
func (l *Logs) SetFormat(format string) error {
	if err := CheckFormat(format); err != nil {
		return err
	}
	l.asJSON.Store(format == JSON)
	return nil
}

// For is the logger of a subsystem.
func (l *Logs) For(s Subsystem) *slog.Logger {
	about := []slog.Attr{slog.String("subsystem", string(s))}
	return slog.New(&handler{l.text.WithAttrs(about), l.json.WithAttrs(about), &l.asJSON, l.levels[s]})
}

// handler lets through what its level lets through, in the present format.
type handler struct {
	text, json slog.Handler
	asJSON     *atomic.Bool
	level      *slog.LevelVar
}

func (h *handler) Enabled(_ context.Context, level slog.Level) bool { return level >= h.level.Level() }

func (h *handler) Handle(ctx context.Context, r slog.Record) error {
	if h.asJSON.Load() {
		return h.json.Handle(ctx, r)
	}
	return h.text.Handle(ctx, r)
}

func (h *handler) WithAttrs(list []slog.Attr) slog.Handler {
	return &handler{h.text.WithAttrs(list), h.json.WithAttrs(list), h.asJSON, h.level}
}

func (h *handler) WithGroup(name string) slog.Handler {
	return &handler{h.text.WithGroup(name), h.json.WithGroup(name), h.asJSON, h.level}
}

// Levels are levels by subsystem.
type Levels map[Subsystem]slog.Level

// Levels returns those of all subsystems.
func (l *Logs) Levels() Levels {
	now := Levels{}
	for s, v := range l.levels {
		now[s] = v.Level()
	}
	return now
}

// Set sets the levels of the subsystems that are named, and leaves the others.
func (l *Logs) Set(levels Levels) {
	for s, level := range levels {
		l.levels[s].Set(level)
	}
}

// levelNames are what levels are called.
var levelNames = map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}

// NameOf is what a level is called.
func NameOf(level slog.Level) string { return strings.ToLower(level.String()) }

// ParseLevel reads what a level is called.
func ParseLevel(name string) (slog.Level, error) {
	level, ok := levelNames[name]
	if !ok {
		return 0, fmt.Errorf("expected debug, info, warn or error, found %q", name)
	}
	return level, nil
}

// ParseSubsystem reads the name of a subsystem.
func ParseSubsystem(name string) (Subsystem, error) {
	if !slices.Contains(Subsystems(), Subsystem(name)) {
		return "", fmt.Errorf("expected one of %s, found %q", listed(), name)
	}
	return Subsystem(name), nil
}

func listed() string {
	var names []string
	for _, s := range Subsystems() {
		names = append(names, string(s))
	}
	return strings.Join(names, ", ")
}

// ParseLevels reads a list such as "warn,store=debug": a level without a subsystem is that of all which are not named.
func ParseLevels(text string) (Levels, error) {
	levels, usual := Levels{}, slog.LevelInfo
	for i, part := range strings.Split(text, ",") {
		name, value, named := strings.Cut(strings.TrimSpace(part), "=")
		if !named {
			if i > 0 {
				return nil, fmt.Errorf("expected a level, and then subsystems such as store=debug, found %q", part)
			}
			level, err := ParseLevel(name)
			if err != nil {
				return nil, err
			}
			usual = level
			continue
		}
		s, err := ParseSubsystem(name)
		if err != nil {
			return nil, err
		}
		if levels[s], err = ParseLevel(value); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, s := range Subsystems() {
		if _, ok := levels[s]; !ok {
			levels[s] = usual
		}
	}
	return levels, nil
}
