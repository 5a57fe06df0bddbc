// Package audit keeps the audit log of a live host: a line of JSON for each request that changes something, and for each that was refused
// for want of a name or a role. The record of the host says the same of what was applied; the log is for those who collect logs.
package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/server"
)

// Entry is a line of the log.
type Entry struct {
	Time   string   `json:"time"`
	User   string   `json:"user"` // empty: without authentication, or the host itself
	Groups []string `json:"groups,omitempty"`
	From   string   `json:"from,omitempty"` // the address
	Action string   `json:"action"`         // applied, failed or refused
	What   string   `json:"what,omitempty"` // of what was refused: the route or the method; of settings: the file or the route
	Why    string   `json:"why,omitempty"`  // it failed or was refused

	Inputs map[core.InputType]int `json:"inputs,omitempty"` // how many of each type
	IDs    []string               `json:"ids,omitempty"`    // that they name, at most 100
	SHA256 []string               `json:"sha256,omitempty"` // of configurations and policies
	First  uint64                 `json:"first,omitempty"`  // numbers of the inputs in the record
	Last   uint64                 `json:"last,omitempty"`
	Seq    uint64                 `json:"seq,omitempty"` // of the first decision that they brought

	Changes []Change `json:"changes,omitempty"` // of settings
}

// Change is that of a setting.
type Change struct {
	Key  string `json:"key"`
	From string `json:"from"`
	To   string `json:"to"`
}

// mostIDs is how many IDs a line has.
const mostIDs = 100

// Log is a log file. One that was moved away is started again, so that any tool may rotate it.
type Log struct {
	path string
	log  *slog.Logger
	now  func() time.Time

	mu     sync.Mutex
	file   *os.File
	looked time.Time // at where the path leads
	failed time.Time // when it was last told that nothing can be written
}

const (
	lookAgain = time.Second
	tellAgain = time.Minute
)

// Open opens a log, whose lines are appended to what is there. Only its owner may read it.
func Open(path string, log *slog.Logger, now func() time.Time) (*Log, error) {
	l := &Log{path: path, log: log, now: now, looked: now()}
	return l, l.open()
}

func (l *Log) open() (err error) {
	l.file, err = os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	return err
}

// Close ends the log.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Close()
}

// Applied notes a request and its answer; an error says why it was not applied, or may not have been.
func (l *Log) Applied(r *server.Request, given *server.Answer, err error) {
	e := Entry{User: r.By.User, Groups: r.By.Groups, From: r.By.From, Action: "applied", Inputs: map[core.InputType]int{}, First: given.First, Last: given.Last}
	if err != nil {
		e.Action, e.Why = "failed", err.Error()
	}
	if given.Refused {
		e.Why = "the scheduler refused an input"
	}
	if len(given.Decisions) > 0 {
		e.Seq = given.Decisions[0].Seq()
	}
	for i := range r.Inputs {
		e.input(&r.Inputs[i])
	}
	for _, registered := range r.Registers {
		e.name(registered.Manager)
	}
	l.write(&e)
}

// input notes what an input is about.
func (e *Entry) input(in *core.Input) {
	e.Inputs[in.Type()]++
	id := in.ID()
	switch event := in.Event.(type) {
	case *core.SetConfig:
		sum := sha256.Sum256([]byte(event.Config))
		e.SHA256 = append(e.SHA256, hex.EncodeToString(sum[:]))
	case *core.SetPolicy:
		if id = event.Name; event.SHA256 != "" {
			e.SHA256 = append(e.SHA256, event.SHA256)
		}
	case *core.RemovePolicy:
		id = event.Name
	default:
	}
	e.name(id)
}

// name notes what a request names, as far as there is room.
func (e *Entry) name(id string) {
	if id != "" && len(e.IDs) < mostIDs {
		e.IDs = append(e.IDs, id)
	}
}

// Refused notes a request that its sender may not send.
func (l *Log) Refused(by *server.Actor, what, why string) {
	l.write(&Entry{User: by.User, Groups: by.Groups, From: by.From, Action: "refused", What: what, Why: why})
}

// Changed notes that settings have changed and are in force: by a file, or by a request.
func (l *Log) Changed(by *server.Actor, what string, list []Change) {
	l.write(&Entry{User: by.User, Groups: by.Groups, From: by.From, Action: "applied", What: what, Changes: list})
}

func (l *Log) write(e *Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	e.Time = now.UTC().Format(time.RFC3339Nano)
	line, err := json.Marshal(e)
	if err == nil {
		err = l.follow(now)
	}
	if err == nil {
		_, err = l.file.Write(append(line, '\n'))
	}
	if err != nil && now.Sub(l.failed) >= tellAgain {
		l.failed = now
		l.log.Error("the audit log cannot be written; the record has the same information", "error", err)
	}
}

// follow opens the file again where the path leads elsewhere by now.
func (l *Log) follow(now time.Time) error {
	if now.Sub(l.looked) < lookAgain {
		return nil
	}
	l.looked = now
	open, err := l.file.Stat()
	if err == nil {
		var there os.FileInfo
		if there, err = os.Stat(l.path); err == nil && os.SameFile(open, there) {
			return nil
		}
	}
	before := l.file
	if err := l.open(); err != nil {
		l.file = before
		return err
	}
	if err := before.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}
