package importrules

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// doubled are the folder names that several packages may have, with the reason.
var doubled = map[string]string{
	"v1":     "the version of a protobuf API: the path names the API, and the packages are quernv1 and siv1",
	"policy": "sdk/policy is in the import lines of policies that users have written; no file imports it beside core/policy",
}

// A reader who sees name.X need not look up which package that is. Below plugins the last folder names the form of a policy; nothing imports it.
func TestNames_NoTwoPackagesOfOneName(t *testing.T) {
	folders := map[string][]string{}
	for _, p := range readPackages(t) {
		if !below(p.Folder, "plugins") {
			folders[path.Base(p.Folder)] = append(folders[path.Base(p.Folder)], p.Folder)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		if several := len(folders[name]) > 1; several && doubled[name] == "" {
			t.Errorf("%s: several packages have this name; rename all but one", strings.Join(folders[name], ", "))
		} else if !several && doubled[name] != "" {
			t.Errorf("%s: only %s has this name; remove its exemption", name, folders[name])
		}
	}
}
