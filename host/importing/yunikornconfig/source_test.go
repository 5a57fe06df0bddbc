package yunikornconfig_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"os"
	"strings"
	"testing"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/importing/yunikornconfig"
)

const queues = `partitions:
- name: default
  queues:
  - name: root
    submitacl: "*"
    queues:
    - name: a
      resources: {max: {vcore: 4}}
`

// inConfigMap puts a text into a ConfigMap.
func inConfigMap(text string) string {
	return "kind: ConfigMap\ndata:\n  log.level: INFO\n  queues.yaml: |\n    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ") + "\n"
}

func read(t *testing.T, text string) *yunikornconfig.Source {
	t.Helper()
	s, err := yunikornconfig.Read("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func decode(s *yunikornconfig.Source) error {
	_, err := config.Decode(s.Text, config.Options{File: s.File})
	return err
}

func TestAConfigMapIsReadInPlace(t *testing.T) {
	wrong := strings.Replace(queues, "vcore: 4", "vcore: -4", 1)
	for name, text := range map[string]string{
		"plain":                   wrong,
		"in a ConfigMap":          inConfigMap(wrong),
		"after another document":  "kind: Secret\n---\n" + inConfigMap(wrong),
		"after another ConfigMap": "kind: ConfigMap\ndata: {a: b}\n---\n" + inConfigMap(wrong),
		"with a comment":          strings.Replace(inConfigMap(wrong), ": |\n", ": | # queues\n", 1),
		"with empty lines":        strings.Replace(inConfigMap(wrong), "\n      - name: root", "\n\n\n      - name: root", 1),
		"with two lines below it": inConfigMap(wrong) + "\n\n",
	} {
		at := strings.Index(text, "-4")
		line := strings.Count(text[:at], "\n") + 1
		column := at - strings.LastIndex(text[:at], "\n")
		err := decode(read(t, text))
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		if got := err.(config.Errors)[0]; got.Line != line || got.Column != column || got.File != "f" {
			t.Errorf("%s: expected an error at f:%d:%d, got %s", name, line, column, got)
		}
	}
}

func TestOtherStylesOfTextAreReadWithLinesOfTheirOwn(t *testing.T) {
	for name, text := range map[string]string{
		"quoted": "kind: ConfigMap\ndata:\n  queues.yaml: \"" + strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(queues) + "\"\n",
		"json":   `{"kind":"ConfigMap","data":{"queues.yaml":"` + strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(queues) + `"}}`,
	} {
		s := read(t, text)
		if s.File != "f#queues.yaml" || string(s.Text) != queues {
			t.Errorf("%s: read %s:\n%s", name, s.File, s.Text)
		}
	}
}

func TestAConfigMapWithoutQueuesIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"kind: ConfigMap\ndata: {a: b}\n":              "f:2:7: data: expected an entry queues.yaml or queues.yaml.gz, found none",
		"kind: ConfigMap\ndata:\n  queues.yaml: [1]\n": "f:3:16: data.queues.yaml: expected a text, found another kind of value",
	} {
		if _, err := yunikornconfig.Read("f", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("expected %q, got %v", want, err)
		}
	}
}

// zipped is a text as gzip compresses it, in base64.
func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func TestConfigMap_CompressedQueues(t *testing.T) {
	twice := base64.StdEncoding.EncodeToString([]byte(zipped(t, queues)))
	for name, text := range map[string]string{
		"in data":               "kind: ConfigMap\ndata:\n  log.level: INFO\n  queues.yaml.gz: |\n    " + zipped(t, queues) + "\n",
		"in binaryData":         "kind: ConfigMap\nbinaryData: {queues.yaml.gz: " + zipped(t, queues) + "}\ndata: {log.level: INFO}\n",
		"twice in base64":       "kind: ConfigMap\nbinaryData: {queues.yaml.gz: " + twice + "}\ndata: {log.level: INFO}\n",
		"after another one, in": "kind: ConfigMap\ndata: {a: b}\n---\nkind: ConfigMap\ndata: {queues.yaml.gz: " + zipped(t, queues) + ", log.level: INFO}\n",
	} {
		s := read(t, text)
		if s.File != "f#queues.yaml.gz" || string(s.Text) != queues || len(s.Settings) != 1 || s.Settings[0].Name != "log.level" {
			t.Errorf("%s: read %s, %v:\n%s", name, s.File, s.Settings, s.Text)
		}
	}
	const broken = "kind: ConfigMap\nbinaryData: {queues.yaml.gz: H4sI}\n"
	if _, err := yunikornconfig.Read("f", []byte(broken)); err == nil || !strings.HasPrefix(err.Error(), "f:2:30: queues.yaml.gz: ") {
		t.Error(err)
	}
}

func TestWhatIsNoYAMLIsLeftToTheReaderOfConfigurations(t *testing.T) {
	for _, text := range []string{"", "a: [", "\x00", "- 1\n- 2\n", "kind: ConfigMap\ndata: 3\n", "&a [*a]"} {
		s := read(t, text)
		if string(s.Text) != text {
			t.Errorf("%q became %q", text, s.Text)
		}
		if decode(s) == nil {
			t.Errorf("%q is valid", text)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(queues))
	f.Add([]byte(inConfigMap(queues)))
	f.Add([]byte("kind: ConfigMap\ndata:\n  queues.yaml: |+2\n      a\n\n\n---\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := yunikornconfig.Read("f", text)
		if err == nil && decode(s) == nil {
			s.Differences()
		}
	})
}

func TestTheExampleHasEveryDifferenceOnce(t *testing.T) {
	text, err := os.ReadFile("../../../docs/examples/yunikorn-configs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := yunikornconfig.Read("f", text)
	if err != nil {
		t.Fatal(err)
	}
	if err := decode(s); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range s.Differences() {
		got = append(got, d.Queue+" "+d.Key)
		if line := strings.Split(string(text), "\n")[d.Line-1]; !strings.HasPrefix(line[d.Column-1:], d.Key[strings.LastIndex(d.Key, "preemption.")+1:]) && !strings.Contains(line, d.Key) && !strings.Contains(d.Key, "quotapreemptionenabled") {
			t.Errorf("%s does not stand at line %d, column %d", d.Key, d.Line, d.Column)
		}
	}
	want := []string{
		"settings log.level", "partition placementrules", "partition preemption.quotapreemptionenabled", "partition limits",
		"root.prod.batch application.sort.priority", "root.research limits", "root.research groups", "root.research application.sort.policy",
		"root.gangs application.unschedasks.backoff", "root.gangs application.unschedasks.backoff.delay",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("differences:\n%s\nexpected:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestAQuietConfigurationHasNoDifferences(t *testing.T) {
	if got := read(t, queues).Differences(); len(got) > 0 {
		t.Errorf("found %v", got)
	}
}

func TestAPartitionWithoutAccessListsIsOpenHere(t *testing.T) {
	text := strings.Replace(queues, "    submitacl: \"*\"\n", "", 1)
	got := read(t, text).Differences()
	if len(got) != 1 || got[0].Key != "submitacl" || got[0].Line != 3 {
		t.Errorf("found %v", got)
	}
}

func TestDifferencesOfTemplatesAndAliasesAreFound(t *testing.T) {
	text := `partitions:
- queues:
  - name: root
    submitacl: "*"
    queues:
    - name: a
      properties: &p {application.sort.policy: stateaware}
    - name: b
      parent: true
      childtemplate: {properties: *p}
`
	var got []string
	for _, d := range read(t, text).Differences() {
		got = append(got, d.Queue+" "+d.Key)
	}
	if strings.Join(got, ", ") != "root.a application.sort.policy, root.b childtemplate.properties.application.sort.policy" {
		t.Errorf("found %v", got)
	}
}
