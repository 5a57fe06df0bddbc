package gate

import "fmt"

// Code is the reason for a refusal. Codes are constants of the API: dashboards count them. Text is never parsed.
type Code string

const (
	CodeTooLarge       Code = "too-large"             // the file is larger than Limits.Bytes
	CodeBadMagic       Code = "bad-magic"             // not WebAssembly
	CodeBadVersion     Code = "bad-version"           // not version 1 of the binary format
	CodeTruncated      Code = "truncated"             // the file, a section or a function body ends too early
	CodeBadNumber      Code = "bad-number"            // a LEB128 number is longer than its type allows or out of its range
	CodeBadName        Code = "bad-name"              // a name is not UTF-8
	CodeSectionOrder   Code = "section-order"         // a section is unknown, twice there or out of order
	CodeSectionSize    Code = "section-size"          // a section or body does not end where it says
	CodeBadCount       Code = "bad-count"             // two sections disagree about a count
	CodeBadType        Code = "bad-type"              // an unknown type, or a form of type that is not allowed
	CodeBadIndex       Code = "bad-index"             // something is named that is not there
	CodeBadExpression  Code = "bad-expression"        // the initial value of a global or the offset of a segment is not a constant
	CodeBadNesting     Code = "bad-nesting"           // block, else, end or a branch that does not match
	CodeForbidden      Code = "forbidden-instruction" // an instruction that is unknown, not deterministic or not bounded
	CodeImport         Code = "forbidden-import"      // an import that is not on the allow-list, or with another signature
	CodeMemory         Code = "forbidden-memory"      // shared, 64 bit, or more than one
	CodeMemoryTooLarge Code = "memory-too-large"      // it starts with more than Limits.Pages
	CodeTableTooLarge  Code = "table-too-large"       // tables start with more than Limits.TableElements
	CodeTooManyTypes   Code = "too-many-types"        // Limits.Types
	CodeTooManyParams  Code = "too-many-parameters"   // Limits.Params, for parameters and for results
	CodeTooManyImports Code = "too-many-imports"      // Limits.Imports
	CodeTooManyFuncs   Code = "too-many-functions"    // Limits.Functions
	CodeTooManyTables  Code = "too-many-tables"       // Limits.Tables
	CodeTooManyGlobals Code = "too-many-globals"      // Limits.Globals
	CodeTooManyExports Code = "too-many-exports"      // Limits.Exports
	CodeTooManyElems   Code = "too-many-elements"     // Limits.Elements, of segments or of items in all segments
	CodeTooManyData    Code = "too-many-data"         // Limits.Data
	CodeTooManyLocals  Code = "too-many-locals"       // Limits.Locals
	CodeTooManyTargets Code = "too-many-targets"      // Limits.Targets
	CodeTooDeep        Code = "too-deep"              // Limits.Depth
	CodeCodeTooLarge   Code = "code-too-large"        // Limits.Code
	CodeBodyTooLarge   Code = "body-too-large"        // Limits.Body
	CodeTooComplex     Code = "too-complex"           // Limits.Complexity
	CodeDuplicate      Code = "duplicate-export"      // two exports of one name
	CodeReservedName   Code = "reserved-name"         // an export has the name of the fuel counter
	CodeMissingExport  Code = "missing-export"        // the policy ABI wants an export that is not there
	CodeBadSignature   Code = "bad-signature"         // an export of the policy ABI has another kind or signature
)

// An Error is a refusal of the gate.
type Error struct {
	Code     Code
	Offset   int    // byte offset in the file; 0 where a whole module is meant
	Section  string // "code", "import", …; empty outside of sections
	Function int    // index of the function, imports counted; -1 outside of function bodies
	Text     string // what was found and what was expected
}

// Error reads "code section, function 7, byte 0x1f4: forbidden-instruction: …".
func (e *Error) Error() string {
	where := ""
	if e.Section != "" {
		where = e.Section + " section, "
	}
	if e.Function >= 0 {
		where += fmt.Sprintf("function %d, ", e.Function)
	}
	return fmt.Sprintf("%sbyte %#x: %s: %s", where, e.Offset, e.Code, e.Text)
}
