package rest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/observe/audit"
	"github.com/quern-project/quern/host/observe/logging"
)

const mostLevels = 4 << 10 // bytes of a body that sets levels

// logObject is what the log's levels are written as.
type logObject struct {
	Levels map[string]string `json:"levels"` // by subsystem
}

// log tells the levels of the log.
func (o *Operation) log(w http.ResponseWriter, _ *http.Request) error {
	out := logObject{map[string]string{}}
	for s, level := range o.logs.Levels() {
		out.Levels[string(s)] = logging.NameOf(level)
	}
	return web.Answer(w, out)
}

// setLog sets the levels of the subsystems that the body names, all of them or none.
func (o *Operation) setLog(w http.ResponseWriter, r *http.Request) error {
	var in logObject
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostLevels))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return err
		}
		return badLevels(fmt.Sprintf(`expected an object such as {"levels":{"store":"debug"}}: %v`, err))
	}
	if d.More() {
		return badLevels("expected one object, found text after it")
	}
	levels := logging.Levels{}
	for _, name := range slices.Sorted(maps.Keys(in.Levels)) {
		s, err := logging.ParseSubsystem(name)
		if err != nil {
			return badLevels("levels: " + err.Error())
		}
		if levels[s], err = logging.ParseLevel(in.Levels[name]); err != nil {
			return badLevels(fmt.Sprintf("levels: %s: %v", name, err))
		}
	}
	changes := changesOf(o.logs.Levels(), levels)
	o.logs.Set(levels)
	if o.changed != nil && len(changes) > 0 {
		by := permission.Actor(r.Context())
		o.changed(&by, "PUT /v1/log", changes)
	}
	return o.log(w, r)
}

// changesOf lists what levels change, by subsystem.
func changesOf(from, to logging.Levels) (list []audit.Change) {
	for _, s := range slices.Sorted(maps.Keys(to)) {
		if from[s] != to[s] {
			list = append(list, audit.Change{Key: "levels." + string(s), From: logging.NameOf(from[s]), To: logging.NameOf(to[s])})
		}
	}
	return list
}

func badLevels(detail string) error {
	return web.NewProblem(http.StatusBadRequest, "bad_input", "The log levels are invalid", detail)
}
