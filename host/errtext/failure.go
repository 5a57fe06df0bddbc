// Package errtext says in plain words what the system and the libraries below quern report: a file that cannot be read, a host that
// does not answer, a certificate that is not trusted.
//
// Text and Reason translate an error wherever it stands in a chain, and leave the words around it as they are. The command line uses
// Text for all its errors, and host/remote uses Reason for those of connections.
package errtext

import (
	"errors"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
)

// Text returns the text of an error, in which the errors of libraries are replaced by plain words. It is empty for nil.
func Text(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	for _, e := range known(err) {
		plain := reason(e)
		if file := fileOf(e); file != "" && strings.Contains(text, file+": "+e.Error()) {
			text = strings.Replace(text, file+": "+e.Error(), plain, 1) // the file is named once
			continue
		}
		text = strings.Replace(text, e.Error(), plain, 1)
	}
	return text
}

// Reason returns what is wrong with a connection in plain words, without those around it; the text of the error if it is of no known kind.
func Reason(err error) string {
	for _, e := range known(err) {
		return reason(e)
	}
	return Text(err)
}

// known lists the errors of libraries in a tree, the outermost of each branch.
func known(err error) []error {
	if err == nil {
		return nil
	}
	if reason(err) != "" {
		return []error{err}
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return known(e.Unwrap())
	case interface{ Unwrap() []error }:
		var all []error
		for _, one := range e.Unwrap() {
			all = append(all, known(one)...)
		}
		return all
	}
	return nil
}

// reason returns the plain words for an error of a library; empty: it is none of these.
func reason(err error) string {
	if text := certificateReason(err); text != "" {
		return text
	}
	if err == http.ErrSchemeMismatch { //nolint:errorlint // the caller takes chains apart
		return noTLS
	}
	switch e := err.(type) {
	case *fs.PathError:
		return e.Path + ": " + inner(e.Err)
	case *os.LinkError:
		return e.New + ": " + inner(e.Err)
	case *os.SyscallError:
		return inner(e.Err)
	case *net.OpError, *net.DNSError, *net.AddrError:
		return networkReason(e)
	case syscall.Errno:
		return systemReason(e)
	}
	return ""
}

// inner returns the plain words for an error that another one wraps.
func inner(err error) string {
	if err == nil {
		return "unknown cause"
	}
	if text := reason(err); text != "" {
		return text
	}
	return Text(err)
}

// fileOf returns the file that an error of the system names; empty: none.
func fileOf(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Path
	}
	return ""
}
