package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Rights of Landlock. Those that no rule grants are refused.
const (
	readFile   = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE
	readFolder = readFile | unix.LANDLOCK_ACCESS_FS_READ_DIR
	// A device that is granted is granted with its ioctl calls.
	writeFile   = readFile | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	writeFolder = unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX<<1 - 1 // every right
	ofFiles     = writeFile                                   // that a rule about a file may name

	connections = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP | unix.LANDLOCK_ACCESS_NET_BIND_UDP |
		unix.LANDLOCK_ACCESS_NET_CONNECT_SEND_UDP
	outsiders = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
)

// Versions of Landlock, and the numbers of rights that each of them knows: of files, of the network and of scopes.
var knownRights = []struct{ version, files, network, scopes int }{
	{1, 13, 0, 0}, {2, 14, 0, 0}, {3, 15, 0, 0}, {landlockTCP, 15, 2, 0}, {5, 16, 2, 0}, {landlockSignals, 16, 2, 2},
	{9, 17, 2, 2}, {10, 17, 4, 2},
}

const (
	landlockTCP     = 4
	landlockSignals = 6
)

// landlockVersion is the version of the kernel's Landlock; 0: there is none.
func landlockVersion() int {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
}

// ruleset is a set of rules of Landlock. It refuses all accesses that it handles and no rule allows.
type ruleset struct {
	fd      int
	handled uint64 // rights of files
}

// newRuleset makes a ruleset of all that the kernel can refuse. The caller closes it.
func newRuleset(network bool) (*ruleset, error) {
	version := landlockVersion()
	var a unix.LandlockRulesetAttr
	for _, known := range knownRights {
		if known.version <= version {
			a = unix.LandlockRulesetAttr{Handled_access_fs: 1<<known.files - 1, Handled_access_net: 1<<known.network - 1, Scoped: 1<<known.scopes - 1}
		}
	}
	a.Handled_access_fs &= writeFolder
	a.Handled_access_net &= connections
	a.Scoped &= outsiders
	if network {
		a.Handled_access_net = 0
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&a)), unsafe.Sizeof(a), 0)
	if errno != 0 {
		return nil, errno
	}
	return &ruleset{int(fd), a.Handled_access_fs}, nil
}

// grant adds a rule for a file, or for a folder with all below.
func (r *ruleset) grant(path string, file, folder uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer func() { _ = unix.Close(fd) }() // it was a path alone
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	rights := file & ofFiles
	if stat.Mode&unix.S_IFMT == unix.S_IFDIR {
		rights = folder
	}
	a := unix.LandlockPathBeneathAttr{Allowed_access: rights & r.handled, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(r.fd), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&a)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("%s: rule of Landlock: %w", path, errno)
	}
	return nil
}

// grantExisting adds rules for those paths that are there and can be reached.
func (r *ruleset) grantExisting(paths []string, file, folder uint64) error {
	for _, path := range paths {
		if err := r.grant(path, file, folder); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			return err
		}
	}
	return nil
}

// enforce restricts this thread, and what it executes.
func (r *ruleset) enforce() error {
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(r.fd), 0, 0); errno != 0 {
		return errno
	}
	return nil
}

func (r *ruleset) close() { _ = unix.Close(r.fd) } // the domain of the thread has its own copy
