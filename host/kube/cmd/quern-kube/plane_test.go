package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/quern-project/quern/host/kube/clustertest"
	"github.com/quern-project/quern/internal/await"
)

// asProgram is the variable that makes the test binary the program.
const asProgram = "QUERN_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// plane is a control plane with nodes, beside which the program runs in processes of its own.
type plane struct {
	testing.TB
	*clustertest.Cluster
	admin *kubernetes.Clientset
	ctx   context.Context
	dir   string // of files
}

// longest bounds a test on a machine that has much else to do.
const longest = 5 * time.Minute

// nodeCapacity is what each node of a plane has.
var nodeCapacity = corev1.ResourceList{
	corev1.ResourceCPU: resource.MustParse("4"), corev1.ResourceMemory: resource.MustParse("16Gi"), corev1.ResourcePods: resource.MustParse("110"),
}

func newPlane(t testing.TB, nodes int) *plane {
	t.Helper()
	p := &plane{TB: t, Cluster: clustertest.New(t), dir: t.TempDir()}
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	t.Cleanup(cancel)
	p.ctx = ctx
	config := p.Admin()
	config.ContentType = "application/vnd.kubernetes.protobuf"
	var err error
	p.admin, err = kubernetes.NewForConfig(config)
	p.must(err)
	p.must(p.Kwok.Start(ctx))
	p.must(p.AddNodes(ctx, "node", nodes, nodeCapacity))
	return p
}

func (p *plane) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// program returns the program with arguments, as a process that is not started.
func (p *plane) program(name string, args ...string) *clustertest.Process {
	p.Helper()
	self, err := os.Executable()
	p.must(err)
	env := []string{asProgram + "=yes", "XDG_CACHE_HOME=" + filepath.Join(p.dir, "cache"), "XDG_CONFIG_HOME=" + filepath.Join(p.dir, "config")}
	return p.Program(name, self, env, args...)
}

// file writes a file, and returns its name.
func (p *plane) file(name, content string) string {
	p.Helper()
	path := filepath.Join(p.dir, name)
	p.must(os.MkdirAll(filepath.Dir(path), 0o700))
	p.must(os.WriteFile(path, []byte(content), 0o600))
	return path
}

// awaits tries until there is no complaint.
func (p *plane) awaits(what string, complaint func() string) {
	p.Helper()
	wrong := ""
	for range await.Each(p.ctx, 50*time.Millisecond) {
		if wrong = complaint(); wrong == "" {
			return
		}
	}
	p.Fatalf("%s: %s", what, wrong)
}

// bound waits until so many pods of a namespace that a selector takes are on nodes, and returns them.
func (p *plane) bound(namespace, selector string, count int) (all []corev1.Pod) {
	p.Helper()
	p.awaits("waiting for pods "+selector, func() string {
		list, err := p.admin.CoreV1().Pods(namespace).List(p.ctx, metav1.ListOptions{LabelSelector: selector})
		if err != nil {
			return err.Error()
		}
		all = slices.DeleteFunc(list.Items, func(pod corev1.Pod) bool { return pod.Spec.NodeName == "" })
		if len(all) < count {
			return fmt.Sprintf("%d of %d are bound", len(all), count)
		}
		return ""
	})
	return all
}

// freeAddress is one on the loopback interface that nobody listens on at present.
func (p *plane) freeAddress() string {
	p.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	p.must(err)
	defer l.Close()
	return l.Addr().String()
}

// The files of an installation.
const manifests = "../../../../docs/operate/kubernetes/"

// installed creates the accounts and rights of a file of manifests, and returns the arguments of its containers.
func (p *plane) installed(name string) (args []string, granted []clustertest.Right) {
	p.Helper()
	text, err := os.ReadFile(manifests + name)
	p.must(err)
	p.namespace("quern")
	for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
		var meta metav1.TypeMeta
		p.must(yaml.Unmarshal(document, &meta))
		if meta.Kind == "Deployment" {
			var d appsv1.Deployment
			p.must(yaml.UnmarshalStrict(document, &d))
			args = d.Spec.Template.Spec.Containers[0].Args
		}
		granted = append(granted, p.grant(meta.Kind, document)...)
	}
	return args, granted
}

// grant creates an object that has to do with rights, and returns those that it has; others are left out.
func (p *plane) grant(kind string, document []byte) (granted []clustertest.Right) {
	p.Helper()
	var err error
	var none metav1.CreateOptions
	read := func(into any) { p.must(yaml.UnmarshalStrict(document, into)) }
	switch kind {
	case "ServiceAccount":
		var o corev1.ServiceAccount
		read(&o)
		_, err = p.admin.CoreV1().ServiceAccounts(o.Namespace).Create(p.ctx, &o, none)
	case "Role":
		var o rbacv1.Role
		read(&o)
		granted = clustertest.RightsOf(o.Namespace, o.Rules)
		_, err = p.admin.RbacV1().Roles(o.Namespace).Create(p.ctx, &o, none)
	case "RoleBinding":
		var o rbacv1.RoleBinding
		read(&o)
		_, err = p.admin.RbacV1().RoleBindings(o.Namespace).Create(p.ctx, &o, none)
	case "ClusterRole":
		var o rbacv1.ClusterRole
		read(&o)
		granted = clustertest.RightsOf("", o.Rules)
		_, err = p.admin.RbacV1().ClusterRoles().Create(p.ctx, &o, none)
	case "ClusterRoleBinding":
		var o rbacv1.ClusterRoleBinding
		read(&o)
		_, err = p.admin.RbacV1().ClusterRoleBindings().Create(p.ctx, &o, none)
	}
	p.must(err)
	return granted
}

// namespace makes a namespace, and waits until pods can be created in it.
func (p *plane) namespace(name string) {
	p.Helper()
	_, err := p.admin.CoreV1().Namespaces().Create(p.ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	p.must(err)
	p.awaits("waiting for the service account of namespace "+name, func() string {
		if _, err := p.admin.CoreV1().ServiceAccounts(name).Get(p.ctx, "default", metav1.GetOptions{}); err != nil {
			return err.Error()
		}
		return ""
	})
}

// kubeconfig writes how a service account reaches the API server.
func (p *plane) kubeconfig(account string) string {
	p.Helper()
	config, err := p.ServiceAccount(p.ctx, "quern", account)
	p.must(err)
	file, err := p.Kubeconfig(account, config)
	p.must(err)
	return file
}

// replica is a scheduler as the manifests start it, with files and addresses of this machine.
func (p *plane) replica(name, kubeconfig, queues string, args []string) *clustertest.Process {
	p.Helper()
	dir := filepath.Join(p.dir, name)
	p.must(os.MkdirAll(filepath.Join(dir, "policies"), 0o700))
	local := []string{"kube"}
	for _, arg := range args[1:] {
		flag, value, _ := strings.Cut(arg, "=")
		switch flag {
		case "--config":
			value = queues
		case "--health":
			value = p.freeAddress()
		case "--policies":
			value = filepath.Join(dir, "policies")
		case "--lease-duration":
			value = "3s"
		}
		if value != "" {
			flag += "=" + value
		}
		local = append(local, flag)
	}
	return p.program(name, append(local, "--http=127.0.0.1:0", "--kubeconfig="+kubeconfig)...)
}
