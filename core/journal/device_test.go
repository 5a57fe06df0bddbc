package journal_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/quern-project/quern/core/journal"
)

// deviceLine completes a line of a type with some keys.
func deviceLine(typ, keys string) string {
	rest := map[string]string{
		"node.add": `"id":"n","capacity":{"vcore":"8000m"}`, "node.update": `"id":"n"`, "ask.add": `"id":"a","app":"x","resources":{"vcore":"1000m"}`,
		"ask.update": `"id":"a"`, "allocation.restore": `"id":"a","app":"x","resources":{"vcore":"1000m"}`, "app.add": `"id":"x"`,
	}
	return `{"at":"1s","type":"` + typ + `",` + rest[typ] + "," + keys + "}"
}

func TestDevices_ReadAndWritten(t *testing.T) {
	for _, c := range []struct{ typ, keys, want string }{
		{"node.add", `"devices":{"gpu":{"count":2,"capacity":{"memory":"80Gi"},"attributes":{"numa":"0"}}}`,
			`"devices":{"gpu":[{"id":"0","capacity":{"memory":85899345920},"attributes":{"numa":"0"}},{"id":"1","capacity":{"memory":85899345920},"attributes":{"numa":"0"}}]}`},
		{"node.add", `"devices":{"gpu":[{"id":"g-0.A_"},{"id":"b","unhealthy":true}],"fpga":{"count":0}},"occupied_devices":{"gpu":{"b":"500m"}}`,
			`"devices":{"fpga":[],"gpu":[{"id":"g-0.A_"},{"id":"b","unhealthy":true}]},"occupied_devices":{"gpu":{"b":"500m"}}`},
		{"node.update", `"devices":{"gpu":[]},"occupied_devices":{"1":{"memory":"1Gi"},"0":0.25}`,
			`"devices":{"gpu":[]},"occupied_devices":{"0":"250m","1":{"share":"0m","memory":1073741824}}`},
		{"node.update", `"occupied_devices":{"gpu":{"1":{"share":"1","memory":2},"0":1},"fpga":{"x":0.1}}`,
			`"occupied_devices":{"fpga":{"x":"100m"},"gpu":{"0":"1000m","1":{"share":"1000m","memory":2}}}`},
		{"node.update", `"occupied_devices":{}`, `"occupied_devices":{}`},
		{"ask.add", `"devices":{"gpu":"500m"}`, `"devices":{"gpu":"500m"}`},
		{"ask.add", `"devices":{"gpu":4}`, `"devices":{"gpu":"4000m"}`},
		{"ask.add", `"devices":{"gpu":{}}`, `"devices":{"gpu":"1000m"}`},
		{"ask.add", `"devices":{"gpu":{"count":2,"share":"500m"},"fpga":{"memory":"1Gi"}}`,
			`"devices":{"fpga":{"count":1,"share":"0m","memory":1073741824},"gpu":{"count":2,"share":"500m"}}`},
		{"ask.update", `"devices":{"gpu":{"count":2,"equal":"numa","where":{"model":["b","a"]}}}`,
			`"devices":{"gpu":{"count":2,"share":"1000m","where":{"model":["b","a"]},"equal":"numa"}}`},
		{"ask.update", `"devices":{}`, `"devices":{}`},
		{"allocation.restore", `"devices":{"gpu":2},"placed_on":"n","placed_devices":{"gpu":["3","0"]}`,
			`"devices":{"gpu":"2000m"},"placed_on":"n","placed_devices":{"gpu":["3","0"]}`},
	} {
		line, want := deviceLine(c.typ, c.keys), deviceLine(c.typ, c.want)
		for range 2 { // what is written is read back
			if found := rewritten(t, line); found != want {
				t.Errorf("%s\ngives %s\nwant  %s", line, found, want)
			}
			line = want
		}
	}
}

// rewritten decodes a line and encodes it again.
func rewritten(t *testing.T, line string) string {
	t.Helper()
	e, err := journal.NewDecoder(strings.NewReader(line), "j", nil).Next()
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	var out bytes.Buffer
	enc := journal.NewEncoder(&out, journal.Relative)
	if err := errors.Join(enc.Entry(e), enc.Flush()); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out.String())
}

func TestDevices_Refused(t *testing.T) {
	for _, c := range []struct{ typ, keys, key, expected string }{
		{"ask.add", `"devices":{"gpu":1.5}`, "devices.gpu", "count and share"},
		{"ask.add", `"devices":{"gpu":0}`, "devices.gpu", "above 0"},
		{"ask.add", `"devices":{"gpu":"0.5m"}`, "devices.gpu", "a whole number of thousandths of a device"},
		{"ask.add", `"devices":{"gpu":[]}`, "devices.gpu", "an object about the devices of an ask"},
		{"ask.add", `"devices":{"gpu":{"count":0}}`, "devices.gpu.count", "from 1"},
		{"ask.add", `"devices":{"gpu":{"share":2}}`, "devices.gpu.share", "at most 1"},
		{"ask.add", `"devices":{"gpu":{"share":0}}`, "devices.gpu.share", "above 0, or memory"},
		{"ask.add", `"devices":{"gpu":{"count":2,"capacity":{}}}`, "devices.gpu", "count, share"},
		{"ask.add", `"devices":{"gpu":{"size":2}}`, "devices.gpu", "count, share"},
		{"ask.add", `"devices":{"gpu":{"profile":"1g.10gb"}}`, "devices.gpu.profile", "no partitions yet"},
		{"ask.add", `"devices":{"vcore":1}`, "resources.vcore", "either here or in devices"},
		{"ask.add", `"devices":3`, "devices", "an object"},
		{"node.add", `"devices":{"gpu":8}`, "devices.gpu", "a list of devices"},
		{"node.add", `"devices":{"gpu":{"share":1}}`, "devices.gpu", "count"},
		{"node.add", `"devices":{"gpu":{}}`, "devices.gpu.count", "the key"},
		{"node.add", `"devices":{"gpu":{"count":65}}`, "devices.gpu.count", "at most 64"},
		{"node.add", `"devices":{"gpu":[{"id":"a"},{"id":"a"}]}`, "devices.gpu[1].id", "each device once"},
		{"node.add", `"devices":{"gpu":[{"id":"a/b"}]}`, "devices.gpu[0].id", "1 to 63"},
		{"node.add", `"devices":{"gpu":[{}]}`, "devices.gpu[0].id", "the key"},
		{"node.add", `"devices":{"gpu":[{"id":"a","slots":7}]}`, "devices.gpu[0].slots", "no partitions yet"},
		{"node.add", `"devices":{"gpu":{"count":1,"capacity":{"vcore":1}}}`, "devices.gpu.capacity", "memory"},
		{"node.add", `"devices":{"gpu":{"count":1,"geometry":"h100-80gb"}}`, "devices.gpu.geometry", "no partitions yet"},
		{"node.add", `"occupied_devices":{"gpu":{"0":"1500m"}}`, "occupied_devices.gpu.0", "at most 1"},
		{"node.add", `"occupied_devices":{"a b":1}`, "occupied_devices.a b", "the ID of a device"},
		{"node.add", `"placed_devices":{}`, "placed_devices", "a key of node.add"},
		{"allocation.restore", `"placed_on":"n","placed_devices":{"gpu":["0","0"]}`, "placed_devices.gpu", "each device once"},
		{"allocation.restore", `"placed_on":"n","placed_devices":{"gpu":["0/4-7"]}`, "placed_devices.gpu", "1 to 63"},
		{"app.add", `"devices":{}`, "devices", "a key of app.add"},
	} {
		line := deviceLine(c.typ, c.keys)
		_, err := journal.NewDecoder(strings.NewReader(line), "j", nil).Next()
		var bad *journal.Error
		if !errors.As(err, &bad) || bad.Key != c.key || !strings.Contains(bad.Expected, c.expected) {
			t.Errorf("%s: got %v, want %s: %s", line, err, c.key, c.expected)
		}
	}
}

func TestDevices_ShortFormAmongResources(t *testing.T) {
	const set = `{"at":"0s","type":"config.set","config":"devices: {gpu: {}}\npartitions: [{queues: [{name: a}]}]"}` + "\n"
	const broken = `{"at":"0s","type":"config.set","config":"devices: ["}` + "\n"
	ask := func(amount string) string {
		return `{"at":"1s","type":"ask.add","id":"a","app":"x","resources":{"gpu":` + amount + `}}`
	}
	for _, c := range []struct {
		amount, want string // want: of devices; empty: a bad line
		before       string
		told         []string
		any          bool
	}{
		{amount: `"500m"`},
		{amount: `"500m"`, want: "500m", before: set},
		{amount: `"500m"`, want: "500m", told: []string{"gpu"}},
		{amount: `"500m"`, want: "500m", any: true},
		{amount: `4`, want: "4000m", before: set},
		{amount: `1.5`, before: set},
		{amount: `1.5`, any: true},
		{amount: `"500m"`, want: "500m", before: broken, told: []string{"gpu"}}, // the types before it stay in force
		{amount: `1.5`, before: broken, told: []string{"gpu"}},
	} {
		d := journal.NewDecoder(strings.NewReader(c.before+ask(c.amount)), "j", nil)
		d.SetDeviceTypes(c.told)
		if c.any {
			d.AllowShares()
		}
		if c.before != "" {
			if _, err := d.Next(); err != nil {
				t.Fatal(err)
			}
		}
		e, err := d.Next()
		if err != nil {
			if c.want != "" || !strings.Contains(err.Error(), "resources.gpu") {
				t.Errorf("%s after %q: %v", c.amount, c.before, err)
			}
			continue
		}
		ask := e.Input.Ask()
		if len(ask.Resources) > 0 || len(ask.Devices) != 1 || c.want == "" {
			t.Errorf("%s after %q: %v and %v", c.amount, c.before, ask.Resources, ask.Devices)
		}
	}
}
