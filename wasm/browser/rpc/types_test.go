package rpc

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/resource"
)

var update = flag.Bool("update", false, "write the TypeScript types anew")

// typesFile is what the pages know of requests and answers.
const typesFile = "../playground/src/engine/types.ts"

func TestThePagesKnowTheTypesOfRequestsAndAnswers(t *testing.T) {
	want := typescript()
	if *update {
		if err := os.MkdirAll(filepath.Dir(typesFile), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(typesFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	found, err := os.ReadFile(typesFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(found) != want {
		t.Errorf("%s differs from the types of Go: go test ./wasm/browser/rpc -update writes it anew", typesFile)
	}
}

// script collects declarations by name.
type script struct {
	made map[string]string
	head bool // fields of a head may all be left out
}

func typescript() string {
	s := &script{made: map[string]string{}}
	var heads, answers strings.Builder
	all := operations()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		op := all[name]
		s.head = true
		fmt.Fprintf(&heads, "  %q: %s;\n", name, s.inline(op.head))
		s.head = false
		fmt.Fprintf(&answers, "  %q: %s;\n", name, s.name(op.answer))
	}
	var explanations []string
	for _, t := range []reflect.Type{reflect.TypeFor[explain.AskExplanation](), reflect.TypeFor[explain.AppExplanation](),
		reflect.TypeFor[explain.QueueExplanation](), reflect.TypeFor[explain.PreemptionExplanation]()} {
		explanations = append(explanations, s.name(t))
	}
	failure := s.name(reflect.TypeFor[Error]())
	var out strings.Builder
	out.WriteString("// Generated from the Go types of wasm/browser/rpc: go test ./wasm/browser/rpc -update. Not to be edited.\n\n" +
		"/** Nanoseconds. */\nexport type Duration = number;\n\n" +
		"/** Amounts by resource type, in stored units: vcore in thousandths, memory in bytes. */\nexport type Amounts = Record<string, number>;\n\n" +
		"/** A line of decisions; its times and amounts are as the journal writes them. */\n" + s.decision() + "\n" +
		"export type Explanation = " + strings.Join(explanations, " | ") + ";\n\n")
	out.WriteString("/** What a head says beside its op. */\nexport interface Heads {\n" + heads.String() + "}\n\n")
	out.WriteString("/** What the first line of an answer says. */\nexport interface Answers {\n" + answers.String() + "}\n\n")
	out.WriteString("/** The answer of an operation that was refused. */\nexport interface Refusal {\n  error: " + failure + ";\n}\n")
	for _, name := range slices.Sorted(maps.Keys(s.made)) {
		out.WriteString("\n" + s.made[name])
	}
	return out.String()
}

// decision is the interface of a decision's line: the encoder's keys are the fields' names.
func (s *script) decision() string {
	var out strings.Builder
	out.WriteString("export interface Decision {\n")
	for f := range fieldsOf(reflect.TypeFor[core.Decision]()) {
		kind, mark := s.typeOf(f.Type), "?"
		switch f.Name {
		case "At":
			kind, mark = "string", ""
		case "Start":
			kind = "string"
		case "Resources":
			kind = "Record<string, number | string>"
		case "Seq", "Type":
			mark = ""
		}
		fmt.Fprintf(&out, "  %s%s: %s;\n", keyOf(f), mark, kind)
	}
	out.WriteString("}\n")
	return out.String()
}

// typeOf is what TypeScript calls the JSON of a type.
func (s *script) typeOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[resource.Set]():
		return "Amounts"
	case reflect.TypeFor[time.Duration]():
		return "Duration"
	case reflect.TypeFor[json.RawMessage]():
		return "unknown"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		if t == reflect.TypeFor[Code]() {
			return codes()
		}
		return "string"
	case reflect.Slice:
		return s.typeOf(t.Elem()) + "[]"
	case reflect.Map:
		return "Record<string, " + s.typeOf(t.Elem()) + ">"
	case reflect.Pointer:
		if s.head || t.Elem().Kind() == reflect.Struct {
			return s.typeOf(t.Elem())
		}
		return s.typeOf(t.Elem()) + " | null"
	case reflect.Struct:
		if s.head {
			return s.inline(t)
		}
		return s.name(t)
	case reflect.Interface:
		return "Explanation"
	}
	return "number"
}

func codes() string {
	var list []string
	for _, c := range []Code{BadRequest, UnknownOp, UnknownSession, BadJournal, BadConfiguration, BadSnapshot, BadModule, BadTime, TooLarge, NotThere, Internal} {
		list = append(list, fmt.Sprintf("%q", string(c)))
	}
	return strings.Join(list, " | ")
}

// inline writes the fields of a head.
func (s *script) inline(t reflect.Type) string {
	var fields []string
	for f := range fieldsOf(t) {
		switch f.Name {
		case "Op":
		case "ID":
			fields = append(fields, "id: number")
		default:
			fields = append(fields, keyOf(f)+"?: "+s.typeOf(f.Type))
		}
	}
	if len(fields) == 0 {
		return "Record<string, never>"
	}
	return "{ " + strings.Join(fields, "; ") + " }"
}

// name declares a struct and returns its name.
func (s *script) name(t reflect.Type) string {
	name := t.Name()
	name = strings.ToUpper(name[:1]) + name[1:]
	switch pkg := t.PkgPath()[strings.LastIndexByte(t.PkgPath(), '/')+1:]; {
	case pkg == "config" && name != "Config":
		name = "Config" + name
	case pkg == "access":
		name = "Access" + name
	case name == "Error":
		name = "RpcError"
	}
	if _, ok := s.made[name]; ok {
		return name
	}
	s.made[name] = "" // a type may hold itself
	var out strings.Builder
	for f := range fieldsOf(t) {
		mark := ""
		if leaver(t, f) != nil && !neverEmpty(t, f.Name) {
			mark = "?"
		}
		kind := s.typeOf(f.Type)
		if mark == "?" {
			kind = strings.TrimSuffix(kind, " | null")
		}
		fmt.Fprintf(&out, "  %s%s: %s;\n", keyOf(f), mark, kind)
	}
	if out.Len() == 0 {
		s.made[name] = "export type " + name + " = Record<string, never>;\n"
		return name
	}
	s.made[name] = "export interface " + name + " {\n" + out.String() + "}\n"
	return name
}

// neverEmpty reports whether a field is always there. A bound has no type where no node has all types at once.
func neverEmpty(t reflect.Type, field string) bool {
	return field == "ID" || field == "Path" || field == "Type" && t != reflect.TypeFor[explain.Bound]()
}
