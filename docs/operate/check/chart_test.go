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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"
)

var updateManifests = flag.Bool("update-manifests", false, "write the manifests in kubernetes anew")

// manifests are files of objects of the chart, for kubectl.
var manifests = []struct{ file, values, only, about string }{
	{"quern.yaml", "", "", "The chart in kubernetes/chart with its default values"},
	{"webhook.yaml", "webhook: {enabled: true}", "webhook.yaml", "The admission webhook (docs/kubernetes/webhook.md), as the chart in kubernetes/chart has it"},
	{"record.yaml", "record: {enabled: true}", "record.yaml", "The recorder of a cluster's history (docs/kubernetes/history.md), as the chart in kubernetes/chart has it"},
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

	"Ingress":        func() any { return new(networkingv1.Ingress) },
	"ServiceMonitor": func() any { return new(serviceMonitor) },

	"PersistentVolumeClaim":          func() any { return new(corev1.PersistentVolumeClaim) },
	"MutatingWebhookConfiguration":   func() any { return new(admissionregistrationv1.MutatingWebhookConfiguration) },
	"ValidatingWebhookConfiguration": func() any { return new(admissionregistrationv1.ValidatingWebhookConfiguration) },
}

// serviceMonitor is the part of the Prometheus operator's kind that the chart uses.
type serviceMonitor struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Selector  metav1.LabelSelector `json:"selector"`
		Endpoints []struct {
			Port        string           `json:"port"`
			Interval    string           `json:"interval"`
			Relabelings []map[string]any `json:"relabelings,omitempty"`
		} `json:"endpoints"`
	} `json:"spec"`
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
		"default":                   "",
		"one replica":               "replicas: 1",
		"no metrics":                "metrics: {enabled: false}",
		"no policy":                 "networkPolicy: {enabled: false}",
		"much":                      "schedulerNames: [quern, yunikorn]\ndefaultQueue: root.default\nsettings: {log-level: debug}\nimagePullSecrets: [{name: s}]\nnodeSelector: {a: b}\ntolerations: [{operator: Exists}]",
		"a certain image":           "image: {tag: v7}",
		"modules of registries":     "policies: {oci: [rank=oci://registry.example/score:v1], ociCredentials: login}",
		"no modules":                "policies: {configMaps: false}",
		"interfaces":                interfaces,
		"interfaces by OIDC":        "api: {enabled: true, tls: {secret: t}, oidc: {issuer: 'https://id.example', audience: quern, userClaim: email, ca: {secret: o, key: root.pem}}}",
		"open interfaces":           "api: {enabled: true, insecure: true}\nnetworkPolicy: {apiFrom: [{podSelector: {}}]}",
		"interfaces, no metrics":    "api: {enabled: true, tls: {secret: t}, clientCA: {secret: c}}\nmetrics: {enabled: false}",
		"a ConfigMap that is there": "existingConfigMap: {name: ours, key: queues.yaml.gz}",
		"a monitor":                 "serviceMonitor: {enabled: true, labels: {release: prometheus}, interval: 15s, relabelings: [{targetLabel: cluster, replacement: a}]}",
		"much more":                 extras,
		"settings of many":          "settings: {metrics-queues: 7, retain: 1h}",
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

const interfaces = "api: {enabled: true, tls: {secret: quern-tls}, tokens: {secret: quern-tokens}, clientCA: {secret: quern-ca}}\n" +
	"service: {type: LoadBalancer, annotations: {a: b}}\n" +
	"ingress: {enabled: true, className: nginx, annotations: {c: d}, hosts: [quern.example.org], tls: [{hosts: [quern.example.org], secretName: web}]}"

const extras = "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}}\n" +
	"annotations: {a: b}\npodAnnotations: {c: d}\npodLabels: {e: f}\nserviceAccount: {annotations: {g: h}}\n" +
	"extraArgs: [--binds=128]\nextraEnv: [{name: GOMEMLIMIT, value: 3GiB}]\n" +
	"extraVolumes: [{name: more, emptyDir: {}}]\nextraVolumeMounts: [{name: more, mountPath: /more}]"

// The interfaces are served to others with TLS and authentication, and the Service leads to the replica that schedules.
func TestChart_Interfaces(t *testing.T) {
	objects, err := rendered(t, interfaces)
	if err != nil {
		t.Fatal(err)
	}
	all := decoded(t, objects)
	d := one[appsv1.Deployment](all)
	c := d.Spec.Template.Spec.Containers[0]
	for _, want := range []string{"--http=:9080", "--grpc=:9081", "--leader-pod=$(POD_NAME)", "--tls-cert=/tls/tls.crt", "--tls-key=/tls/tls.key", "--client-ca=/client-ca/ca.crt", "--tokens=/tokens/tokens.toml"} {
		if !slices.Contains(c.Args, want) {
			t.Errorf("expected %s, found %q", want, c.Args)
		}
	}
	for name, secret := range map[string]string{"tls": "quern-tls", "tokens": "quern-tokens", "client-ca": "quern-ca"} {
		mounted := slices.ContainsFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.Name == name && m.MountPath == "/"+name && m.ReadOnly })
		there := slices.ContainsFunc(d.Spec.Template.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == name && v.Secret != nil && v.Secret.SecretName == secret })
		if !mounted || !there {
			t.Errorf("the Secret %s is not mounted at /%s", secret, name)
		}
	}
	var api *corev1.Service
	for _, s := range allOf[corev1.Service](all) {
		if s.Name == "quern-api" {
			api = s
		}
	}
	if api == nil || api.Spec.Type != corev1.ServiceTypeLoadBalancer || api.Annotations["a"] != "b" || api.Spec.Selector["quern/leads"] != "true" {
		t.Fatalf("found %+v", api)
	}
	for key, value := range d.Spec.Selector.MatchLabels {
		if api.Spec.Selector[key] != value {
			t.Errorf("the Service selects %v", api.Spec.Selector)
		}
	}
	ingress := one[networkingv1.Ingress](all)
	if backend := ingress.Spec.Rules[0].HTTP.Paths[0].Backend.Service; backend.Name != api.Name || backend.Port.Number != api.Spec.Ports[0].Port || ingress.Spec.Rules[0].Host != "quern.example.org" || *ingress.Spec.IngressClassName != "nginx" || ingress.Spec.TLS[0].SecretName != "web" {
		t.Errorf("found %+v", ingress.Spec)
	}
	may := slices.ContainsFunc(allOf[rbacv1.Role](all), func(r *rbacv1.Role) bool {
		return r.Namespace == "quern" && slices.ContainsFunc(r.Rules, func(p rbacv1.PolicyRule) bool {
			return slices.Contains(p.Resources, "pods") && slices.Equal(p.Verbs, []string{"patch"})
		})
	})
	if !may {
		t.Error("the scheduler may not label its pod")
	}
	open := slices.ContainsFunc(one[networkingv1.NetworkPolicy](all).Spec.Ingress, func(r networkingv1.NetworkPolicyIngressRule) bool {
		return slices.ContainsFunc(r.Ports, func(p networkingv1.NetworkPolicyPort) bool { return p.Port.StrVal == "http" })
	})
	if !open {
		t.Error("the network policy keeps everybody from the interfaces")
	}
}

func TestChart_MetricsForTheOperator(t *testing.T) {
	objects, err := rendered(t, "serviceMonitor: {enabled: true, labels: {release: prometheus}}")
	if err != nil {
		t.Fatal(err)
	}
	all := decoded(t, objects)
	s, m := one[corev1.Service](all), one[serviceMonitor](all)
	for key, value := range m.Spec.Selector.MatchLabels {
		if s.Labels[key] != value {
			t.Errorf("the monitor selects %v, the Service has %v", m.Spec.Selector.MatchLabels, s.Labels)
		}
	}
	if m.Spec.Endpoints[0].Port != s.Spec.Ports[0].Name || s.Spec.Ports[0].TargetPort.StrVal != "health" || m.Labels["release"] != "prometheus" {
		t.Errorf("found %+v, %+v", m.Spec, s.Spec.Ports)
	}
}

func TestChart_ConfigMapThatIsThere(t *testing.T) {
	objects, err := rendered(t, "existingConfigMap: {name: ours, key: queues.yaml.gz}\nwebhook: {enabled: true}")
	if err != nil {
		t.Fatal(err)
	}
	all := decoded(t, objects)
	if _, has := one[corev1.ConfigMap](all).Data["queues.yaml"]; has {
		t.Error("the chart has a queue configuration, too")
	}
	for _, d := range allOf[appsv1.Deployment](all) {
		want := []string{"--config=/etc/quern/queues.yaml.gz"}
		if d.Name == "quern-webhook" {
			want = []string{"--queues-configmap=ours", "--queues-key=queues.yaml"}
		} else if v := d.Spec.Template.Spec.Volumes[0].Projected; v == nil || v.Sources[0].ConfigMap.Name != "ours" || v.Sources[0].ConfigMap.Items[0].Path != "queues.yaml.gz" {
			t.Errorf("found %+v", d.Spec.Template.Spec.Volumes[0])
		}
		for _, arg := range want {
			if !slices.Contains(d.Spec.Template.Spec.Containers[0].Args, arg) {
				t.Errorf("%s: expected %s, found %q", d.Name, arg, d.Spec.Template.Spec.Containers[0].Args)
			}
		}
	}
	if w := one[admissionregistrationv1.ValidatingWebhookConfiguration](all).Webhooks[0]; w.MatchConditions[0].Expression != "request.name == 'ours'" {
		t.Errorf("found %s", w.MatchConditions[0].Expression)
	}
}

func TestChart_Extras(t *testing.T) {
	objects, err := rendered(t, extras+"\nwebhook: {enabled: true}\nrecord: {enabled: true}")
	if err != nil {
		t.Fatal(err)
	}
	all := decoded(t, objects)
	for _, d := range allOf[appsv1.Deployment](all) {
		pod := &d.Spec.Template
		if pod.Annotations["c"] != "d" || pod.Spec.Affinity == nil || pod.Spec.Affinity.NodeAffinity == nil {
			t.Errorf("%s: annotations %v, affinity %v", d.Name, pod.Annotations, pod.Spec.Affinity)
		}
		if d.Name != "quern" {
			continue
		}
		c := pod.Spec.Containers[0]
		if d.Annotations["a"] != "b" || pod.Labels["e"] != "f" || c.Args[len(c.Args)-1] != "--binds=128" || c.Env[len(c.Env)-1].Value != "3GiB" ||
			pod.Spec.Volumes[len(pod.Spec.Volumes)-1].Name != "more" || c.VolumeMounts[len(c.VolumeMounts)-1].MountPath != "/more" {
			t.Errorf("found %+v", d)
		}
	}
	if a := one[corev1.ServiceAccount](all); a.Annotations["g"] != "h" {
		t.Errorf("found %v", a.Annotations)
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
	for _, values := range []string{"replica: 3", "replicas: many", "schedulerNames: []", "lease: {duration: 1h}", "image: {name: x}", "queues: 7", "webhook: {enable: true}", "record: {storage: 7}", "policies: {oci: [score]}",
		"api: {enabled: true}", "api: {enabled: true, tls: {secret: t}}", "api: {enabled: true, tokens: {secret: t}}", "api: {enabled: true, token: x}", "ingress: {enabled: true, hosts: [a]}",
		"serviceMonitor: {enabled: true}\nmetrics: {enabled: false}", "extraArgs: [binds]", "extraVolumes: [{emptyDir: {}}]", "existingConfigMap: {name: a, key: a/b}", "service: {type: ExternalName}"} {
		if _, err := rendered(t, values); err == nil {
			t.Errorf("%s: expected an error, found none", values)
		}
	}
}
