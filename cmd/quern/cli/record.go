package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/quern-project/quern/host/policy/live"
	"github.com/quern-project/quern/host/policy/registry"
	"github.com/quern-project/quern/host/store"
)

// ModulesOf returns the folder of the modules that the record in a folder names.
func ModulesOf(data string) string { return filepath.Join(data, registry.ArchiveFolder) }

// RecordError says which record cannot be opened and, if it is damaged, what to do about it.
func RecordError(data string, err error) error {
	var damage *store.DamageError
	err = fmt.Errorf("%s: %w", data, err)
	if errors.As(err, &damage) {
		return CodeError{Err: err, Code: Failed, Hint: "Acknowledged inputs may be missing, so nothing was changed: restore the folder from a backup, or keep it, write what can be read with quern journal salvage, and start with an empty one"}
	}
	return err
}

// ModulesError says what to do if a record names modules that are missing. It returns other errors as they are.
func ModulesError(data string, err error) error {
	var missing *live.MissingError
	if !errors.As(err, &missing) {
		return err
	}
	return CodeError{Err: fmt.Errorf("%s: %w", data, err), Code: Failed,
		Hint: fmt.Sprintf("The record depends on this module: restore the file as %s from a backup of the folder", filepath.Join(ModulesOf(data), missing.Modules[0].SHA256+".wasm"))}
}
