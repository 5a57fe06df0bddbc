// Package policy is what a policy written in Go is made of, whether it runs as a WebAssembly module (sdk/go) or as a
// process (sdk/goplugin).
//
// An author fills in a Policy: a manifest, and for each of its points a function over typed columns. An SDK makes a
// Server of it, which promises that Configure comes before any point and that texts come before the frames that name
// their codes. Nothing here is safe for several goroutines at once.
//
//	&policy.Policy{
//		Manifest: abi.Manifest{Name: "biggest", Version: "1.0.0", Points: map[string]abi.Spec{
//			"node.score": {Columns: []string{"free:vcore"}, Keys: 1, Depends: "row"},
//		}},
//		Points: map[string]func(*abi.Frame) error{"node.score": func(f *abi.Frame) error {
//			free := f.Column(0)
//			for i := range f.Asked {
//				row := f.Row(i)
//				f.Answer(row, 0, free.At(row))
//			}
//			return nil
//		}},
//	}
package policy

import (
	"errors"
	"slices"
	"strings"

	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/internal/errfmt"
)

// Policy is a policy as its author writes it. It must be pure: its answers depend on its parameters, the texts and the
// frame alone.
type Policy struct {
	Manifest  abi.Manifest                       // an empty ABI stands for the oldest version that has its columns
	Configure func(Parameters) error             // optional; called once, before anything else
	Texts     func(first uint32, texts []string) // optional; text i has the code first+i
	Points    map[string]func(*abi.Frame) error  // one for each point of the manifest
}

// ErrConfig is wrapped by errors of Configure.
var ErrConfig = errors.New("configuration")

// Check says what is wrong with a policy: a manifest that cannot be served, or points that differ from it. Nil where
// nothing is.
func (p *Policy) Check() error {
	_, _, err := p.manifest()
	return err
}

// manifest checks the policy and encodes its manifest; version is the one that it spells.
func (p *Policy) manifest() (text []byte, version uint32, err error) {
	m := p.Manifest
	if m.ABI == "" {
		m.ABI = m.OldestABI()
	}
	for _, name := range sorted(m.Points) {
		if err := checkSpec(name, m.Points[name]); err != nil {
			return nil, 0, errfmt.Errorf("manifest: points: %s: %w", name, err)
		}
		if p.Points[name] == nil {
			return nil, 0, errfmt.Errorf("points: the manifest has %s: expected a function for it, found none", name)
		}
	}
	for _, name := range sorted(p.Points) {
		if _, ok := m.Points[name]; !ok {
			return nil, 0, errfmt.Errorf("points: there is a function for %s: expected it in the manifest, found %s", name, list(sorted(m.Points)))
		}
	}
	if m.Parameters, err = plainDefaults(m.Parameters); err != nil {
		return nil, 0, errfmt.Errorf("manifest: parameters: %w", err)
	}
	if err := m.Check(); err != nil {
		return nil, 0, errfmt.Errorf("manifest: %w", err)
	}
	text, err = encode(&m)
	if err == nil && len(text) > abi.MaxManifest {
		err = errfmt.Errorf("expected at most %d bytes, found %d", abi.MaxManifest, len(text))
	}
	if err != nil {
		return nil, 0, errfmt.Errorf("manifest: %w", err)
	}
	return text, m.ABIVersion(), nil
}

// plainDefaults are parameters whose defaults are as JSON knows them.
func plainDefaults(declared map[string]abi.Parameter) (map[string]abi.Parameter, error) {
	out := make(map[string]abi.Parameter, len(declared))
	for _, name := range sorted(declared) {
		p := declared[name]
		var err error
		if p.Default, err = plainValue(p.Default); err != nil {
			return nil, errfmt.Errorf("%s: default: %w", name, err)
		}
		out[name] = p
	}
	return out, nil
}

// checkSpec refuses what no scheduler of this version could serve, in the words of the author's file.
func checkSpec(point string, s abi.Spec) error {
	nodes := strings.HasPrefix(point, "node.")
	switch {
	case !slices.Contains(points(), point):
		return errfmt.Errorf("expected one of %s", list(points()))
	case s.Keys < 1 || s.Keys > abi.MaxKeys || nodes && s.Keys != 1:
		return errfmt.Errorf("keys: expected 1 to %d, and 1 for nodes, found %d", abi.MaxKeys, s.Keys)
	case s.Depends != "row" && s.Depends != "siblings" && (s.Depends != "ask" || !nodes):
		return errfmt.Errorf("depends: expected row, siblings or, for nodes, ask, found %q", s.Depends)
	case len(s.Columns) == 0:
		return errors.New("columns: expected at least one, found none")
	}
	for _, c := range s.Columns {
		column, _, _ := strings.Cut(c, "=") // without its default
		name, argument, _ := strings.Cut(column, ":")
		kind, ok := abi.KindNamed(name)
		switch {
		case !ok:
			return errfmt.Errorf("columns: %s: expected a kind of column, found %q", c, name)
		case !slices.Contains(kind.Points, point):
			return errfmt.Errorf("columns: %s: expected a column of this point, found one of %s", c, list(kind.Points))
		case (kind.Arg == "") != (argument == "") || strings.Count(argument, ":") < strings.Count(kind.Arg, ":"):
			return errfmt.Errorf("columns: %s: expected %s behind the colon, found %q", c, orNothing(kind.Arg), argument)
		}
	}
	return nil
}

func points() []string {
	var names []string
	for _, p := range abi.Points {
		names = append(names, p.Name)
	}
	return names
}

func orNothing(argument string) string {
	if argument == "" {
		return "nothing"
	}
	return argument
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
