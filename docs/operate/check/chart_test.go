package check

import (
	"flag"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"
)

var updateManifests = flag.Bool("update-manifests", false, "write kubernetes/quern.yaml anew")

const manifests = "../kubernetes/quern.yaml"

// manifestsHead begins the manifests.
const manifestsHead = `# The chart in kubernetes/chart with its default values, for kubectl. The namespace quern has to exist:
#   kubectl create namespace quern && kubectl apply -f quern.yaml
# go test -update-manifests writes this file from the chart.
`

// charted loads the chart.
func charted(t *testing.T) *chart.Chart {
	t.Helper()
	c, err := loader.Load("../kubernetes/chart")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// rendered returns the objects of a release in the order of their files; the error says that values are refused.
func rendered(t *testing.T, values string) ([]string, error) {
	t.Helper()
	given, err := chartutil.ReadValues([]byte(values))
	if err != nil {
		t.Fatal(err)
	}
	c := charted(t)
	all, err := chartutil.ToRenderValues(c, given, chartutil.ReleaseOptions{Name: "quern", Namespace: "quern", IsInstall: true}, chartutil.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	files, err := engine.Engine{Strict: true}.Render(c, all)
	if err != nil {
		return nil, err
	}
	var objects []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Ext(name) != ".yaml" {
			continue
		}
		for object := range strings.SplitSeq(files[name], "\n---\n") {
			if strings.TrimSpace(object) != "" {
				objects = append(objects, strings.TrimSpace(object)+"\n")
			}
		}
	}
	return objects, nil
}

func TestTheManifestsAreTheChart(t *testing.T) {
	objects, err := rendered(t, "")
	if err != nil {
		t.Fatal(err)
	}
	text := manifestsHead + "---\n" + strings.Join(objects, "---\n")
	if *updateManifests {
		if err := os.WriteFile(manifests, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := os.ReadFile(manifests); err != nil || string(found) != text {
		t.Errorf("%s is not what the chart renders to (%v): go test -update-manifests writes it anew", manifests, err)
	}
}

// kinds are the kinds that the chart may have.
var kinds = map[string]func() any{
	"ServiceAccount":      func() any { return new(corev1.ServiceAccount) },
	"ConfigMap":           func() any { return new(corev1.ConfigMap) },
	"ClusterRole":         func() any { return new(rbacv1.ClusterRole) },
	"ClusterRoleBinding":  func() any { return new(rbacv1.ClusterRoleBinding) },
	"Role":                func() any { return new(rbacv1.Role) },
	"RoleBinding":         func() any { return new(rbacv1.RoleBinding) },
	"Deployment":          func() any { return new(appsv1.Deployment) },
	"PodDisruptionBudget": func() any { return new(policyv1.PodDisruptionBudget) },
	"NetworkPolicy":       func() any { return new(networkingv1.NetworkPolicy) },
}

// decoded reads objects as strictly as the API server can.
func decoded(t *testing.T, objects []string) (all []any) {
	t.Helper()
	for _, text := range objects {
		var head struct{ Kind string }
		if err := yaml.Unmarshal([]byte(text), &head); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		make := kinds[head.Kind]
		if make == nil {
			t.Fatalf("the kind %q is unknown:\n%s", head.Kind, text)
		}
		object := make()
		if err := yaml.UnmarshalStrict([]byte(text), object); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
		all = append(all, object)
	}
	return all
}

// one returns the object of a type; nil: there is none.
func one[T any](all []any) *T {
	for _, o := range all {
		if found, ok := o.(*T); ok {
			return found
		}
	}
	return nil
}

func TestEveryReleaseIsSound(t *testing.T) {
	for name, values := range map[string]string{
		"default":               "",
		"one replica":           "replicas: 1",
		"no metrics":            "metrics: {enabled: false}",
		"no policy":             "networkPolicy: {enabled: false}",
		"much":                  "schedulerNames: [quern, yunikorn]\ndefaultQueue: root.default\nsettings: {log-level: debug}\nimagePullSecrets: [{name: s}]\nnodeSelector: {a: b}\ntolerations: [{operator: Exists}]",
		"a certain image":       "image: {tag: v7}",
		"modules of registries": "policies: {oci: [rank=oci://registry.example/score:v1], ociCredentials: login}",
		"no modules":            "policies: {configMaps: false}",
		"settings of many":      "settings: {metrics-queues: 7, retain: 1h}",
	} {
		t.Run(name, func(t *testing.T) {
			objects, err := rendered(t, values)
			if err != nil {
				t.Fatal(err)
			}
			all := decoded(t, objects)
			d := one[appsv1.Deployment](all)
			if d == nil {
				t.Fatal("found no Deployment")
			}
			if budget := one[policyv1.PodDisruptionBudget](all); (budget != nil) != (*d.Spec.Replicas > 1) {
				t.Errorf("%d replicas, and a budget: %v", *d.Spec.Replicas, budget != nil)
			}
			restricted(t, &d.Spec.Template)
		})
	}
}

// restricted checks that the level restricted of Pod Security admits pods.
func restricted(t *testing.T, pods *corev1.PodTemplateSpec) {
	t.Helper()
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range evaluator.EvaluatePod(api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}, &pods.ObjectMeta, &pods.Spec) {
		if !r.Allowed {
			t.Errorf("the level restricted forbids the pods: %s: %s", r.ForbiddenReason, r.ForbiddenDetail)
		}
	}
}

func TestThePodsOfTheOtherManifestsAreRestricted(t *testing.T) {
	for _, name := range []string{"webhook.yaml", "record.yaml"} {
		text, err := os.ReadFile("../kubernetes/" + name)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for object := range strings.SplitSeq(string(text), "\n---\n") {
			var d appsv1.Deployment
			if err := yaml.Unmarshal([]byte(object), &d); err == nil && d.Kind == "Deployment" {
				found = true
				restricted(t, &d.Spec.Template)
			}
		}
		if !found {
			t.Errorf("%s: found no Deployment", name)
		}
	}
}

func TestValuesThatMeanNothingAreRefused(t *testing.T) {
	for _, values := range []string{"replica: 3", "replicas: many", "schedulerNames: []", "lease: {duration: 1h}", "image: {name: x}", "queues: 7", "policies: {oci: [score]}"} {
		if _, err := rendered(t, values); err == nil {
			t.Errorf("%s: expected an error, found none", values)
		}
	}
}
