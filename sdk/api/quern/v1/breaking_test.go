package quernv1_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

var update = flag.Bool("update", false, "add what is new to the list of what clients may rely on")

// listed is everything that clients of earlier releases may rely on, one thing a line.
const listed = "testdata/schema.txt"

// A client that was built from the schema of an earlier release goes on working: nothing goes, and nothing gets another number or type.
// With -update, what is new is promised from then on.
func TestTheSchemaBreaksNoClient(t *testing.T) {
	text, err := os.ReadFile(listed)
	if err != nil {
		t.Fatal(err)
	}
	before, now := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), schema()
	for _, line := range before {
		if !slices.Contains(now, line) {
			t.Errorf("clients may rely on this, which is gone or is another thing now: %s", line)
		}
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(listed, []byte(strings.Join(now, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, line := range now {
		if !slices.Contains(before, line) {
			t.Errorf("this is new, and -update adds it to %s: %s", listed, line)
		}
	}
}

// schema lists the messages, fields, enums and methods of all files.
func schema() (lines []string) {
	for _, file := range []protoreflect.FileDescriptor{quernv1.File_quern_v1_inputs_proto, quernv1.File_quern_v1_states_proto, quernv1.File_quern_v1_scheduler_proto} {
		lines = append(lines, messages(file.Messages())...)
		lines = append(lines, enums(file.Enums())...)
		for i := range file.Services().Len() {
			lines = append(lines, methods(file.Services().Get(i))...)
		}
	}
	return lines
}

func messages(list protoreflect.MessageDescriptors) (lines []string) {
	for i := range list.Len() {
		m := list.Get(i)
		if m.IsMapEntry() {
			continue
		}
		lines = append(lines, fmt.Sprintf("message %s", m.FullName()))
		for j := range m.Fields().Len() {
			lines = append(lines, field(m.Fields().Get(j)))
		}
		lines = append(lines, enums(m.Enums())...)
		lines = append(lines, messages(m.Messages())...)
	}
	return lines
}

// field says all that a client depends on: the number and type on the wire, the names in JSON and in code.
func field(f protoreflect.FieldDescriptor) string {
	line := fmt.Sprintf("%s = %d: %s", f.FullName(), f.Number(), typeOf(f))
	if f.IsMap() {
		line = fmt.Sprintf("%s = %d: map of %s to %s", f.FullName(), f.Number(), typeOf(f.MapKey()), typeOf(f.MapValue()))
	} else if f.IsList() {
		line += " repeated"
	}
	if f.HasOptionalKeyword() {
		line += " optional"
	} else if o := f.ContainingOneof(); o != nil {
		line += fmt.Sprintf(" of %s", o.Name())
	}
	return line + ", " + f.JSONName()
}

func typeOf(f protoreflect.FieldDescriptor) string {
	switch f.Kind() {
	case protoreflect.MessageKind:
		return string(f.Message().FullName())
	case protoreflect.EnumKind:
		return string(f.Enum().FullName())
	}
	return f.Kind().String()
}

func enums(list protoreflect.EnumDescriptors) (lines []string) {
	for i := range list.Len() {
		e := list.Get(i)
		for j := range e.Values().Len() {
			lines = append(lines, fmt.Sprintf("enum %s: %s = %d", e.FullName(), e.Values().Get(j).Name(), e.Values().Get(j).Number()))
		}
	}
	return lines
}

func methods(s protoreflect.ServiceDescriptor) (lines []string) {
	stream := map[bool]string{true: "stream "}
	for i := range s.Methods().Len() {
		m := s.Methods().Get(i)
		lines = append(lines, fmt.Sprintf("method %s: %s%s to %s%s", m.FullName(), stream[m.IsStreamingClient()], m.Input().FullName(),
			stream[m.IsStreamingServer()], m.Output().FullName()))
	}
	return lines
}
