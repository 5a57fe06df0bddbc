package clustertest

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
)

// Users of the token file. RBAC gives the last two the rights that the names have in every cluster.
const (
	userAdmin             = "admin"
	userControllerManager = "system:kube-controller-manager"
	userScheduler         = "system:kube-scheduler"
)

// A credentials is what the programs of one cluster know one another by, made for that cluster alone.
type credentials struct {
	folder    string
	authority []byte            // PEM: what clients trust
	tokens    map[string]string // by user
}

// Files of credentials, in their folder.
const (
	fileCertificate       = "server.crt"
	fileKey               = "server.key"
	fileServiceAccountKey = "service-account.key"
	fileTokens            = "tokens.csv"
)

// newCredentials makes a certificate for the loopback address, the key of the service accounts, and a token per user.
func newCredentials(folder string) (*credentials, error) {
	certificate, key, err := cert.GenerateSelfSignedCertKey(loopback, []net.IP{net.ParseIP(loopback)}, []string{"localhost"})
	if err != nil {
		return nil, err
	}
	serviceAccountKey, err := keyutil.MakeEllipticPrivateKeyPEM()
	if err != nil {
		return nil, err
	}
	c := &credentials{folder: folder, authority: certificate, tokens: map[string]string{}}
	var lines []byte
	for _, user := range []string{userAdmin, userControllerManager, userScheduler} {
		group := "system:authenticated"
		if user == userAdmin {
			group = "system:masters"
		}
		c.tokens[user] = rand.Text()
		lines = fmt.Appendf(lines, "%s,%s,%s,%s\n", c.tokens[user], user, user, group)
	}
	for name, content := range map[string][]byte{
		fileCertificate: certificate, fileKey: key, fileServiceAccountKey: serviceAccountKey, fileTokens: lines,
	} {
		if err := os.WriteFile(c.file(name), content, 0o600); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *credentials) file(name string) string { return filepath.Join(c.folder, name) }

// config returns how a client reaches an API server with a token. The client does not limit its own rate.
func (c *credentials) config(server, token string) *rest.Config {
	return &rest.Config{Host: server, BearerToken: token, TLSClientConfig: rest.TLSClientConfig{CAData: c.authority}, QPS: -1}
}

// kubeconfig writes the file that lets a program reach an API server as a user, and returns its name.
func (c *credentials) kubeconfig(server, user string) (string, error) {
	return c.write(user, server, c.tokens[user])
}

// write writes such a file for a token.
func (c *credentials) write(user, server, token string) (string, error) {
	const name = "test"
	config := clientcmdapi.NewConfig()
	config.Clusters[name] = &clientcmdapi.Cluster{Server: server, CertificateAuthorityData: c.authority}
	config.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: token}
	config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	config.CurrentContext = name
	file := c.file(user + ".kubeconfig")
	return file, clientcmd.WriteToFile(*config, file)
}
