package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// serviceWorker is the script that keeps the site in the browser. It has a fixed name.
const serviceWorker = "offline.js"

// listFiles writes the list of all files of a site, with the first 12 bytes of their SHA-256, before the code of its service
// worker. A browser looks for a new version by comparing this script, so it has to change whenever a file does.
func listFiles(site string) error {
	hashes := map[string]string{}
	err := fs.WalkDir(os.DirFS(site), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == serviceWorker {
			return err
		}
		data, err := os.ReadFile(filepath.Join(site, filepath.FromSlash(name)))
		sum := sha256.Sum256(data)
		hashes[name] = hex.EncodeToString(sum[:12])
		return err
	})
	if err != nil {
		return err
	}
	list, err := json.Marshal(hashes) // sorted by name
	if err != nil {
		return err
	}
	script := filepath.Join(site, serviceWorker)
	code, err := os.ReadFile(script)
	if err != nil {
		return fmt.Errorf("the service worker, which npm run build makes: %w", err)
	}
	return os.WriteFile(script, fmt.Appendf(nil, "self.quernFiles=%s;\n%s", list, code), 0o644)
}
