package yunikorn

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/web"
)

func notFound(format string, args ...any) error {
	return web.NewProblem(http.StatusNotFound, "not_found", fmt.Sprintf(format, args...), "")
}

func badRequest(format string, args ...any) error {
	return web.NewProblem(http.StatusBadRequest, "bad_parameter", fmt.Sprintf(format, args...), "")
}

// answer writes an object.
func answer(w http.ResponseWriter, object any) error {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	return json.NewEncoder(w).Encode(object)
}

// partition is one of the configuration.
type partition struct {
	name  string // as configured
	shown string // as decisions and states have it: empty for the first
	conf  *config.Partition
}

// partitions lists those that are configured.
func (a *API) partitions() []partition {
	var c *config.Config
	a.view.Read(func(s *scheduler.Scheduler) { c = s.Configuration() })
	var all []partition
	for i, p := range c.Partitions {
		one := partition{name: p.Name, conf: p}
		if i > 0 {
			one.shown = lower(p.Name)
		}
		all = append(all, one)
	}
	return all
}

// partition is the one that a path names, as default or as [rm]default.
func (a *API) partition(r *http.Request) (partition, error) {
	name := r.PathValue("partition")
	_, bare := core.SplitPath(name)
	for _, p := range a.partitions() {
		if lower(p.name) == lower(bare) {
			return p, nil
		}
	}
	return partition{}, notFound("Partition not found: there is no partition %q", name)
}

var queuePath = regexp.MustCompile(`^[A-Za-z0-9_:#/@-]+(\.[A-Za-z0-9_:#/@-]+)*$`)

// queueName is the queue that a path names, in lower case.
func queueName(r *http.Request) (string, error) {
	name := r.PathValue("queue")
	if !queuePath.MatchString(name) {
		return "", badRequest("Malformed queue name: expected a full name such as root.default, found %q", name)
	}
	return lower(name), nil
}

// mostName is the length of the longest name, in bytes.
const mostName = 1024

// identifier is the name of something in a path.
func identifier(r *http.Request, of string) (string, error) {
	name := r.PathValue(of)
	if name == "" || len(name) > mostName || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return "", badRequest("Malformed %s name: expected 1 to %d bytes of printable text, found %.80q", of, mostName, name)
	}
	return name, nil
}

// numberOf reads a parameter that is a number.
func numberOf(r *http.Request, name string, usual, least, most uint64) (uint64, error) {
	text := r.URL.Query().Get(name)
	if text == "" && !r.URL.Query().Has(name) {
		return usual, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n < least || n > most {
		return 0, badRequest("%s: expected a number from %d to %d, found %q", name, least, most, text)
	}
	return n, nil
}
