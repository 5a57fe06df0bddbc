package gate

import "fmt"

// Inspect reads all of a module and reports what is inside. It fails with an *Error on a
// file that is not a module, is not allowed or exceeds l. The policy ABI is not asked for: Report.Policy tells.
func Inspect(file []byte, l Limits) (*Report, error) {
	m, err := decode(file, l, false)
	if err != nil {
		return nil, err
	}
	return m.report(), nil
}

// Bound holds a policy module to l and to the policy ABI, and returns it with fuel. What it refuses is an *Error that
// says what was wrong, where, and what was expected. The result depends on file and l alone. It shares no
// memory with file.
func Bound(file []byte, l Limits) ([]byte, error) {
	m, err := decode(file, l, true)
	if err != nil {
		return nil, err
	}
	if refusal := m.policy(); refusal != nil {
		return nil, refusal
	}
	return m.rewrite(), nil
}

func (m *module) refuse(section string, offset int, code Code, format string, args ...any) *Error {
	return &Error{Code: code, Offset: offset, Section: section, Function: -1, Text: fmt.Sprintf(format, args...)}
}
