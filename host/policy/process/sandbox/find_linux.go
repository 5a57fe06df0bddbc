package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// abilities are what the kernel allows.
type abilities struct {
	launcher   bool // there is one
	namespaces bool
	landlock   int // version
	calls      bool
	processes  bool // their number can be bounded
}

// find finds out what the kernel allows.
func find() (abilities, Report) {
	if !mayLaunch {
		return abilities{}, Report{{Name: "all", Lack: "this executable is no launcher"}}
	}
	found, err := try(true)
	a := abilities{namespaces: err == nil}
	lack := ""
	if err != nil {
		lack = "namespaces: " + reason(err)
		if found, err = try(false); err != nil {
			return abilities{}, Report{{Name: "all", Lack: "the launcher does not start: " + reason(err)}}
		}
	}
	a.launcher, a.landlock, a.calls = true, found.Landlock, found.Calls == ""
	a.processes = a.namespaces && os.Getuid() != 0
	return a, Report{a.privileges(found), a.files(found), a.network(lack), a.others(lack), a.memory(), a.cpus()}
}

// reason is an error of the system without the command around it.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return err.Error()
}

func (a abilities) privileges(t *trial) Protection {
	p := Protection{Name: "privileges", By: "no_new_privs, no capabilities", Lack: t.Calls}
	if a.namespaces {
		p.By += ", a user namespace"
	}
	if a.calls {
		p.By += ", a filter of system calls"
	}
	return p
}

func (a abilities) files(t *trial) Protection {
	if a.landlock == 0 {
		return Protection{Name: "files", Lack: joined("Landlock is not in this kernel, or it is off", t.Files)}
	}
	return Protection{Name: "files", By: fmt.Sprintf("Landlock, version %d", a.landlock)}
}

// means is one way to keep a program from something, and what it leaves open.
type means struct {
	present  bool
	by, lack string
}

// first returns the protection by the first of the means that is present; without one it lacks everything.
func first(name, lack string, all ...means) Protection {
	for _, m := range all {
		if m.present {
			return Protection{Name: name, By: m.by, Lack: m.lack}
		}
	}
	return Protection{Name: name, Lack: lack}
}

func (a abilities) network(lack string) Protection {
	return first("network", lack,
		means{a.namespaces && a.calls, "a network namespace, a filter of system calls", ""},
		means{a.calls, "a filter of system calls", ""},
		means{a.namespaces, "a network namespace", "unix sockets of the host can be reached"},
		means{a.landlock >= landlockTCP, "Landlock, TCP alone", lack})
}

// others says what keeps a program from other processes, and from making many.
func (a abilities) others(lack string) Protection {
	return first("processes", lack,
		means{a.processes, fmt.Sprintf("a process namespace, at most %d processes and threads", mostProcesses), ""},
		means{a.namespaces, "a process namespace", "the number of processes is not bounded, since this user is root"},
		means{a.landlock >= landlockSignals, "Landlock, signals alone", lack})
}

func (a abilities) memory() Protection {
	return Protection{Name: "memory", By: "RLIMIT_DATA of each process, 1 GiB by default"}
}

func (a abilities) cpus() Protection {
	var set unix.CPUSet
	chosen := affinity(0)
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return Protection{Name: "cpus", Lack: err.Error()}
	}
	p := Protection{Name: "cpus", By: fmt.Sprintf("%d of %d by default", len(chosen), set.Count())}
	if !a.calls {
		p.Lack = "a program can take the others back, without a filter of system calls"
	}
	return p
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}
