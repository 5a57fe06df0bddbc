package rest

import (
	"net/http"
	"runtime"
	"runtime/debug"

	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/server"
)

// Version says what runs.
type Version struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"` // the commit that it was built from, where the build knows
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Demo     bool   `json:"demo,omitempty"` // the cluster is simulated, in time lapse

	// Of a demonstration: how many times faster than the machine's its clock runs, and what it shows.
	DemoSpeed float64 `json:"demo_speed,omitempty"`
	DemoTime  string  `json:"demo_time,omitempty"`
}

// Lapse is the time lapse of a simulated cluster.
type Lapse interface {
	server.Clock
	Speed() float64 // times that of the machine's clock
}

func versionOf(version string) Version {
	v := Version{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				v.Revision = s.Value
			}
		}
	}
	return v
}

// tellVersion tells what runs.
func (o *Operation) tellVersion(w http.ResponseWriter, _ *http.Request) error {
	v := o.version
	if o.lapse != nil {
		v.Demo, v.DemoSpeed, v.DemoTime = true, o.lapse.Speed(), format.At(o.lapse.Now(), true)
	}
	return web.Answer(w, v)
}
