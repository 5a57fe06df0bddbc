package registry

import (
	"reflect"
	"testing"
	"time"

	"github.com/quern-project/quern/host/policy/process"
)

func TestAProgramIsStartedAsItsSettingsSay(t *testing.T) {
	text := `sha256 = "0000000000000000000000000000000000000000000000000000000000000001"
[limits]
deadline = "5ms"
[process]
command = "bin/price"
args = ["-v"]
read = ["/srv/prices", "data"]
write = ["/dev/nvidia0", "../cache"]
network = true
memory = "2GiB"
cpus = 3
`
	s, err := parseSettings("price.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var logged string
	r := &Registry{options: Options{Log: func(policy, _, text string) { logged = policy + " " + text }}}
	r.current = map[string]*module{"price": {candidate: candidate{name: "price", settings: "/etc/quern/policies/price.toml"}, settings: s}}
	o, err := r.ProcessOptions("price")
	if err != nil {
		t.Fatal(err)
	}
	o.Log("info", "hello")
	o.Log = nil
	expected := process.Options{Command: "/etc/quern/policies/bin/price", Args: []string{"-v"}, Dir: "/etc/quern/policies", SHA256: s.SHA256,
		Deadline: 5 * time.Millisecond, Memory: 2 << 30, Read: []string{"/srv/prices", "/etc/quern/policies/data"},
		Write: []string{"/dev/nvidia0", "/etc/quern/cache"}, Network: true, CPUs: 3}
	if !reflect.DeepEqual(o, expected) || logged != "price hello" {
		t.Errorf("expected %+v, found %+v, %q", expected, o, logged)
	}
	if _, err := r.ProcessOptions("other"); err == nil {
		t.Error("expected an error for a policy that is not there")
	}
}
