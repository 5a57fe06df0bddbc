package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

const repository = "../../../../"

// notPlayed are commands that need more than a control plane, by their first words, with the reasons.
var notPlayed = map[string]string{
	"make kube":                      "this test is the program",
	"make kube-image":                "tools/image has tests of the image",
	"helm install":                   "docs/operate/check renders the chart with the flags of the page",
	"helm upgrade":                   "likewise",
	"kubectl -n quern create secret": "what the chart installs needs containers",
	"kind":                           "it needs containers",
	"minikube":                       "it needs containers or a virtual machine",
	"kubectl -n quern rollout":       "what the chart installs needs containers",
	"kubectl -n quern port-forward":  "it needs a kubelet",
	"kubectl -n quern get lease":     "it needs what the chart installs",
	"kubectl get configmap":          "it needs what the chart installs",
	"kubectl create namespace quern": "TestASchedulerHasTheRightsThatItUses plays the manifests",
}

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// commandsOf are the commands of the shell blocks of a page, those of several lines as one.
func commandsOf(t *testing.T, page string) (list []string) {
	t.Helper()
	text, err := os.ReadFile(repository + "docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range shellBlock.FindAllStringSubmatch(string(text), -1) {
		for line := range strings.SplitSeq(strings.ReplaceAll(block[1], "\\\n", ""), "\n") {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				list = append(list, strings.Join(strings.Fields(line), " "))
			}
		}
	}
	return list
}

// isPlayed reports whether a command is for the control plane.
func isPlayed(command string) bool {
	for prefix := range notPlayed {
		if strings.HasPrefix(command+" ", prefix+" ") {
			return false
		}
	}
	return true
}

// Each command of the page is played, or is of a kind that is listed with the reason why it is not.
func TestPage_EveryCommandIsOfAKnownKind(t *testing.T) {
	s := session{}
	played := 0
	for _, command := range commandsOf(t, "kubernetes/overview.md") {
		if !isPlayed(command) {
			continue
		}
		if played++; s.of(command) == nil {
			t.Errorf("%q is of no kind that is played or listed", command)
		}
	}
	if played < 5 {
		t.Errorf("found %d commands", played)
	}
}

// The commands of the page do what the page says, in their order.
func TestPage_CommandsOnAControlPlane(t *testing.T) {
	p := newPlane(t, 2)
	file, err := p.Kubeconfig("page", p.Admin())
	p.must(err)
	s := session{plane: p, kubeconfig: file}
	if path, err := exec.LookPath("kubectl"); err == nil {
		s.kubectl = path
	}
	for _, command := range commandsOf(t, "kubernetes/overview.md") {
		if !isPlayed(command) {
			continue
		}
		out := s.of(command)()
		t.Logf("$ %s\n%s", command, out)
		if strings.HasPrefix(command, "kubectl describe pod too-large") {
			s.saysWhy(out)
		}
	}
}

// session plays the commands of a page.
type session struct {
	*plane
	kubeconfig string
	kubectl    string // empty: the client of the test acts in its place
	started    int
}

// of returns what plays a command; nil: its kind is unknown.
func (s *session) of(command string) func() string {
	words := strings.Fields(command)
	if strings.HasPrefix(command, "build/quern-kube ") {
		return func() string { return s.start(words[1:]) }
	}
	verbs := map[string]func([]string) string{"apply -f": s.apply, "delete -f": s.remove, "wait": s.wait, "describe pod": s.describe}
	for verb, play := range verbs {
		if rest, ok := strings.CutPrefix(command, "kubectl "+verb+" "); ok {
			return func() string {
				if s.kubectl != "" {
					return s.run(words[1:])
				}
				return play(strings.Fields(rest))
			}
		}
	}
	return nil
}

// local are arguments with the files of the repository.
func local(words []string) (all []string) {
	for _, word := range words {
		if _, err := os.Stat(repository + word); err == nil && strings.HasPrefix(word, "docs/") {
			word, _ = filepath.Abs(repository + word)
		}
		all = append(all, word)
	}
	return all
}

// start starts the program, at an address that is free.
func (s *session) start(args []string) string {
	s.started++
	self, err := os.Executable()
	s.must(err)
	env := []string{asProgram + "=yes", "XDG_CACHE_HOME=" + filepath.Join(s.dir, "cache"), "XDG_CONFIG_HOME=" + filepath.Join(s.dir, "config"), "KUBECONFIG=" + s.kubeconfig}
	s.must(s.Program(fmt.Sprint("page-", s.started), self, env, append(local(args), "--http=127.0.0.1:0")...).Start(s.ctx))
	return ""
}

// run runs kubectl.
func (s *session) run(words []string) string {
	cmd := exec.CommandContext(s.ctx, s.kubectl, local(words)...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+s.kubeconfig)
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.Fatalf("kubectl %s: %v\n%s", strings.Join(words, " "), err, out)
	}
	return string(out)
}

// podsIn are the pods of a file, which has no other objects.
func (s *session) podsIn(file string) (list []*corev1.Pod) {
	text, err := os.ReadFile(local([]string{file})[0])
	s.must(err)
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		pod := &corev1.Pod{}
		s.must(yaml.UnmarshalStrict([]byte(document), pod))
		if pod.Kind != "Pod" {
			s.Fatalf("%s: expected pods, found the kind %q", file, pod.Kind)
		}
		list = append(list, pod)
	}
	return list
}

func (s *session) apply(args []string) (out string) {
	for _, pod := range s.podsIn(args[0]) {
		_, err := s.admin.CoreV1().Pods(metav1.NamespaceDefault).Create(s.ctx, pod, metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
		s.must(err)
		out += "pod/" + pod.Name + " created\n"
	}
	return out
}

func (s *session) remove(args []string) (out string) {
	for _, pod := range s.podsIn(args[0]) {
		s.must(s.admin.CoreV1().Pods(metav1.NamespaceDefault).Delete(s.ctx, pod.Name, metav1.DeleteOptions{}))
		s.awaits("waiting until pod "+pod.Name+" is gone", func() string {
			if _, err := s.admin.CoreV1().Pods(metav1.NamespaceDefault).Get(s.ctx, pod.Name, getNow); err == nil {
				return "it is still there"
			}
			return ""
		})
		out += "pod " + pod.Name + " deleted\n"
	}
	return out
}

// wait waits for --for=condition=TYPE of pod/NAME.
func (s *session) wait(args []string) string {
	condition, isCondition := strings.CutPrefix(args[0], "--for=condition=")
	name, isPod := strings.CutPrefix(args[1], "pod/")
	if !isCondition || !isPod || len(args) != 2 {
		s.Fatalf("kubectl wait %v: expected --for=condition=TYPE and pod/NAME", args)
	}
	s.awaits("waiting for the condition "+condition+" of pod "+name, func() string {
		pod, err := s.admin.CoreV1().Pods(metav1.NamespaceDefault).Get(s.ctx, name, getNow)
		if err != nil {
			return err.Error()
		}
		if !slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
			return string(c.Type) == condition && c.Status == corev1.ConditionTrue
		}) {
			return said(pod)
		}
		return ""
	})
	return "pod/" + name + " condition met\n"
}

// describe shows the condition and the events of a pod that waits.
func (s *session) describe(args []string) string {
	message := s.waits(args[0], corev1.PodReasonUnschedulable, "FailedScheduling")
	return "FailedScheduling " + message + "\n"
}

// saysWhy checks the sentence that the page quotes. The event may come after the pod was described.
func (s *session) saysWhy(described string) {
	const why = "It can never run with the current queues and nodes: it needs 1,000 vcore, the largest node has 4."
	page, err := os.ReadFile(repository + "docs/kubernetes/overview.md")
	s.must(err)
	if !strings.Contains(strings.ReplaceAll(string(page), "\n", " "), why) {
		s.Errorf("the page does not have %q", why)
	}
	if message := s.waits("too-large", corev1.PodReasonUnschedulable, "FailedScheduling"); !strings.HasPrefix(message, why) {
		s.Errorf("expected %q, found %q; described as %s", why, message, described)
	}
}
