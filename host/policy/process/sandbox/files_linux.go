package sandbox

import (
	"fmt"
	"path/filepath"
)

// Paths that every program may read: what loaders, interpreters and run-time systems need. Nothing in them is secret on a
// usual system.
var (
	systemPaths = []string{
		"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store",
		"/etc/alternatives", "/etc/group", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload",
		"/etc/locale.alias", "/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd", "/etc/python3*", "/etc/ssl/openssl.cnf",
		"/etc/timezone",
		"/proc/cpuinfo", "/proc/filesystems", "/proc/meminfo", "/proc/self", "/proc/stat", "/proc/sys/vm/overcommit_memory",
		"/sys/devices/system/cpu", "/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage",
		"/dev/random", "/dev/urandom",
	}
	systemDevices = []string{"/dev/full", "/dev/null", "/dev/zero"} // may be written, too

	// A program with the network also reads what finds hosts and checks certificates.
	networkPaths = []string{
		"/etc/ca-certificates", "/etc/gai.conf", "/etc/host.conf", "/etc/hosts", "/etc/pki/ca-trust", "/etc/pki/tls/certs",
		"/etc/protocols", "/etc/resolv.conf", "/etc/services", "/etc/ssl/certs",
	}
)

// restrictFiles has Landlock refuse all files that are not granted; without the network also TCP, and UDP where the kernel
// can; and signals to processes outside and their abstract sockets.
func (p *plan) restrictFiles() error {
	r, err := newRuleset(p.Network)
	if err != nil {
		return err
	}
	defer r.close()
	type rule struct {
		paths        []string
		file, folder uint64
	}
	system := []rule{
		{existing(systemPaths), readFile, readFolder},
		{systemDevices, writeFile, 0},
	}
	if p.Network {
		system = append(system, rule{networkPaths, readFile, readFolder})
	}
	for _, s := range system {
		if err := r.grantExisting(s.paths, s.file, s.folder); err != nil {
			return err
		}
	}
	own := []rule{{append([]string{p.Program, p.Folder}, p.Read...), readFile, readFolder}, {append([]string{p.Temp}, p.Write...), writeFile, writeFolder}}
	for _, o := range own {
		for _, path := range o.paths {
			if err := r.grant(path, o.file, o.folder); err != nil {
				return fmt.Errorf("expected a file or folder that can be granted: %w", err)
			}
		}
	}
	return r.enforce()
}

// existing lists the paths of patterns.
func existing(patterns []string) []string {
	var list []string
	for _, pattern := range patterns {
		found, _ := filepath.Glob(pattern) // the patterns are well-formed
		list = append(list, found...)
	}
	return list
}
