package clustertest

import (
	"path/filepath"
	"strconv"
	"strings"

	"k8s.io/client-go/rest"
)

// define sets the processes of a cluster up: their ports, arguments and checks. It starts none.
func (c *Cluster) define(programs string) error {
	ports, err := freePorts(6)
	if err != nil {
		return err
	}
	etcd, peer, api, manager, scheduler, kwok := ports[0], ports[1], ports[2], ports[3], ports[4], ports[5]
	c.server = "https://" + address(api)
	var kubeconfigs [3]string
	for i, user := range []string{userAdmin, userControllerManager, userScheduler} {
		if kubeconfigs[i], err = c.credentials.kubeconfig(c.server, user); err != nil {
			return err
		}
	}
	audit, err := c.auditArgs()
	if err != nil {
		return err
	}
	plain, anonymous := &rest.Config{}, c.credentials.config("", "")
	for _, p := range []struct {
		process **Process
		name    string
		port    int
		args    []string
		config  *rest.Config
		url     string
	}{
		{&c.Etcd, "etcd", etcd, c.etcdArgs(etcd, peer), plain, "http://" + address(etcd) + "/health"},
		{&c.APIServer, "kube-apiserver", api, append(c.apiServerArgs(api, etcd), audit...), c.Admin(), c.server + "/readyz"},
		{&c.ControllerManager, "kube-controller-manager", manager, c.managerArgs(manager, kubeconfigs[1]), anonymous, "https://" + address(manager) + "/healthz"},
		{&c.Scheduler, "kube-scheduler", scheduler, c.schedulerArgs(scheduler, kubeconfigs[2]), anonymous, "https://" + address(scheduler) + "/healthz"},
		{&c.Kwok, "kwok", kwok, kwokArgs(kwok, kubeconfigs[0], filepath.Join(programs, "stages")), plain, "http://" + address(kwok) + "/healthz"},
	} {
		ready, err := answersOK(p.config, p.url)
		if err != nil {
			return err
		}
		*p.process = &Process{name: p.name, program: filepath.Join(programs, p.name), args: p.args, port: p.port,
			logFile: filepath.Join(c.folder, p.name+".log"), ready: ready}
	}
	return nil
}

func (c *Cluster) etcdArgs(port, peer int) []string {
	client, peerURL := "http://"+address(port), "http://"+address(peer)
	return []string{
		"--name=test", "--data-dir=" + filepath.Join(c.folder, "etcd"), "--log-level=warn",
		"--listen-client-urls=" + client, "--advertise-client-urls=" + client,
		"--listen-peer-urls=" + peerURL, "--initial-advertise-peer-urls=" + peerURL, "--initial-cluster=test=" + peerURL,
	}
}

// serving are the arguments that all programs of Kubernetes take for their port.
func (c *Cluster) serving(port int) []string {
	return []string{
		"--bind-address=" + loopback, "--secure-port=" + strconv.Itoa(port),
		"--tls-cert-file=" + c.credentials.file(fileCertificate), "--tls-private-key-file=" + c.credentials.file(fileKey),
	}
}

func (c *Cluster) apiServerArgs(port, etcd int) []string {
	serviceAccountKey := c.credentials.file(fileServiceAccountKey)
	return append(c.serving(port),
		"--etcd-servers=http://"+address(etcd),
		"--advertise-address="+loopback, "--endpoint-reconciler-type=none", // loopback may not be an endpoint
		"--service-cluster-ip-range=10.0.0.0/24",
		"--token-auth-file="+c.credentials.file(fileTokens), "--authorization-mode=RBAC",
		"--service-account-issuer="+c.server,
		"--service-account-key-file="+serviceAccountKey, "--service-account-signing-key-file="+serviceAccountKey,
		"--allow-privileged",
	)
}

// fast keeps a program from limiting its own requests, which would hide what the API server can do.
var fast = []string{"--kube-api-qps=5000", "--kube-api-burst=10000"}

// client are the arguments that the clients among the programs of Kubernetes take.
func client(kubeconfig string) []string {
	return append([]string{
		"--kubeconfig=" + kubeconfig, "--authentication-kubeconfig=" + kubeconfig, "--authorization-kubeconfig=" + kubeconfig,
		"--leader-elect=false",
	}, fast...)
}

func (c *Cluster) managerArgs(port int, kubeconfig string) []string {
	return append(append(c.serving(port), client(kubeconfig)...),
		"--use-service-account-credentials",
		"--service-account-private-key-file="+c.credentials.file(fileServiceAccountKey),
		"--root-ca-file="+c.credentials.file(fileCertificate),
		"--node-monitor-period=1s", "--node-eviction-rate=10", // pods of a lost node are evicted soon, also those of the next
	)
}

func (c *Cluster) schedulerArgs(port int, kubeconfig string) []string {
	return append(c.serving(port), client(kubeconfig)...)
}

// stages are kwok's files of what nodes and pods do: become ready, send heartbeats, run, complete (pods of jobs), end.
var stages = []string{"node-initialize", "node-heartbeat-with-lease", "pod-ready", "pod-complete", "pod-delete"}

func kwokArgs(port int, kubeconfig, folder string) []string {
	files := make([]string, len(stages))
	for i, stage := range stages {
		files[i] = filepath.Join(folder, stage+".yaml")
	}
	return []string{
		"--kubeconfig=" + kubeconfig, "--manage-all-nodes", "--node-ip=" + loopback, "--cidr=10.1.0.0/16",
		"--server-address=" + address(port), "--config=" + strings.Join(files, ","), "--disregard-status-with-label-selector=" + lost,
	}
}
