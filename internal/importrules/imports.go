package importrules

import (
	"fmt"
	"slices"
	"strings"
)

// An Import is one import in one file.
type Import struct {
	Folder string // of the importing package, below the module
	Test   bool   // the file is a test
	Path   string
}

// Violation returns which rule an import violates and how, or "".
func (i Import) Violation() string {
	rule := ruleOf(i.Folder)
	if rule == nil {
		return fmt.Sprintf("folder %s has no rule", i.Folder)
	}
	if below(i.Path, Module) {
		return i.ownViolation(rule, strings.TrimPrefix(strings.TrimPrefix(i.Path, Module), "/"))
	}
	if first, _, _ := strings.Cut(i.Path, "/"); strings.Contains(first, ".") {
		return i.libraryViolation(rule)
	}
	if rule.pure() && !i.Test && !slices.Contains(rule.Std, i.Path) {
		return fmt.Sprintf("%s is pure, and %s is not on its list of the standard library", rule.Folder, i.Path)
	}
	return ""
}

// ownViolation checks an import of a folder of this module. Tests of the core may import all of the core, and every test what fixes
// its seed and what it waits with. Only tests may import the oracle.
func (i Import) ownViolation(rule *Rule, folder string) string {
	if i.Test && below(rule.Folder, "core") && below(folder, "core") {
		return ""
	}
	if i.Test && (folder == "internal/seeded" || folder == "internal/await") {
		return ""
	}
	if i.Test && folder == "core/oracle" && (rule.Folder == "host" || rule.Folder == "features") {
		return ""
	}
	if folder == "core/oracle" && i.Folder != folder {
		return "core/oracle is for tests only"
	}
	if i.Folder == folder || rule.allows(folder) || i.Test && rule.Folder == "features" && below(folder, "host") {
		return ""
	}
	return fmt.Sprintf("%s may not import %s", rule.Folder, folder)
}

// libraryViolation checks an import of another project's module.
func (i Import) libraryViolation(rule *Rule) string {
	library, folders := libraryOf(i.Path)
	if library == "" {
		return fmt.Sprintf("%s belongs to no module in the table of libraries", i.Path)
	}
	if i.Test && (!rule.pure() || matches(library, TestLibraries)) {
		return ""
	}
	if matches(rule.Folder, folders) {
		return ""
	}
	return fmt.Sprintf("%s may not import %s", rule.Folder, library)
}

// libraryOf returns the row of Libraries that an import path belongs to.
func libraryOf(path string) (library string, folders []string) {
	for name, r := range Libraries {
		if below(path, name) {
			return name, r
		}
	}
	return "", nil
}
