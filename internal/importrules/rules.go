package importrules

import "strings"

// Module is the path that all packages of the project begin with.
const Module = "github.com/quern-project/quern"

// A Rule says what the packages below a folder may import. A package obeys the rule with the longest matching folder.
type Rule struct {
	Folder string   // below the module
	May    []string // folders of the module; "x/..." is x and all below, "" the root. Its own folder is always allowed
	Never  []string // folders that are forbidden although May includes them
	// Std are the packages of the standard library that the pure core may import outside of tests: exactly those that it
	// does import. Rules with this list also forbid clocks, goroutines and mutable package-level variables (Purity). Nil:
	// the whole standard library is allowed.
	Std []string
}

// Rules has a rule for every folder with Go files; a folder without one is an error, so a new package needs a row.
var Rules = []Rule{
	{Folder: "core", May: []string{"core/resource", "core/policy"}, Std: []string{"cmp", "fmt", "strings", "time"}},
	{Folder: "core/scheduler", May: []string{"core/..."}, Never: []string{"core/oracle", "core/journal/..."}, Std: []string{"bytes", "cmp", "errors", "fmt", "io", "slices", "time"}},
	{Folder: "core/explain", May: []string{"core/resource", "core", "core/internal/placement"},
		Std: []string{"fmt", "math", "slices", "strconv", "strings", "time"}},
	{Folder: "core/drive", May: []string{"core"}, Std: []string{"iter", "time"}},
	{Folder: "core/internal/resumable"},
	{Folder: "core/nearest", Std: []string{"cmp", "slices", "strconv", "strings"}},
	{Folder: "core/internal/hold", Std: []string{}},
	{Folder: "core/internal/heap", Std: []string{}},
	{Folder: "core/internal/consolidate", May: []string{"core/resource"}, Std: []string{"cmp", "fmt", "slices", "strings"}},
	{Folder: "core/internal/readonly", Std: []string{}},
	{Folder: "core/internal/linediff", Std: []string{"strings"}},
	{Folder: "core/internal/state", May: []string{"core/internal/device", "core/resource", "core/config", "core/policy", "core/explain", "core", "core/internal/app", "core/internal/class", "core/internal/domain", "core/internal/heap", "core/internal/index", "core/internal/limit", "core/internal/node", "core/internal/placement", "core/internal/decay", "core/internal/state/aged", "core/internal/state/apps", "core/internal/state/asks", "core/internal/state/claims", "core/internal/state/plans", "core/internal/state/departures", "core/internal/state/gangs", "core/internal/state/queues", "core/internal/state/nodes", "core/internal/state/replacements", "core/internal/state/windows", "core/internal/readonly"},
		Std: []string{"bytes", "cmp", "crypto/sha256", "encoding/json", "errors", "fmt", "hash/fnv", "io", "maps", "math", "slices", "sort", "strconv", "strings", "time"}},
	{Folder: "core/internal/decay", May: []string{"core/resource"}, Std: []string{"math/bits"}},
	{Folder: "core/internal/state/aged", May: []string{"core/instant", "core/internal/decay", "core/internal/state/internal/table", "core/resource"}, Std: []string{"cmp", "maps", "slices", "strings", "time"}},
	{Folder: "core/internal/state/apps", May: []string{"core", "core/resource", "core/internal/placement", "core/internal/state/queues", "core/internal/state/internal/table"}, Std: []string{"maps", "slices", "time"}},
	{Folder: "core/internal/state/asks", May: []string{"core/internal/hold", "core/internal/state/internal/table"}, Std: []string{"time"}},
	{Folder: "core/internal/state/plans", May: []string{"core/internal/state/asks", "core/internal/state/internal/table"}, Std: []string{"slices", "time"}},
	{Folder: "core/internal/plan", May: []string{"core/instant", "core/resource", "core/internal/index", "core/internal/readonly"}, Std: []string{"slices", "sort", "time"}},
	{Folder: "core/internal/state/claims", May: []string{"core/internal/app", "core/internal/state/internal/table"}, Std: []string{"cmp", "iter", "slices", "time"}},
	{Folder: "core/internal/state/departures", May: []string{"core/explain", "core/internal/state/asks", "core/internal/state/internal/table"}, Std: []string{"time"}},
	{Folder: "core/internal/state/gangs", May: []string{"core/instant", "core/internal/state/apps", "core/internal/state/internal/table", "core/resource"}, Std: []string{"cmp", "slices", "time"}},
	{Folder: "core/internal/state/queues", May: []string{"core/resource", "core/config", "core/internal/limit", "core/internal/state/internal/table"}, Std: []string{"iter", "math", "math/bits", "slices", "strings", "time"}},
	{Folder: "core/internal/state/nodes", May: []string{"core/internal/device", "core/resource", "core/internal/class", "core/internal/hold", "core/internal/state/internal/table", "core/internal/readonly"}, Std: []string{"maps", "slices", "strconv", "strings"}},
	{Folder: "core/internal/state/replacements", May: []string{"core", "core/internal/app", "core/internal/state/internal/table"}, Std: []string{"cmp", "slices"}},
	{Folder: "core/internal/state/windows", May: []string{"core/config", "core/instant", "core/internal/readonly"}, Std: []string{"maps", "slices", "strings", "time"}},
	{Folder: "core/internal/state/internal/table", Std: []string{"fmt", "hash/maphash", "iter", "reflect", "slices", "strings"}}, // seeds of hashes show nowhere, as those of maps do not
	{Folder: "core/internal/schedule", May: []string{"core/resource", "core", "core/internal/app", "core/internal/class", "core/internal/domain", "core/internal/heap", "core/internal/hold", "core/internal/limit", "core/internal/node", "core/internal/plan", "core/internal/demandrow", "core/internal/queue", "core/internal/readonly", "core/internal/resumable", "core/internal/state", "core/internal/state/claims", "core/internal/state/nodes", "core/internal/state/queues"},
		Std: []string{"cmp", "math", "slices", "sort", "time"}},
	{Folder: "core/internal/preempt", May: []string{"core/resource", "core/policy", "core/explain", "core", "core/internal/app", "core/internal/class", "core/internal/domain", "core/internal/readonly", "core/internal/index", "core/internal/limit", "core/internal/node", "core/internal/victim", "core/internal/state/queues", "core/internal/resumable", "core/internal/quota", "core/internal/schedule", "core/internal/state"},
		Std: []string{"cmp", "slices", "time"}},
	{Folder: "core/internal/quota", May: []string{"core/resource", "core/config", "core/internal/app", "core/internal/class", "core/internal/state/queues"},
		Std: []string{"cmp", "math", "math/bits", "slices", "sort"}},
	{Folder: "core/internal/inspect", May: []string{"core/internal/decay", "core/internal/state/aged", "core/resource", "core/explain", "core/internal/access", "core", "core/internal/app", "core/internal/class", "core/internal/consolidate", "core/internal/domain", "core/internal/limit", "core/internal/node", "core/internal/victim", "core/internal/preempt", "core/internal/state/queues", "core/internal/resumable", "core/internal/quota", "core/internal/schedule", "core/internal/state", "core/internal/state/claims", "core/internal/state/plans", "core/config", "core/nearest", "core/internal/readonly"},
		Std: []string{"cmp", "fmt", "maps", "math", "slices", "sort", "strconv", "strings", "time"}},
	{Folder: instantFolder, Std: []string{"math", "strconv", "time"}},
	{Folder: "core/resource",
		Std: []string{"math", "math/bits", "sort", "strconv", "strings"}},
	{Folder: "core/internal/index", May: []string{"core/resource", "core/internal/readonly"},
		Std: []string{"math", "math/bits", "slices"}},
	{Folder: "core/internal/device", May: []string{"core", "core/resource"}, Std: []string{"cmp", "maps", "slices"}},
	{Folder: "core/internal/class", May: []string{"core", "core/resource", "core/internal/index", "core/internal/readonly"},
		Std: []string{"cmp", "encoding/binary", "maps", "math", "math/bits", "slices", "sort", "time"}},
	{Folder: "core/internal/domain", May: []string{"core/internal/readonly"},
		Std: []string{"slices", "strings"}},
	{Folder: "core/internal/limit", May: []string{"core/resource", "core/config", "core/internal/access", "core/internal/index"},
		Std: []string{"math"}},
	{Folder: "core/internal/demandrow", May: []string{"core/resource", "core/internal/index"},
		Std: []string{"math", "time"}},
	{Folder: "core/internal/access", Std: []string{"slices", "strings"}},
	{Folder: "core/internal/placement", May: []string{"core/resource"},
		Std: []string{"encoding/json", "io", "regexp", "regexp/syntax", "slices", "strconv", "strings"}},
	{Folder: "core/internal/calendar", Std: []string{"math/bits", "strconv", "strings", "time"}},
	{Folder: "core/config", May: []string{"core/internal/calendar", "core/resource", "core/internal/access", "core/internal/placement", "core/nearest"},
		Std: []string{"bytes", "cmp", "errors", "fmt", "io", "maps", "math", "math/bits", "reflect", "slices", "sort", "strconv", "strings", "time", "unicode/utf8"}}, // reflect for settings, which the core does not read
	{Folder: "core/policy", May: []string{"core/resource"},
		Std: []string{"bytes", "cmp", "encoding/json", "errors", "fmt", "io", "math", "math/bits", "slices", "strconv", "strings"}},
	{Folder: "core/internal/queue", May: []string{"core/internal/state/aged", "core/resource", "core/policy", "core/internal/index", "core/internal/demandrow", "core/internal/state/queues"},
		Std: []string{"cmp", "math", "slices", "strings"}},
	{Folder: "core/internal/app", May: []string{"core/internal/decay", "core/internal/heap", "core/internal/state/aged", "core/internal/readonly", "core", "core/resource", "core/policy", "core/internal/class", "core/internal/hold", "core/internal/index", "core/internal/limit", "core/internal/demandrow", "core/internal/placement", "core/internal/state/apps", "core/internal/state/asks", "core/internal/state/gangs"},
		Std: []string{"cmp", "math", "slices", "sort", "strconv", "time"}},
	{Folder: "core/internal/node", May: []string{"core/resource", "core/policy", "core/internal/class", "core/internal/domain", "core/internal/index", "core/internal/state/nodes", "core/internal/readonly"},
		Std: []string{"math", "math/bits", "slices", "strings"}},
	{Folder: "core/internal/victim", May: []string{"core/resource", "core/internal/class", "core/config", "core/internal/state/queues", "core/internal/resumable", "core/internal/app", "core/internal/node", "core/internal/state/nodes", "core/internal/readonly"},
		Std: []string{"cmp", "math", "math/bits", "slices", "sort"}},
	{Folder: "core/journal", May: []string{"core", "core/config", "core/drive", "core/nearest", "core/resource", "core/journal/..."},
		Std: []string{"bufio", "bytes", "cmp", "errors", "fmt", "io", "maps", "math", "math/bits", "path", "slices", "strconv", "strings", "time", "unicode/utf16", "unicode/utf8"}},
	{Folder: "core/journal/openb", May: []string{"core", "core/resource", "core/journal"},
		Std: []string{"bufio", "bytes", "cmp", "errors", "fmt", "io", "math", "slices", "strconv", "strings", "time"}},
	{Folder: "core/ledger", May: []string{"core", "core/explain", "core/resource"}, Std: []string{"cmp", "errors", "maps", "math", "math/bits", "slices", "sort", "strconv", "strings", "time"}},
	{Folder: "core/forecast", May: []string{"core", "core/config", "core/instant", "core/journal", "core/ledger", "core/scheduler"}, Std: []string{"cmp", "hash/fnv", "math/bits", "slices", "time"}},
	{Folder: "core/oracle", May: []string{"core", "core/drive", "core/resource", "core/config", "core/internal/access", "core/internal/placement"},
		Std: []string{"cmp", "encoding/json", "fmt", "io", "maps", "math", "math/big", "slices", "strconv", "strings", "time"}},
	{Folder: "host", May: []string{"core/...", "host/..."}, Never: []string{"core/oracle"}},
	{Folder: "host/policy/tool", May: []string{"core/...", "host/...", "sdk/...", "wasm/module/...", "features"}, Never: []string{"core/oracle"}},
	{Folder: "host/replay", May: []string{"core/...", "host/...", "features"}, Never: []string{"core/oracle"}}, // features: its tests drive a folder of modules
	{Folder: "host/report/threshold", May: []string{"core", "core/explain", "core/ledger", "core/nearest", "core/resource", "host/format", "host/report/summary"}},
	{Folder: "host/files/safefile"},
	{Folder: "host/files/filewatch"},
	{Folder: "host/schema", May: []string{"core/config", "core/journal", "host/policy/registry"}},
	{Folder: "host/format", May: []string{"core", "core/resource"}},
	{Folder: "host/files/stream", May: []string{"core", "core/config", "core/journal/...", "core/nearest", "host/files/safefile"}},
	{Folder: "host/importing", May: []string{"core", "core/config", "core/journal", "core/resource", "host/format", "host/importing/..."}},
	{Folder: "host/importing/kubernetes", May: []string{"core", "core/config", "core/journal", "core/resource", "host/format", "host/importing/...", "host/kubelabels"}},
	{Folder: "host/importing/history", May: []string{"core", "core/journal", "core/ledger", "core/resource", "host/format", "host/importing/..."}},
	{Folder: "host/kubelabels", May: []string{"core", "core/resource"}},
	{Folder: "host/importing/csvfile", May: []string{"core", "core/config", "core/journal", "core/nearest", "core/resource", "host/importing/..."}},
	{Folder: "host/importing/importtest", May: []string{"core/journal", "host/importing"}},
	{Folder: "host/workload", May: []string{"core", "core/scheduler", "core/config", "core/journal", "core/resource"}},
	{Folder: "host/policy", May: []string{"core", "core/config", "core/policy", "core/resource", "host/files/safefile", "sdk/...", "wasm/module/gate", "wasm/module/guest", "host/policy/..."}},
	{Folder: "host/policy/process/sandbox"},
	{Folder: "host/policy/live", May: []string{"core", "core/scheduler", "host/files/filewatch", "host/observe/logging", "host/policy/registry", "host/policy/process/sandbox", "host/policy/tool", "host/server/..."}},
	{Folder: "host/policy/source", May: []string{"host/files/safefile", "wasm/module/guest"}},
	{Folder: "host/policy/source/oci", May: []string{"host/observe/logging", "host/policy/source"}},
	{Folder: "host/demo", May: []string{"core", "core/scheduler", "core/journal", "host/server/...", "host/store/...", "host/workload"}},
	{Folder: "host/listing", May: []string{"core/config", "core/resource", "host/format", "host/remote"}},
	{Folder: "host/remote", May: []string{"host/errtext"}},
	{Folder: "host/configmap"},
	{Folder: "host/importing/yunikornconfig", May: []string{"core/config", "host/configmap"}},
	{Folder: "."}, // the documents
	{Folder: "host/docsite", May: []string{""}}, // the documents, for its tests
	{Folder: "host/playground", May: []string{"core", "core/journal", "host/..."}},
	{Folder: "host/api", May: []string{"core/...", "host/api/...", "host/auth/...", "host/clients", "host/report/explanation", "host/format", "host/server/...", "host/objects"}, Never: []string{"core/oracle"}},
	{Folder: "host/api/rest", May: []string{"core/...", "features", "host/api/...", "host/observe/audit", "host/auth/...", "host/clients", "host/report/explanation", "host/format", "host/observe/logging", "host/observe/metrics", "host/policy/live", "host/policy/registry", "host/server/...", "host/objects", "host/store/..."}, Never: []string{"core/oracle"}}, // features, host/store: its tests run the scenarios against a host, and ask what its store takes up
	{Folder: "host/api/yunikorn", May: []string{"core", "core/explain", "core/scheduler", "core/config", "core/journal", "core/resource", "host/api/web", "host/auth", "host/server/...", "host/store/...", "sdk/api/..."}},                                                                                                                                            // core/journal, host/store: for its tests
	{Folder: "host/api/grpcserver", May: []string{"core", "host/api/permission", "host/api/web", "host/auth/...", "host/clients", "host/server", "sdk/api/..."}},
	{Folder: "host/api/quernapi", May: []string{"core", "core/forecast", "core/scheduler", "core/config", "core/journal", "core/resource", "host/api/permission", "host/api/grpcserver", "host/api/web", "host/auth/...", "host/format", "host/report/explanation", "host/predicates", "host/server/...", "host/objects", "host/store", "sdk/api/..."}},
	{Folder: "host/predicates", May: []string{"core", "core/policy", "host/server"}},
	{Folder: "host/api/si", May: []string{"core", "core/scheduler", "core/config", "core/journal", "core/resource", "host/api/permission", "host/api/grpcserver", "host/api/web", "host/auth/...", "host/predicates", "host/server/...", "host/objects", "sdk/api/..."}},
	{Folder: "host/api/permission", May: []string{"core", "core/forecast", "core/scheduler", "core/config", "core/journal", "core/resource", "host/auth/...", "host/report/explanation", "host/server/..."}}, // core/...: for its tests
	{Folder: "host/observe/audit", May: []string{"core", "host/auth/authtest", "host/server"}}, // authtest: for its tests
	{Folder: "host/auth", May: []string{"core/config", "host/clients", "host/observe/logging", "host/files/safefile", "host/auth/..."}},
	{Folder: "host/clients"},
	{Folder: "host/clock"},
	{Folder: "host/errtext"},
	{Folder: "host/dashboard", May: []string{"core/config", "host/api/web", "host/auth", "host/playground"}},
	{Folder: "host/server", May: []string{"core", "core/explain", "core/forecast", "core/scheduler", "core/config", "core/drive", "core/journal", "core/ledger", "core/policy", "core/resource", "host/clients", "host/clock", "host/server/...", "host/store/..."}}, // core/policy and core/resource: for its tests
	{Folder: "host/server/view", May: []string{"core", "core/scheduler", "host/store"}},
	{Folder: "host/objects", May: []string{"core", "core/scheduler", "core/resource", "host/format", "host/server/..."}}, // core/resource: for its tests
	{Folder: "host/observe/logging"},
	{Folder: "host/observe/metrics", May: []string{"core", "core/explain", "core/ledger", "core/scheduler", "core/journal", "core/policy", "core/resource", "host/api/web", "host/auth", "host/format", "host/server/...", "host/store"}},
	{Folder: "host/observe/tracing", May: []string{"core", "core/resource", "host/api/web", "host/server/...", "sdk/api/..."}}, // core/resource, sdk/api: for its tests
	{Folder: "host/store", May: []string{"host/store/..."}},
	{Folder: "host/kube", May: []string{"core/...", "host/kube/...", "host/kubelabels"}, Never: []string{"core/oracle"}},
	{Folder: "host/kube/clustertest"},
	{Folder: "host/kube/leader", May: []string{"host/clock", "host/kube/clustertest", "host/kube/retry"}},                                        // clustertest: for its tests
	{Folder: "host/kube/webhook", May: []string{"core/config", "host/configmap", "host/kube/clustertest", "host/kube/retry", "host/kubelabels"}}, // clustertest: for its tests
	{Folder: "host/kube/podstate"},
	{Folder: "host/kube/disruption"},
	{Folder: "host/kube/filter", May: []string{"core", "core/scheduler", "core/policy", "core/resource", "host/kube/clustertest", "host/kube/manager", "host/kube/nodefit", "host/kube/translate",
		"host/kubelabels", "host/server", "host/store"}}, // core/resource, clustertest, kubelabels, manager and store: for its tests
	{Folder: "host/kube/podwrite", May: []string{"host/kube/leader", "host/kube/retry"}},
	{Folder: "host/kube/manager", May: []string{"core", "core/explain", "core/scheduler", "core/resource", "host/clock", "host/kube/disruption", "host/kube/podstate", "host/kube/podwrite", "host/kube/leader", "host/kube/nodefit", "host/kube/podgroup", "host/kube/retry", "host/kube/served", "host/kube/translate", "host/server", "host/objects",
		"host/server/livetest", "host/store", "host/kube/clustertest", "host/kube/filter", "host/kubelabels"}}, // the last five for its tests
	{Folder: "host/kube/retry"},
	{Folder: "host/kube/served", May: []string{"host/kube/retry"}},
	{Folder: "host/kube/podgroup", May: []string{"host/kube/retry", "host/kube/served"}},
	{Folder: "host/kube/policymaps", May: []string{"host/observe/logging", "host/policy/source"}},
	{Folder: "host/kube/recording", May: []string{"core/...", "host/importing/...", "host/kube/...", "host/kubelabels"}, Never: []string{"core/oracle"}},
	{Folder: "host/kube/cmd", May: []string{"cmd/quern/program", "cmd/quern/servecmd", "core", "core/scheduler", "core/journal", "host/api/yunikorn", "host/format", "host/observe/logging", "host/server", "host/kube/...", "wasm/browser/rpc"}}, // core, core/journal, clustertest, wasm/browser/rpc: for its tests
	{Folder: "plugins", May: []string{"sdk/...", "plugins/..."}},
	{Folder: "sdk", May: []string{"sdk/..."}},
	{Folder: "sdk/goplugin", May: []string{"sdk/..."}},
	{Folder: "sdk/internal/errfmt"},
	{Folder: "sdk/api", May: []string{"sdk/api/..."}},
	{Folder: "sdk/client", May: []string{"sdk/api/..."}},
	{Folder: "sdk/abi", May: []string{"sdk/abi/...", "sdk/internal/errfmt"}},
	{Folder: "wasm/module/gate", May: []string{"sdk/abi"}},
	{Folder: "wasm/module/guest", May: []string{"core/policy", "core/resource", "sdk/abi/..."}},
	{Folder: "wasm/module/conformance", May: []string{"core/policy", "core/resource", "sdk/abi/...", "wasm/module/gate", "wasm/module/guest"}},
	{Folder: "wasm/browser/rpc", May: []string{"core/...", "sdk/abi", "wasm/browser/journalgen"}, Never: []string{"core/oracle"}}, // journalgen: for its tests
	{Folder: "wasm/browser/reactor"},
	{Folder: "wasm/browser/hostmodules", May: []string{"core/...", "sdk/abi", "wasm/browser/rpc", "wasm/module/..."}, Never: []string{"core/oracle"}},
	{Folder: "wasm/browser/coremodule", May: []string{"core/...", "wasm/...", "features"}, Never: []string{"core/oracle"}}, // features: its tests drive it
	{Folder: "wasm/browser/featuresmodule", May: []string{"core/...", "wasm/browser/reactor", "wasm/browser/featuresmodule/...", "features"}, Never: []string{"core/oracle"}},
	{Folder: "wasm/browser/policytest", May: []string{"wasm/..."}},
	{Folder: "wasm/browser/journalgen"},
	{Folder: "wasm/browser/site"},
	{Folder: "features", May: []string{"core/...", "features/..."}, Never: []string{"core/oracle"}},
	{Folder: "cmd/quern", May: []string{"cmd/quern/program"}},
	{Folder: "cmd/quern/cli", May: []string{"core/config", "core/journal", "core/nearest", "host/auth", "host/errtext", "host/files/...", "host/format", "host/playground", "host/policy/...", "host/replay", "host/server", "host/store", "internal/licences"}},
	{Folder: "cmd/quern/clientcmd", May: []string{"cmd/quern/cli", "core/config", "core/journal", "core/nearest", "host/auth", "host/files/...", "host/format", "host/listing", "host/remote"}},
	{Folder: "cmd/quern/importcmd", May: []string{"cmd/quern/cli", "core/config", "host/files/...", "host/format", "host/importing/..."}},
	{Folder: "cmd/quern/checkcmd", May: []string{"cmd/quern/cli", "core/config", "core/nearest", "features", "host/files/...", "host/format", "host/importing/yunikornconfig", "host/policy/registry", "host/replay", "host/schema"}},
	{Folder: "cmd/quern/journalcmd", May: []string{"cmd/quern/cli", "host/format", "host/policy/...", "host/server", "host/store"}},
	{Folder: "cmd/quern/replaycmd", May: []string{"cmd/quern/cli", "cmd/quern/clientcmd", "core", "core/config", "core/forecast", "core/journal", "core/ledger", "core/scheduler", "host/files/...", "host/format", "host/listing", "host/playground", "host/policy/...", "host/remote", "host/replay", "host/report/..."}},
	{Folder: "cmd/quern/policycmd", May: []string{"cmd/quern/cli", "cmd/quern/replaycmd", "core/ledger", "features", "host/files/...", "host/format", "host/policy/...", "host/replay", "host/report/..."}},
	{Folder: "cmd/quern/servecmd", May: []string{"cmd/quern/cli", "core/config", "host/...", "wasm/browser/site"}},
	{Folder: "cmd/quern/program", May: []string{"cmd/quern/...", "sdk/api/...", "sdk/client", "host/...", "core", "core/ledger", "core/nearest", "core/config", "core/journal", "features/...", "internal/licences", "plugins", "wasm/browser/site", ""}},
	{Folder: "internal/importrules"},
	{Folder: "internal/licences"},
	{Folder: "internal/doctest"},
	{Folder: "internal/seeded"},
	{Folder: "internal/await"},
	{Folder: "internal/cmd/bench", May: []string{"core/...", "host/..."}, Never: []string{"core/oracle"}},
	{Folder: "internal/cmd/gallery", May: []string{"core/...", "host/...", "features"}, Never: []string{"core/oracle"}}, // features: its tests run those of the policies
	{Folder: "internal/cmd/load", May: []string{"sdk/api/...", "sdk/client"}},
	{Folder: "internal/cmd/pack", May: []string{"host/policy/tool"}},
	{Folder: "internal/cmd/wasmbuild"},
	{Folder: "internal/cmd/gobuild"},
	{Folder: "internal/decisions", May: []string{"core/...", "host/workload", "wasm/browser/journalgen", "features"}, Never: []string{"core/oracle"}},
}

// TestLibraries may be imported by the tests of any package.
var TestLibraries = []string{"pgregory.net/rapid", "github.com/cucumber/godog", "github.com/tetratelabs/wazero"}

// Libraries lists the modules of other projects, and the folders whose rules allow them outside of tests.
var Libraries = map[string][]string{
	"go.yaml.in/yaml/v3":                  {"core/config", "host/api/rest", "host/api/yunikorn", "host/listing", "host/importing/yunikornconfig", "host/schema"},
	"github.com/BurntSushi/toml":          {"core/config", "host/auth", "host/importing/csvfile", "host/files/stream", "host/policy", "host/policy/tool", "host/schema", "cmd/quern/clientcmd"},
	"github.com/spf13/viper":              {"cmd/quern/cli"},
	"github.com/spf13/cobra":              {"host/kube/cmd", "cmd/quern/..."},
	"github.com/spf13/pflag":              {"host/kube/cmd", "cmd/quern/..."},
	"github.com/fsnotify/fsnotify":        {"host/files/filewatch"},
	"github.com/google/jsonschema-go":     {"host/api", "host/schema", "cmd/quern/checkcmd"},
	"github.com/klauspost/compress":       {"host/files/stream", "host/store", "host/api"},
	"github.com/yuin/goldmark":            {"host/docsite"},
	"github.com/schollz/progressbar/v3":   {"cmd/quern/cli"},
	"golang.org/x/term":                   {"cmd/quern/..."},
	"github.com/tetratelabs/wazero":       {"host/policy", "wasm/browser/reactor"},
	"github.com/hashicorp/go-plugin":      {"host/policy", "sdk/goplugin"},
	"github.com/hashicorp/go-hclog":       {"host/policy", "sdk/goplugin"},
	"github.com/elastic/go-seccomp-bpf":   {"host/policy/process/sandbox"},
	"golang.org/x/net":                    {"host/api/grpcserver", "host/policy/process/sandbox"},
	"golang.org/x/sys":                    {"host/clock", "host/policy/process/sandbox"},
	"github.com/go-jose/go-jose/v4":       {"host/auth"},
	"golang.org/x/crypto":                 {"host/auth"},
	"golang.org/x/time":                   {"host/clients"},
	"google.golang.org/grpc":              {"cmd/quern/program", "cmd/quern/servecmd", "host/api/grpcserver", "host/api/quernapi", "host/api/si", "host/observe/metrics", "host/policy", "host/observe/tracing", "sdk/api", "sdk/client", "sdk/goplugin"},
	"google.golang.org/protobuf":          {"host/api/grpcserver", "host/api/quernapi", "host/api/si", "host/kube/recording", "host/policy", "host/observe/tracing", "sdk/api", "sdk/client", "sdk/goplugin"},
	"github.com/chromedp/chromedp":        {},
	"github.com/chromedp/cdproto":         {},
	"github.com/cucumber/gherkin/go/v26":  {"features"},
	"github.com/cucumber/godog":           {"features", "host"},
	"github.com/cucumber/messages/go/v21": {"features"},
	"pgregory.net/rapid":                  {"internal/seeded"},

	"k8s.io/api":               {"host/kube/..."},
	"k8s.io/apimachinery":      {"host/kube/..."},
	"k8s.io/client-go":         {"host/kube/..."},
	"k8s.io/component-helpers": {"host/kube/..."},
	"k8s.io/klog/v2":           {"host/kube/..."},
	"k8s.io/apiserver":         {"host/kube/clustertest", "host/kube/filter"},
	"k8s.io/kube-scheduler":    {"host/kube/filter"},
	"k8s.io/kubernetes":        {"host/kube/filter"},
	"github.com/go-logr/logr":  {"host/kube/filter"},

	"k8s.io/dynamic-resource-allocation": {"host/kube/filter"},
	"sigs.k8s.io/yaml":                   {}, // for the tests of host/kube
	"sigs.k8s.io/randfill":               {}, // for the tests of host/kube

	"oras.land/oras-go/v2":                 {"host/policy/source/oci"},
	"github.com/opencontainers/image-spec": {"host/policy/source/oci"},
	"github.com/opencontainers/go-digest":  {"host/policy/source/oci"},

	"github.com/prometheus/client_golang": {"host/observe/metrics"},
	"github.com/prometheus/client_model":  {"host/observe/metrics"},
	"go.opentelemetry.io/otel":            {"host/observe/tracing"},
	"go.opentelemetry.io/otel/sdk":        {"host/observe/tracing"},
	"go.opentelemetry.io/otel/trace":      {"host/observe/tracing"},
	"go.opentelemetry.io/proto/otlp":      {"host/observe/tracing"}, // for its tests

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp": {"host/observe/tracing"},
}

// ruleOf returns the rule of a folder of the module, or nil.
func ruleOf(folder string) *Rule {
	var best *Rule
	for i := range Rules {
		r := &Rules[i]
		if below(folder, r.Folder) && (best == nil || len(r.Folder) > len(best.Folder)) {
			best = r
		}
	}
	return best
}

// pure reports whether the rule is for the pure core.
func (r *Rule) pure() bool { return r.Std != nil }

// allows reports whether a package under the rule may import a folder of the module.
func (r *Rule) allows(folder string) bool {
	return r.Folder == folder || folder == instantFolder || matches(folder, r.May) && !matches(folder, r.Never)
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
