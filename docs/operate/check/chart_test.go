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
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"
)

var updateManifests = flag.Bool("update-manifests", false, "write the manifests in kubernetes anew")

// manifests are files of objects of the chart, for kubectl.
var manifests = []struct{ file, values, only, about string }{
	{"quern.yaml", "", "", "The chart in kubernetes/chart with its default values"},
	{"webhook.yaml", "webhook: {enabled: true}", "webhook.yaml", "The admission webhook (docs/kubernetes-webhook.md), as the chart in kubernetes/chart has it"},
	{"record.yaml", "record: {enabled: true}", "record.yaml", "The recorder of a cluster's history (docs/kubernetes-history.md), as the chart in kubernetes/chart has it"},
}

// manifestsHead begins a file of them.
func manifestsHead(file, about string) string {
	return `# ` + about + `, for kubectl. The namespace quern has to exist:
#   kubectl create namespace quern && kubectl apply -f ` + file + `
# Replace the image by yours: make kube-image makes it. go test -update-manifests writes this file from the chart.
`
}

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
	return renderedOf(t, values, "quern", "")
}

// renderedOf returns the objects of a release with a name, in a namespace of the same name, of one file; empty: of all.
func renderedOf(t *testing.T, values, release, only string) ([]string, error) {
	t.Helper()
	given, err := chartutil.ReadValues([]byte(values))
	if err != nil {
		t.Fatal(err)
	}
	c := charted(t)
	all, err := chartutil.ToRenderValues(c, given, chartutil.ReleaseOptions{Name: release, Namespace: release, IsInstall: true}, chartutil.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	files, err := engine.Engine{Strict: true}.Render(c, all)
	if err != nil {
		return nil, err
	}
	var objects []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Ext(name) != ".yaml" || only != "" && path.Base(name) != only {
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
	for _, m := range manifests {
		objects, err := renderedOf(t, m.values, "quern", m.only)
		if err != nil {
			t.Fatal(err)
		}
		file, text := "../kubernetes/"+m.file, manifestsHead(m.file, m.about)+"---\n"+strings.Join(objects, "---\n")
		if *updateManifests {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if found, err := os.ReadFile(file); err != nil || string(found) != text {
			t.Errorf("%s is not what the chart renders to (%v): go test -update-manifests writes it anew", file, err)
		}
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
	"Secret":              func() any { return new(corev1.Secret) },
	"Service":             func() any { return new(corev1.Service) },

	"PersistentVolumeClaim":          func() any { return new(corev1.PersistentVolumeClaim) },
	"MutatingWebhookConfiguration":   func() any { return new(admissionregistrationv1.MutatingWebhookConfiguration) },
	"ValidatingWebhookConfiguration": func() any { return new(admissionregistrationv1.ValidatingWebhookConfiguration) },
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

// allOf returns the objects of a type.
func allOf[T any](all []any) (found []*T) {
	for _, o := range all {
		if o, ok := o.(*T); ok {
			found = append(found, o)
		}
	}
	return found
}

const everything = "schedulerNames: [quern, yunikorn]\nwebhook: {enabled: true, defaultQueue: root.a, processNamespaces: [a], namespaceSelector: team=data, trustedUsers: ['^u$'], trustedGroups: [g]}\n" +
	"record: {enabled: true, storageClass: fast, storage: 7Gi}"

// A second release in the cluster shares nothing with the first, and each part of one has its own account, budget and network policy.
func TestEveryPartOfAReleaseIsItsOwn(t *testing.T) {
	names := map[string]bool{}
	for _, release := range []string{"quern", "second"} {
		objects, err := renderedOf(t, everything, release, "")
		if err != nil {
			t.Fatal(err)
		}
		all := decoded(t, objects)
		if n := len(allOf[networkingv1.NetworkPolicy](all)); n != 3 {
			t.Errorf("%d network policies, expected 3", n)
		}
		if n := len(allOf[policyv1.PodDisruptionBudget](all)); n != 2 {
			t.Errorf("%d budgets, expected that of the scheduler and that of the webhook", n)
		}
		for _, d := range allOf[appsv1.Deployment](all) {
			restricted(t, &d.Spec.Template)
			if d.Namespace != release || d.Spec.Template.Spec.ServiceAccountName != d.Name {
				t.Errorf("deployment %s: namespace %s, account %s", d.Name, d.Namespace, d.Spec.Template.Spec.ServiceAccountName)
			}
			for _, p := range allOf[networkingv1.NetworkPolicy](all) {
				if p.Name == d.Name && !maps.Equal(p.Spec.PodSelector.MatchLabels, d.Spec.Selector.MatchLabels) {
					t.Errorf("the network policy of %s is for %v", d.Name, p.Spec.PodSelector.MatchLabels)
				}
			}
		}
		for _, text := range objects {
			var o struct {
				Kind     string
				Metadata struct{ Name, Namespace string }
			}
			if err := yaml.Unmarshal([]byte(text), &o); err != nil {
				t.Fatal(err)
			}
			name := o.Kind + " " + o.Metadata.Namespace + "/" + o.Metadata.Name
			if names[name] {
				t.Errorf("%s is there twice", name)
			}
			names[name] = true
		}
	}
}

func TestTheWebhookIsToldOfAllNamesOfTheScheduler(t *testing.T) {
	objects, err := renderedOf(t, everything, "second", "webhook.yaml")
	if err != nil {
		t.Fatal(err)
	}
	all := decoded(t, objects)
	args := one[appsv1.Deployment](all).Spec.Template.Spec.Containers[0].Args
	for _, want := range []string{"--for-scheduler=quern", "--for-scheduler=yunikorn", "--webhook-name=second-webhook.second.svc", "--namespace=second", "--secret=second-webhook",
		"--mutating=second", "--validating=second", "--queues-configmap=second-queues", "--default-queue=root.a", "--process-namespaces=a", "--bypass-namespaces=^kube-system$",
		"--namespace-selector=team=data", "--trusted-users=^u$", "--trusted-groups=g"} {
		if !slices.Contains(args, want) {
			t.Errorf("expected %s, found %q", want, args)
		}
	}
	for _, w := range one[admissionregistrationv1.MutatingWebhookConfiguration](all).Webhooks {
		if s := w.ClientConfig.Service; s.Name != "second-webhook" || s.Namespace != "second" || !slices.Contains(w.NamespaceSelector.MatchExpressions[0].Values, "second") {
			t.Errorf("webhook %s: service %s in %s, namespaces %v", w.Name, s.Name, s.Namespace, w.NamespaceSelector.MatchExpressions)
		}
	}
}

func TestValuesThatMeanNothingAreRefused(t *testing.T) {
	for _, values := range []string{"replica: 3", "replicas: many", "schedulerNames: []", "lease: {duration: 1h}", "image: {name: x}", "queues: 7", "webhook: {enable: true}", "record: {storage: 7}", "policies: {oci: [score]}"} {
		if _, err := rendered(t, values); err == nil {
			t.Errorf("%s: expected an error, found none", values)
		}
	}
}
