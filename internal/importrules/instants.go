package importrules

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// instantFolder adds instants and durations without passing the ends of the clock. Every package may import it.
const instantFolder = "core/instant"

// summed are the folders in which instants are added by instantFolder alone.
var summed = []string{"core/...", "host/...", "cmd/quern/...", "wasm/..."}

// durations are files outside the core whose sums are of durations that passed while the program ran, not of instants.
var durations = []string{
	"host/replay/policytime.go", "host/replay/watched.go", // time spent in calls
	"host/server/observe.go",         // time spent in a round
	"host/server/clock.go",           // time that passed since the clock began
	"host/remote/submit.go",          // pauses between attempts
	"host/demo/clock.go",             // time that passed since the clock began
	"host/kube/leader/acquire.go",    // times of the machine's own clock
	"host/kube/leader/lease.go",      // the same
	"host/kube/podwrite/binder.go",   // time spent in calls
	"host/kube/webhook/authority.go", // two periods that are constants in a program
}

// Sums returns the lines of a package that add durations without regard to the range of the clock: x + y and x += y where both
// are of type time.Duration, and in the core x - y as well. Constants are checked by the compiler.
func (p *Package) Sums(from *Sources) []Finding {
	if p.Folder == instantFolder || !matches(p.Folder, summed) {
		return nil
	}
	var code []*ast.File
	for i, f := range p.Parsed {
		if name := p.Files.Position(f.Pos()).Filename; !p.Test[i] && !matches(name, durations) {
			code = append(code, f)
		}
	}
	info := from.check(p)
	operators := map[token.Token]bool{token.ADD: true, token.ADD_ASSIGN: true}
	if below(p.Folder, "core") {
		operators[token.SUB], operators[token.SUB_ASSIGN] = true, true
	}
	var found []Finding
	add := func(n ast.Node, text string) {
		found = append(found, Finding{At: p.Files.Position(n.Pos()), Text: text + " may pass the end of the clock: use " + instantFolder})
	}
	for _, f := range code {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if operators[n.Op] && isDuration(info.TypeOf(n)) && info.Types[n].Value == nil {
					add(n, types.ExprString(n))
				}
			case *ast.AssignStmt:
				if operators[n.Tok] && isDuration(info.TypeOf(n.Lhs[0])) {
					add(n, types.ExprString(n.Lhs[0])+" "+n.Tok.String())
				}
			}
			return true
		})
	}
	return found
}

// isDuration reports whether a type is time.Duration.
func isDuration(t types.Type) bool { return t != nil && types.Unalias(t).String() == "time.Duration" }

// Sources type-checks packages from their source. Of other modules and of the standard library it knows only package time: whatever else
// comes from there has no type.
type Sources struct {
	packages map[string]*Package // by folder
	checked  map[string]*types.Package
	info     map[string]*types.Info
}

// timeSource declares what package time makes durations of. The real one is not read: where a test is built without paths, its source is
// not found.
const timeSource = `package time
type Duration int64
const (
	Nanosecond Duration = 1
	Microsecond = 1000 * Nanosecond
	Millisecond = 1000 * Microsecond
	Second = 1000 * Millisecond
	Minute = 60 * Second
	Hour = 60 * Minute
)
type Time struct{}
func (Time) Sub(Time) (d Duration) { return }
func (Time) Unix() (n int64) { return }
func (Time) UnixNano() (n int64) { return }
func (Time) UnixMilli() (n int64) { return }
func (t Time) Add(Duration) Time { return t }
func (t Time) UTC() Time { return t }
func (d Duration) Abs() Duration { return d }
func (d Duration) Round(Duration) Duration { return d }
func (d Duration) Truncate(Duration) Duration { return d }
func (d Duration) Nanoseconds() (n int64) { return }
func (d Duration) Milliseconds() (n int64) { return }
func Now() (t Time) { return }
func Unix(int64, int64) (t Time) { return }
func Since(Time) (d Duration) { return }
func Until(Time) (d Duration) { return }
func Parse(string, string) (t Time, err error) { return }
func ParseDuration(string) (d Duration, err error) { return }
`

// NewSources makes the Sources of all packages.
func NewSources(all []*Package) *Sources {
	s := &Sources{packages: map[string]*Package{}, checked: map[string]*types.Package{}, info: map[string]*types.Info{}}
	for _, p := range all {
		s.packages[p.Folder] = p
	}
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "time.go", timeSource, 0)
	if err != nil {
		panic(err) // our bug: the text is constant
	}
	s.check(&Package{Folder: "time", Files: files, Parsed: []*ast.File{f}, Test: []bool{false}})
	return s
}

// check returns what is known of the expressions in the code of a package, tests apart.
func (s *Sources) check(p *Package) *types.Info {
	if info := s.info[p.Folder]; info != nil {
		return info
	}
	var code []*ast.File
	for i, f := range p.Parsed {
		if !p.Test[i] {
			code = append(code, f)
		}
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	loose := types.Config{Error: func(error) {}, Importer: s, FakeImportC: true}
	path := Module + "/" + p.Folder
	if p.Folder == "time" {
		path = p.Folder
	}
	checked, _ := loose.Check(path, p.Files, code, info)
	s.checked[p.Folder], s.info[p.Folder] = checked, info
	return info
}

// Import implements types.Importer.
func (s *Sources) Import(path string) (*types.Package, error) {
	if path == "time" {
		return s.checked[path], nil
	}
	folder, own := strings.CutPrefix(path, Module+"/")
	p := s.packages[folder]
	if !own || p == nil {
		return nil, fmt.Errorf("%s is not loaded", path)
	}
	s.check(p)
	return s.checked[folder], nil
}
