package importrules

import "strings"

// Module is the path that all packages of the project begin with.
const Module = "github.com/quern-project/quern"

// A Room is a folder with its rule about imports. A package belongs to the room with the longest matching folder.
type Room struct {
	Folder string   // below the module; the room holds the folders below it too, unless they are rooms themselves
	May    []string // folders of the module it may import; "x/..." is x and all below. Its own folder is always allowed
	Never  []string // folders that are forbidden though May allows them
	Pure   bool     // the state machine: no clock, no goroutine, no file, no changing package-level variable
}

// Rooms is the table of the building. A folder with Go files that no row matches is an error, so a new room needs a row.
var Rooms = []Room{
	{Folder: "core", May: []string{"core/..."}, Never: []string{"core/oracle", "core/journal/..."}, Pure: true},
	{Folder: "core/explain", May: []string{"core/resource", "core/internal/api"}, Pure: true},
	{Folder: "core/internal/api", May: []string{"core/resource", "core/policy"}, Pure: true},
	{Folder: "core/internal/state", May: []string{"core/resource", "core/config", "core/policy", "core/explain", "core/internal/..."}, Never: []string{"core/internal/schedule", "core/internal/preemption", "core/internal/preempt", "core/internal/inspect"}, Pure: true},
	{Folder: "core/internal/schedule", May: []string{"core/resource", "core/config", "core/policy", "core/internal/..."}, Never: []string{"core/internal/preemption", "core/internal/preempt", "core/internal/inspect"}, Pure: true},
	{Folder: "core/internal/preemption", May: []string{"core/resource", "core/config", "core/policy", "core/explain", "core/internal/..."}, Never: []string{"core/internal/inspect"}, Pure: true},
	{Folder: "core/internal/inspect", May: []string{"core/resource", "core/config", "core/policy", "core/explain", "core/internal/..."}, Pure: true},
	{Folder: "core/resource", Pure: true},
	{Folder: "core/internal/index", May: []string{"core/resource"}, Pure: true},
	{Folder: "core/internal/class", May: []string{"core/resource", "core/internal/index"}, Pure: true},
	{Folder: "core/internal/pending", May: []string{"core/resource", "core/internal/index"}, Pure: true},
	{Folder: "core/config", May: []string{"core/resource"}, Pure: true},
	{Folder: "core/policy", May: []string{"core/resource"}, Pure: true},
	{Folder: "core/internal/queue", May: []string{"core/resource", "core/policy", "core/internal/class", "core/config", "core/internal/index", "core/internal/pending"}, Pure: true},
	{Folder: "core/internal/app", May: []string{"core/resource", "core/policy", "core/internal/class", "core/internal/index", "core/internal/pending"}, Pure: true},
	{Folder: "core/internal/node", May: []string{"core/resource", "core/policy", "core/internal/class", "core/internal/index"}, Pure: true},
	{Folder: "core/internal/preempt", May: []string{"core/resource", "core/internal/class", "core/config", "core/internal/queue", "core/internal/app", "core/internal/node"}, Pure: true},
	{Folder: "core/journal", May: []string{"core", "core/resource", "core/journal/..."}, Pure: true},
	{Folder: "core/oracle", May: []string{"core", "core/resource", "core/config"}, Pure: true},
	{Folder: "host", May: []string{"core/...", "host/..."}, Never: []string{"core/oracle"}},
	{Folder: "host/policydev", May: []string{"core/...", "host/...", "sdk/...", "wasm/module/gate", "features"}, Never: []string{"core/oracle"}},
	{Folder: "host/replay", May: []string{"core/...", "host/...", "features"}, Never: []string{"core/oracle"}}, // features: its tests drive a folder of modules
	{Folder: "host/safefile"},
	{Folder: "host/policy", May: []string{"core/config", "core/policy", "core/resource", "host/safefile", "sdk/...", "wasm/module/gate", "wasm/module/guest", "host/policy/..."}},
	{Folder: "host/playground", May: []string{"core", "core/journal", "host/..."}},
	{Folder: "host/api", May: []string{"core/...", "host/api/..."}, Never: []string{"core/oracle"}},
	{Folder: "host/store", May: []string{"core/...", "host/store/..."}, Never: []string{"core/oracle"}},
	{Folder: "host/config", May: []string{"core/...", "host/config/..."}, Never: []string{"core/oracle"}},
	{Folder: "host/kube", May: []string{"core/...", "host/kube/..."}, Never: []string{"core/oracle"}},
	{Folder: "plugins", May: []string{"sdk/...", "plugins/..."}},
	{Folder: "sdk", May: []string{"sdk/..."}},
	{Folder: "sdk/goplugin", May: []string{"sdk/..."}},
	{Folder: "sdk/internal/errfmt"},
	{Folder: "sdk/abi", May: []string{"sdk/abi/...", "sdk/internal/errfmt"}},
	{Folder: "wasm/module/gate", May: []string{"sdk/abi"}},
	{Folder: "wasm/module/guest", May: []string{"core/policy", "core/resource", "sdk/abi/..."}},
	{Folder: "wasm/browser/rpc", May: []string{"core/...", "sdk/abi", "wasm/browser/journalgen"}, Never: []string{"core/oracle"}}, // journalgen: for its tests
	{Folder: "wasm/browser/reactor"},
	{Folder: "wasm/browser/hostmodules", May: []string{"core/...", "sdk/abi", "wasm/browser/rpc", "wasm/module/..."}, Never: []string{"core/oracle"}},
	{Folder: "wasm/browser/core", May: []string{"core/...", "wasm/...", "features"}, Never: []string{"core/oracle"}}, // features: its tests drive it
	{Folder: "wasm/browser/features", May: []string{"core/...", "wasm/browser/reactor", "wasm/browser/features/...", "features"}, Never: []string{"core/oracle"}},
	{Folder: "wasm/browser/journalgen"},
	{Folder: "wasm/browser/site"},
	{Folder: "features", May: []string{"core/...", "features/..."}, Never: []string{"core/oracle"}},
	{Folder: "cmd/quern", May: []string{"host/...", "core/config", "core/journal", "features/...", "plugins", "wasm/browser/site"}},
	{Folder: "internal/importrules"},
	{Folder: "internal/doctest"},
	{Folder: "internal/cmd/bench", May: []string{"core/...", "host/..."}, Never: []string{"core/oracle"}},
	{Folder: "internal/cmd/gallery", May: []string{"core/...", "host/...", "features"}, Never: []string{"core/oracle"}}, // features: its tests run those of the policies
	{Folder: "internal/cmd/pack", May: []string{"host/policydev"}},
	{Folder: "internal/cmd/wasmbuild"},
	{Folder: "internal/decisions", May: []string{"core/...", "host/workload", "wasm/workload", "features"}, Never: []string{"core/oracle"}},
}

// TestLibraries may be imported by the tests of any room.
var TestLibraries = []string{"pgregory.net/rapid", "github.com/cucumber/godog", "github.com/tetratelabs/wazero"}

// Libraries names every module that is not ours, and the rooms whose packages may import it outside of tests.
var Libraries = map[string][]string{
	"go.yaml.in/yaml/v3":                  {"core/config"},
	"github.com/BurntSushi/toml":          {"core/config", "host", "host/policy", "host/policydev", "cmd/quern"},
	"github.com/spf13/viper":              {"cmd/quern"},
	"github.com/spf13/cobra":              {"cmd/quern"},
	"github.com/spf13/pflag":              {"cmd/quern"},
	"github.com/klauspost/compress":       {"host", "host/store"},
	"github.com/schollz/progressbar/v3":   {"cmd/quern"},
	"golang.org/x/term":                   {"cmd/quern"},
	"github.com/tetratelabs/wazero":       {"host/policy", "host/policydev", "wasm/browser/reactor"},
	"github.com/hashicorp/go-plugin":      {"host/policy", "sdk/goplugin"},
	"github.com/hashicorp/go-hclog":       {"host/policy", "sdk/goplugin"},
	"google.golang.org/grpc":              {"host/policy", "sdk/goplugin"},
	"google.golang.org/protobuf":          {"host/policy", "sdk/goplugin"},
	"github.com/chromedp/chromedp":        {},
	"github.com/chromedp/cdproto":         {},
	"github.com/cucumber/gherkin/go/v26":  {"features"},
	"github.com/cucumber/godog":           {"features", "host"},
	"github.com/cucumber/messages/go/v21": {"features"},
	"pgregory.net/rapid":                  {},
}

// roomOf returns the room of a folder of the module, or nil.
func roomOf(folder string) *Room {
	var best *Room
	for i := range Rooms {
		r := &Rooms[i]
		if below(folder, r.Folder) && (best == nil || len(r.Folder) > len(best.Folder)) {
			best = r
		}
	}
	return best
}

// allows says whether a package of the room may import a folder of the module.
func (r *Room) allows(folder string) bool {
	return r.Folder == folder || matches(folder, r.May) && !matches(folder, r.Never)
}

// matches reports whether a folder is one of the patterns.
func matches(folder string, patterns []string) bool {
	for _, p := range patterns {
		if tree, ok := strings.CutSuffix(p, "/..."); ok && below(folder, tree) || p == folder {
			return true
		}
	}
	return false
}

// below reports whether a folder, or an import path, is root or lies inside it.
func below(folder, root string) bool {
	return folder == root || strings.HasPrefix(folder, root+"/")
}
