package importrules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

func TestTests_NeverSleep(t *testing.T) {
	for _, p := range readPackages(t) {
		for _, f := range p.Sleeps() {
			t.Error(f)
		}
	}
}

func TestSleeps_FoundInTestsAlone(t *testing.T) {
	for _, c := range []struct {
		name, code string
		test       bool
		want       int
	}{
		{"a call", "func f() { time.Sleep(1) }", true, 1},
		{"in a loop", "func f() { for ; ; time.Sleep(1) {} }", true, 1},
		{"a value", "var pause = time.Sleep", true, 1},
		{"outside of tests", "func f() { time.Sleep(1) }", false, 0},
		{"a channel", "func f() { <-time.After(1) }", true, 1},
		{"in a select", "func f() { select { case <-c: case <-time.After(1): } }", true, 0},
		{"after a select", "func f() { select { case <-c: <-time.After(1) } }", true, 1},
		{"another method", "func f() { disk.Sleep(1) }", true, 0},
	} {
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, "a_test.go", "package a\n"+c.code, 0)
		if err != nil {
			t.Fatal(err)
		}
		p := &Package{Files: files, Parsed: []*ast.File{f}, Test: []bool{c.test}}
		if found := p.Sleeps(); len(found) != c.want {
			t.Errorf("%s: found %v, expected %d", c.name, found, c.want)
		}
	}
}
