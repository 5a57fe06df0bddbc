package authtest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Tokens writes a token file with a token for each user, such as ann=submitter. The token is the user's name, and there is one group: all.
// A role alone is a user of that name.
func Tokens(t testing.TB, users ...string) (path string) {
	t.Helper()
	text := ""
	for _, u := range users {
		user, role, named := strings.Cut(u, "=")
		if !named {
			role = user
		}
		digest := sha256.Sum256([]byte(user))
		text += fmt.Sprintf("[[token]]\nsha256 = %q\nuser = %q\ngroups = [\"all\"]\nrole = %q\n", hex.EncodeToString(digest[:]), user, role)
	}
	path = filepath.Join(t.TempDir(), "tokens.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
