package errtext

import "syscall"

// systemReason returns the plain words for an error number of the system.
func systemReason(number syscall.Errno) string {
	if text := systemReasons[number]; text != "" {
		return text
	}
	return number.Error()
}

// systemReasons are the error numbers whose usual texts leave open what is wrong, or what to do.
var systemReasons = map[syscall.Errno]string{
	syscall.EISDIR:        "expected a file, found a folder",
	syscall.ENOTDIR:       "a part of this path is a file, not a folder",
	syscall.EEXIST:        "it exists already",
	syscall.ENOTEMPTY:     "the folder is not empty",
	syscall.EROFS:         "the file system is read-only",
	syscall.ENAMETOOLONG:  "the name is too long",
	syscall.EMFILE:        "too many files are open: raise the limit on open files (ulimit -n)",
	syscall.EADDRINUSE:    "another program uses this address",
	syscall.EADDRNOTAVAIL: "this machine does not have this address",
	syscall.ECONNREFUSED:  "connection refused: no program listens at this address",
	syscall.ECONNRESET:    "the other side closed the connection",
	syscall.EHOSTUNREACH:  "no route leads to this machine",
	syscall.ENETUNREACH:   "no route leads to this network",
	syscall.ETIMEDOUT:     "the machine did not answer in time",
}
