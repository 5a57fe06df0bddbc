// Package errfmt words errors without reflection. What reads frames and parameters is part of every policy module in Go: with
// fmt and encoding/json such a module would be half as large again, and every host would have to check and compile that.
package errfmt

import "strconv"

// Errorf is an error with the text that Textf makes. Errors among the arguments are wrapped, whatever their verb.
func Errorf(format string, args ...any) error {
	e := &failure{text: Textf(format, args...)}
	for _, a := range args {
		if cause, ok := a.(error); ok {
			e.causes = append(e.causes, cause)
		}
	}
	return e
}

type failure struct {
	text   string
	causes []error
}

func (f *failure) Error() string { return f.text }

func (f *failure) Unwrap() []error { return f.causes }

// Textf puts arguments in the places of %s, %d, %v, %w and %q, the last in quotes. It knows texts, errors, whole numbers, float64, bool,
// and of what JSON makes lists, objects and nothing, which it names. Anything else is something else.
func Textf(format string, args ...any) string {
	out := make([]byte, 0, len(format)+16*len(args))
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) || len(args) == 0 {
			out = append(out, format[i])
			continue
		}
		i++
		out = add(out, args[0], format[i] == 'q')
		args = args[1:]
	}
	return string(out)
}

func add(out []byte, arg any, quoted bool) []byte {
	switch v := arg.(type) {
	case string:
		if quoted {
			return strconv.AppendQuote(out, v)
		}
		return append(out, v...)
	case error:
		return append(out, v.Error()...)
	case float64:
		return strconv.AppendFloat(out, v, 'g', -1, 64)
	case bool:
		return strconv.AppendBool(out, v)
	case []any:
		return append(out, "a list"...)
	case map[string]any:
		return append(out, "an object"...)
	case nil:
		return append(out, "nothing"...)
	}
	return append(out, whole(arg)...)
}

func whole(arg any) string {
	switch v := arg.(type) {
	case int:
		return strconv.Itoa(v)
	case uint16:
		return strconv.FormatUint(uint64(v), 10)
	case uint32:
		return strconv.FormatUint(uint64(v), 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	}
	return "something else" // a date of a settings file, say
}
