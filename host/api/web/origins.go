package web

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
)

// Origins are those whose pages may use the API, such as https://board.example. They may change while requests are served.
type Origins struct{ set atomic.Pointer[originSet] }

// originSet is a list of origins, and what lets their pages pass.
type originSet struct {
	list    []string
	foreign *http.CrossOriginProtection
}

// noOrigins lets no page of another origin pass.
var noOrigins = &originSet{foreign: http.NewCrossOriginProtection()}

// NewOrigins returns the origins of a list, each of which CheckOrigin takes.
func NewOrigins(list ...string) *Origins {
	o := &Origins{}
	o.Set(list)
	return o
}

// Set has the origins of a list hold from the next request on. CheckOrigin takes each of them.
func (o *Origins) Set(list []string) {
	set := &originSet{foreign: http.NewCrossOriginProtection()}
	for _, origin := range list {
		origin = strings.ToLower(origin) // as browsers send it
		set.list = append(set.list, origin)
		if err := set.foreign.AddTrustedOrigin(origin); err != nil {
			panic(err) // they were checked
		}
	}
	o.set.Store(set)
}

// now are the present ones.
func (o *Origins) now() *originSet {
	if o == nil {
		return noOrigins
	}
	return o.set.Load()
}

// CheckOrigin reports what is wrong with an origin.
func CheckOrigin(origin string) error {
	if err := http.NewCrossOriginProtection().AddTrustedOrigin(origin); err != nil {
		return fmt.Errorf("expected an origin such as https://board.example, found %q", origin)
	}
	return nil
}
