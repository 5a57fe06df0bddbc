package importrules

import (
	"fmt"
	"strings"
)

// impure are the packages of the standard library that the core does not use, with all below them: they read the
// clock, the machine or chance, or they are about several threads.
var impure = []string{
	"os", "net", "sync", "context", "log", "math/rand", "crypto/rand", "unsafe", "syscall", "runtime", "plugin",
	"embed", "testing", "flag", "database", "io/ioutil", "time/tzdata", "expvar", "C",
}

// An Import is one import in one file.
type Import struct {
	Folder string // of the importing package, below the module
	Test   bool   // the file is a test
	Path   string
}

// Broken returns why an import is against the rules, or "".
func (i Import) Broken() string {
	room := roomOf(i.Folder)
	if room == nil {
		return fmt.Sprintf("folder %s has no row in the table of rooms", i.Folder)
	}
	if below(i.Path, Module) {
		return i.brokenOurs(room, strings.TrimPrefix(strings.TrimPrefix(i.Path, Module), "/"))
	}
	if first, _, _ := strings.Cut(i.Path, "/"); strings.Contains(first, ".") {
		return i.brokenLibrary(room)
	}
	if room.Pure && !i.Test && !i.allowedStandard() {
		return fmt.Sprintf("room %s is pure and may not import %s", room.Folder, i.Path)
	}
	return ""
}

// allowedStandard reports whether a package of the pure core may use this package of the standard library.
func (i Import) allowedStandard() bool {
	for _, p := range impure {
		if below(i.Path, p) {
			return false
		}
	}
	return true
}

// brokenOurs judges an import of a folder of this module. Tests of the core may use all of the core, the oracle too:
// it is the judge. Only tests may import the oracle at all.
func (i Import) brokenOurs(room *Room, folder string) string {
	if i.Test && below(room.Folder, "core") && below(folder, "core") {
		return ""
	}
	if i.Test && folder == "core/oracle" && (room.Folder == "host" || room.Folder == "features") {
		return ""
	}
	if folder == "core/oracle" && i.Folder != folder {
		return "core/oracle is the judge: only tests import it"
	}
	if i.Folder == folder || room.allows(folder) || i.Test && room.Folder == "features" && below(folder, "host") {
		return ""
	}
	return fmt.Sprintf("room %s may not import %s", room.Folder, folder)
}

// brokenLibrary judges an import of somebody else's module.
func (i Import) brokenLibrary(room *Room) string {
	library, rooms := libraryOf(i.Path)
	if library == "" {
		return fmt.Sprintf("%s belongs to no library in the table", i.Path)
	}
	if i.Test && (!room.Pure || matches(library, TestLibraries)) {
		return ""
	}
	if matches(room.Folder, rooms) {
		return ""
	}
	return fmt.Sprintf("room %s may not import %s", room.Folder, library)
}

// libraryOf returns the row of Libraries that an import path belongs to.
func libraryOf(path string) (library string, rooms []string) {
	for name, r := range Libraries {
		if below(path, name) {
			return name, r
		}
	}
	return "", nil
}
