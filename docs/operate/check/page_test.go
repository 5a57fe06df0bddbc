package check

import (
	"regexp"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"

	"helm.sh/helm/v3/pkg/strvals"
)

var helmInstall = regexp.MustCompile(`(?m)^helm (?:install|upgrade)(?:[^\\\n]|\\\n)*`)

// The commands of the pages that install the chart have values that it takes, and install the image that they name.
func TestPages_HelmCommandsRender(t *testing.T) {
	found := 0
	for _, page := range []string{"kubernetes/overview.md", "kubernetes/upgrades.md"} {
		for _, command := range helmInstall.FindAllString(read(t, "../../"+page), -1) {
			found++
			values := map[string]any{}
			words := strings.Fields(strings.ReplaceAll(command, "\\\n", " "))
			for i, word := range words {
				switch word {
				case "--set":
					if err := strvals.ParseInto(words[i+1], values); err != nil {
						t.Errorf("%s: %v", command, err)
					}
				case "--set-file":
					key, _, _ := strings.Cut(words[i+1], "=")
					values[key] = "partitions: []"
				}
			}
			text, err := yaml.Marshal(values)
			if err != nil {
				t.Fatal(err)
			}
			objects, err := rendered(t, string(text))
			if err != nil {
				t.Errorf("%s: %v", command, err)
				continue
			}
			image := one[appsv1.Deployment](decoded(t, objects)).Spec.Template.Spec.Containers[0].Image
			if set, ok := values["image"].(map[string]any); ok && set["tag"] != nil && !strings.HasSuffix(image, ":"+set["tag"].(string)) {
				t.Errorf("%s: the image is %s", command, image)
			}
		}
	}
	if found < 3 {
		t.Errorf("found %d commands", found)
	}
}

// The page of upgrades names the versions with which tests are run.
func TestPages_TestedVersions(t *testing.T) {
	page := read(t, "../../kubernetes/upgrades.md")
	for _, of := range []struct{ row, file, module string }{
		{"API server, controller manager", "../../../tools/kube/controlplane/go.mod", "k8s.io/kubernetes"},
		{"API server, controller manager", "../../../tools/kube/controlplane-1.37/go.mod", "k8s.io/kubernetes"},
		{"libraries of Kubernetes", "../../../host/kube/go.mod", "k8s.io/kubernetes"},
		{"Helm", "go.mod", "helm.sh/helm/v3"},
		{"kwok", "../../../tools/kube/kwok/go.mod", "sigs.k8s.io/kwok"},
	} {
		version := regexp.MustCompile(`(?m)` + regexp.QuoteMeta(of.module) + ` v(\S+)`).FindStringSubmatch(read(t, of.file))
		line := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(of.row) + `.*$`).FindString(page)
		if version == nil || !strings.Contains(line, " "+version[1]) {
			t.Errorf("%s: expected %v, found %q", of.row, version, line)
		}
	}
}
