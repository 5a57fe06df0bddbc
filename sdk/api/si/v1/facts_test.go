package siv1_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// readFacts returns what each message and enum has, sorted.
func readFacts(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/facts.txt")
	if err != nil {
		t.Fatal(err)
	}
	facts := map[string][]string{}
	name := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		switch fact, isFact := strings.CutPrefix(line, "  "); {
		case strings.HasPrefix(line, "#"):
		case isFact:
			facts[name] = append(facts[name], fact)
		default:
			name = line
			facts[name] = nil
		}
	}
	return sorted(facts)
}

func sorted(facts map[string][]string) map[string][]string {
	number := func(fact string) int {
		digits, _, _ := strings.Cut(fact, " ")
		n, _ := strconv.Atoi(digits)
		return n
	}
	for _, list := range facts {
		slices.SortFunc(list, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	}
	return facts
}

// typeOf writes the type of a field as the facts do.
func typeOf(f protoreflect.FieldDescriptor) string {
	one := func(f protoreflect.FieldDescriptor) string {
		switch f.Kind() {
		case protoreflect.MessageKind:
			return string(f.Message().Name())
		case protoreflect.EnumKind:
			return string(f.Enum().Name())
		default:
			return f.Kind().String()
		}
	}
	switch {
	case f.IsMap():
		return fmt.Sprintf("map<%s, %s>", one(f.MapKey()), one(f.MapValue()))
	case f.IsList():
		return "repeated " + one(f)
	default:
		return one(f)
	}
}

func enumFacts(found map[string][]string, list protoreflect.EnumDescriptors) {
	for i := range list.Len() {
		e := list.Get(i)
		name := "enum " + string(e.Name())
		for j := range e.Values().Len() {
			v := e.Values().Get(j)
			found[name] = append(found[name], fmt.Sprintf("%d %s", v.Number(), v.Name()))
		}
	}
}

// schemaFacts returns what the compiled schema has, as readFacts does.
func schemaFacts() map[string][]string {
	found := map[string][]string{}
	file := siv1.File_si_v1_si_proto
	enumFacts(found, file.Enums())
	for i := range file.Messages().Len() {
		m := file.Messages().Get(i)
		name := "message " + string(m.Name())
		found[name] = nil
		for j := range m.Fields().Len() {
			f := m.Fields().Get(j)
			found[name] = append(found[name], fmt.Sprintf("%d %s %s", f.Number(), f.Name(), typeOf(f)))
		}
		for j := range m.ReservedRanges().Len() {
			for n := m.ReservedRanges().Get(j)[0]; n < m.ReservedRanges().Get(j)[1]; n++ {
				found[name] = append(found[name], fmt.Sprintf("%d reserved", n))
			}
		}
		enumFacts(found, m.Enums())
	}
	return sorted(found)
}

func TestEveryMessageFieldAndEnumIsAsOnTheWire(t *testing.T) {
	facts, found := readFacts(t), schemaFacts()
	if len(facts) < 30 {
		t.Fatalf("expected the facts of some 40 messages and enums, found %d", len(facts))
	}
	for name, want := range facts {
		if have, ok := found[name]; !ok || !slices.Equal(have, want) {
			t.Errorf("%s: expected\n  %s\nfound\n  %s", name, strings.Join(want, "\n  "), strings.Join(have, "\n  "))
		}
	}
	for name := range found {
		if _, ok := facts[name]; !ok {
			t.Errorf("%s is not on the wire", name)
		}
	}
}

func TestTheServiceIsAsOnTheWire(t *testing.T) {
	file := siv1.File_si_v1_si_proto
	if file.Package() != "si.v1" || file.Services().Len() != 1 || file.Syntax() != protoreflect.Proto3 {
		t.Fatalf("expected the package si.v1 in proto3 with one service, found %s, %s, %d", file.Package(), file.Syntax(), file.Services().Len())
	}
	s := file.Services().Get(0)
	var found []string
	for i := range s.Methods().Len() {
		m := s.Methods().Get(i)
		if m.IsStreamingClient() != m.IsStreamingServer() {
			t.Errorf("%s: expected a unary or a bidirectional method", m.Name())
		}
		found = append(found, fmt.Sprintf("%s(%s, %s) stream=%t", m.FullName(), m.Input().Name(), m.Output().Name(), m.IsStreamingClient()))
	}
	want := []string{
		"si.v1.Scheduler.RegisterResourceManager(RegisterResourceManagerRequest, RegisterResourceManagerResponse) stream=false",
		"si.v1.Scheduler.UpdateAllocation(AllocationRequest, AllocationResponse) stream=true",
		"si.v1.Scheduler.UpdateApplication(ApplicationRequest, ApplicationResponse) stream=true",
		"si.v1.Scheduler.UpdateNode(NodeRequest, NodeResponse) stream=true",
	}
	if !slices.Equal(found, want) {
		t.Errorf("expected %q, found %q", want, found)
	}
}
