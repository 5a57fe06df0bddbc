//go:build linux

package sandbox

import (
	"bytes"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// ordinary are programs that must not notice the sandbox.
var ordinary = map[string][]string{
	"a shell with children": {"/bin/sh", "-c", `cd "$TMPDIR" && echo one >a && mv a b && cat b | tr o O && rm b && mkdir c && ls -d c`},
	"Python": {"/usr/bin/python3", "-c", `
import hashlib, json, os, random, socket, ssl, subprocess, tempfile, threading, time
with tempfile.TemporaryFile() as f: f.write(b"x")
t = threading.Thread(target=lambda: None); t.start(); t.join()
s = socket.socket(socket.AF_UNIX); s.bind(os.environ["TMPDIR"] + "/socket"); s.listen()
a, b = socket.socketpair(); a.send(b"x"); b.recv(1)
subprocess.run(["/bin/true"], check=True)
hashlib.sha256(b"x").hexdigest(); ssl.create_default_context(); time.localtime(); os.path.expanduser("~"); os.cpu_count()
print("ok")`},
	"Perl": {"/usr/bin/perl", "-MFile::Temp=tempfile", "-e", `my ($f, $name) = tempfile(); print $f "x"; print "ok\n"`},
}

func TestOrdinaryProgramsRunInASandbox(t *testing.T) {
	box := New(Auto)
	for name, args := range ordinary {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(args[0]); err != nil {
				t.Skip("skipped, because it is not here: ", err)
			}
			dir := t.TempDir()
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Dir, cmd.Env = dir, []string{"TMPDIR=" + dir, "PATH=/usr/bin:/bin", "HOME=/root", "LANG=C.UTF-8"}
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			started, err := box.Confine(cmd, Rules{Program: args[0], Folder: dir, Temp: dir})
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if err := started.Theirs.Close(); err != nil {
				t.Fatal(err)
			}
			if err := started.Wait(time.Minute); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("%v: %s", err, &out)
			}
			if expected := map[string]string{"a shell with children": "One\nc\n"}[name]; expected != "" && out.String() != expected {
				t.Errorf("expected %q, found %q", expected, &out)
			}
		})
	}
}
