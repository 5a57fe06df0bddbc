package authtest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Tokens writes a token file with a token for each role, by its name: of the user of that name, and of a group that has all of them.
func Tokens(t testing.TB, roles ...string) (path string) {
	t.Helper()
	text := ""
	for _, role := range roles {
		digest := sha256.Sum256([]byte(role))
		text += fmt.Sprintf("[[token]]\nsha256 = %q\nuser = %q\ngroups = [\"all\"]\nrole = %q\n", hex.EncodeToString(digest[:]), role, role)
	}
	path = filepath.Join(t.TempDir(), "tokens.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
