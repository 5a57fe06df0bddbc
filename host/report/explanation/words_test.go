package explanation

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	text "strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
)

// codes are the constants of package core/explain whose names begin so.
func codes(t *testing.T, prefix string) (all []core.Reason) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "../../../core/explain/explain.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && text.HasPrefix(spec.Names[0].Name, prefix) {
			code, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, core.Reason(code))
		}
		return true
	})
	if len(all) < 5 {
		t.Fatalf("found the codes %v", all)
	}
	return all
}

func TestThereAreWordsForEachCodeOfWaiting(t *testing.T) {
	for _, code := range codes(t, "Wait") {
		if words := waited[code]; words == "" && code != explain.WaitNothingPending { // of applications and queues
			t.Errorf("%s has no words", code)
		}
	}
	if got := waitedFor([]core.Reason{explain.WaitNoNodeFits, explain.WaitPolicy}); got !=
		"no node could take it (no-node-fits) and the application order of its queue did not let its application run (policy)" {
		t.Errorf("found %q", got)
	}
}

func TestThereAreWordsForWhatSpeaksAgainstANode(t *testing.T) {
	seen := map[string]bool{}
	for _, code := range codes(t, "Node") {
		words := against(&explain.Candidate{Reason: code, Detail: "vcore"})
		if words == string(code) && code != explain.NodeDraining || seen[words] {
			t.Errorf("%s: found %q", code, words)
		}
		seen[words] = true
	}
	if got := against(&explain.Candidate{Reason: explain.NodeFull, Detail: "vcore"}); got != "too little vcore free" {
		t.Errorf("found %q", got)
	}
}
