package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// process is a replica of the program.
type process struct {
	cmd    *exec.Cmd
	log    *tail
	health string // its address
	ended  chan struct{}
}

// tail keeps what a process has written.
type tail struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *tail) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// listens is what the program says of the address that it has chosen.
var listens = regexp.MustCompile(`health[^\n]*?(127\.0\.0\.1:[1-9]\d*)`)

// start starts a replica, and waits until it says where its health is asked.
func (w *world) start(ctx context.Context, flags ...string) error {
	all := append([]string{"kube", "--kubeconfig", w.kubeconfig(), "--config", w.queues(), "--http", "127.0.0.1:0", "--grpc", "127.0.0.1:0", "--health", "127.0.0.1:0"}, flags...)
	p := &process{cmd: exec.Command(os.Args[0], all...), log: &tail{}, ended: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), asProgram+"=yes", "GOCOVERDIR=")
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	if err := p.cmd.Start(); err != nil {
		return err
	}
	go func() {
		_ = p.cmd.Wait() // it is killed
		close(p.ended)
	}()
	w.programs = append(w.programs, p)
	return eventually(ctx, patience, func() error {
		found := listens.FindStringSubmatch(p.log.String())
		if found == nil {
			return fmt.Errorf("Quern does not say where its health is asked:\n%s", p.log)
		}
		p.health = found[1]
		return nil
	})
}

// ready asks whether a replica schedules.
func (p *process) ready(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.health+path, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s is answered with %s", path, answer.Status)
	}
	return nil
}

func (w *world) run(ctx context.Context) error { return w.start(ctx, "--leader-elect=false") }

func (w *world) leads(ctx context.Context, seconds int) error {
	err := w.start(ctx, "--lease-duration", fmt.Sprintf("%ds", seconds))
	if err != nil {
		return err
	}
	return eventually(ctx, patience, func() error { return w.holds(ctx) })
}

// holds reports whether somebody holds the lease.
func (w *world) holds(ctx context.Context) error {
	lease, err := w.client.CoordinationV1().Leases("kube-system").Get(ctx, "quern", getNow)
	if err == nil && (lease.Spec.HolderIdentity == nil || *lease.Spec.HolderIdentity == "") {
		err = errors.New("nobody holds the lease")
	}
	return err
}

func (w *world) standsBy(ctx context.Context) error {
	if err := w.start(ctx, "--lease-duration", "3s"); err != nil {
		return err
	}
	return eventually(ctx, patience, func() error { return w.programs[1].ready(ctx, "/healthz") })
}

func (w *world) killLeader() error { return w.programs[0].kill() }

// kill ends all replicas as `kill -9` does.
func (w *world) kill() (err error) {
	for _, p := range w.programs {
		err = errors.Join(err, p.kill())
	}
	w.programs = nil
	return err
}

func (p *process) kill() error {
	err := p.cmd.Process.Kill()
	<-p.ended
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// logs are the ends of the logs of all replicas.
func (w *world) logs() string {
	var all strings.Builder
	for _, p := range w.programs {
		text := p.log.String()
		all.WriteString(text[max(0, len(text)-4000):])
	}
	return all.String()
}

// writeKubeconfig writes a configuration for kubectl and the like.
func writeKubeconfig(file string, config *rest.Config) error {
	const name = "test"
	k := clientcmdapi.NewConfig()
	k.Clusters[name] = &clientcmdapi.Cluster{Server: config.Host, CertificateAuthorityData: config.CAData}
	k.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: config.BearerToken}
	k.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	k.CurrentContext = name
	return clientcmd.WriteToFile(*k, file)
}
