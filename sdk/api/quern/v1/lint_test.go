package quernv1_test

import (
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

var (
	snake  = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	pascal = regexp.MustCompile(`^([A-Z][a-z0-9]*)+$`)
)

// The rules are the usual ones of linters of schemas.
func TestSchema_FollowsTheUsualRules(t *testing.T) {
	for _, file := range []protoreflect.FileDescriptor{quernv1.File_quern_v1_inputs_proto, quernv1.File_quern_v1_states_proto, quernv1.File_quern_v1_scheduler_proto} {
		folder := strings.ReplaceAll(string(file.Package()), ".", "/") + "/"
		if !strings.HasPrefix(file.Path(), folder) || file.Syntax() != protoreflect.Proto3 {
			t.Errorf("%s: expected proto3 in the folder of the package %s", file.Path(), file.Package())
		}
		checkMessages(t, file.Messages())
		for i := range file.Services().Len() {
			checkService(t, file.Services().Get(i))
		}
	}
}

func checkMessages(t *testing.T, list protoreflect.MessageDescriptors) {
	for i := range list.Len() {
		m := list.Get(i)
		if !pascal.MatchString(string(m.Name())) && !m.IsMapEntry() {
			t.Errorf("%s: expected PascalCase", m.FullName())
		}
		next := protoreflect.FieldNumber(1)
		for j := range m.Fields().Len() {
			f := m.Fields().Get(j)
			if !snake.MatchString(string(f.Name())) {
				t.Errorf("%s: expected lower_snake_case", f.FullName())
			}
			for m.ReservedRanges().Has(next) {
				next++
			}
			if f.Number() != next {
				t.Errorf("%s: expected the number %d, found %d", f.FullName(), next, f.Number())
			}
			next++
		}
		checkMessages(t, m.Messages())
	}
}

// checkService wants a request and a response of its own for each method, so that each can grow.
func checkService(t *testing.T, s protoreflect.ServiceDescriptor) {
	seen := map[protoreflect.FullName]bool{}
	for i := range s.Methods().Len() {
		m := s.Methods().Get(i)
		if m.Input().Name() != m.Name()+"Request" || m.Output().Name() != m.Name()+"Response" {
			t.Errorf("%s: expected %sRequest and %sResponse, found %s and %s", m.FullName(), m.Name(), m.Name(), m.Input().Name(), m.Output().Name())
		}
		for _, message := range []protoreflect.FullName{m.Input().FullName(), m.Output().FullName()} {
			if seen[message] {
				t.Errorf("%s: %s is also another method's", m.FullName(), message)
			}
			seen[message] = true
		}
	}
}
