package rest

import (
	"net/http"
	"runtime"
	"runtime/debug"

	"github.com/quern-project/quern/host/api/web"
)

// Version says what runs.
type Version struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"` // the commit that it was built from, where the build knows
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Demo     bool   `json:"demo,omitempty"` // the cluster is simulated, in time lapse
}

func versionOf(version string, demo bool) Version {
	v := Version{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Demo: demo}
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
	return web.Answer(w, o.version)
}
