package author

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// linked makes a folder in which the policy is alone: links to its files and, for a process, to all that lies beside it
// but other policies.
func (s *Subject) linked() (string, error) {
	stage, err := os.MkdirTemp("", "quern-policy-")
	if err != nil {
		return "", err
	}
	names := []string{s.Name + wasmEnding}
	if s.Settings != "" {
		names = append(names, s.Name+settingsEnding)
	}
	if s.Process {
		names, err = s.neighbours()
	}
	for _, name := range names {
		if err == nil {
			err = linkTo(filepath.Join(s.Dir, name), filepath.Join(stage, name))
		}
	}
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(stage))
	}
	return stage, nil
}

func (s *Subject) neighbours() ([]string, error) {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return nil, &InputError{plain(s.Dir, err)}
	}
	var names []string
	for _, e := range entries {
		ending := filepath.Ext(e.Name())
		if e.Name() == s.Name+settingsEnding || ending != wasmEnding && ending != settingsEnding {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

func linkTo(path, link string) error {
	whole, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	return os.Symlink(whole, link)
}

// unstaged names the author's folder in an error, not the one with links.
func (h *Host) unstaged(err error) error {
	return errors.New(strings.ReplaceAll(err.Error(), h.stage+string(filepath.Separator), prefix(h.Subject.Dir)))
}

func prefix(dir string) string {
	if dir == "." {
		return ""
	}
	return dir + string(filepath.Separator)
}
