// Package logging is the log of a live host: records of several subsystems in one stream, each with a level of its own that can be
// changed while the host runs.
package logging

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
)

// Subsystem is a part of the host that has a level of its own.
type Subsystem string

// The subsystems.
const (
	Loop   Subsystem = "loop"   // rounds and the view
	Store  Subsystem = "store"  // the record on disk
	HTTP   Subsystem = "http"   // requests over HTTP
	GRPC   Subsystem = "grpc"   // requests over gRPC
	Policy Subsystem = "policy" // policy modules
	Config Subsystem = "config" // configuration and settings
	Audit  Subsystem = "audit"  // who changed what
)

// Subsystems lists them all.
func Subsystems() []Subsystem { return []Subsystem{Loop, Store, HTTP, GRPC, Policy, Config, Audit} }

// Formats of a log.
const (
	Text = "text"
	JSON = "json"
)

// Logs makes the loggers of a host.
type Logs struct {
	handler slog.Handler
	levels  map[Subsystem]*slog.LevelVar
}

// New makes logs that are written to w in a format, from a level on.
func New(w io.Writer, format string, levels Levels) (*Logs, error) {
	l := &Logs{levels: map[Subsystem]*slog.LevelVar{}}
	all := &slog.HandlerOptions{Level: slog.LevelDebug} // each subsystem's own decides
	switch format {
	case Text:
		l.handler = slog.NewTextHandler(w, all)
	case JSON:
		l.handler = slog.NewJSONHandler(w, all)
	default:
		return nil, fmt.Errorf("expected %s or %s, found %q", Text, JSON, format)
	}
	for _, s := range Subsystems() {
		l.levels[s] = &slog.LevelVar{}
	}
	l.Set(levels)
	return l, nil
}

// For is the logger of a subsystem.
func (l *Logs) For(s Subsystem) *slog.Logger {
	return slog.New(&leveled{l.handler.WithAttrs([]slog.Attr{slog.String("subsystem", string(s))}), l.levels[s]})
}

// leveled lets through what its level lets through.
type leveled struct {
	slog.Handler
	level *slog.LevelVar
}

func (h *leveled) Enabled(_ context.Context, level slog.Level) bool { return level >= h.level.Level() }

func (h *leveled) WithAttrs(list []slog.Attr) slog.Handler {
	return &leveled{h.Handler.WithAttrs(list), h.level}
}

func (h *leveled) WithGroup(name string) slog.Handler {
	return &leveled{h.Handler.WithGroup(name), h.level}
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
