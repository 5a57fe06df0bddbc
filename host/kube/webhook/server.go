package webhook

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	schedulinglisters "k8s.io/client-go/listers/scheduling/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/quern-project/quern/host/kube/retry"
)

// Options of a Server.
type Options struct {
	Client   kubernetes.Interface
	Listener net.Listener // closed by Run
	Rules    Rules
	Queues   Queues

	Namespace, Secret string   // of the certificates; the Secret is created if it is missing
	Names             []string // by which API servers call the server: DNS names, such as quern-webhook.quern.svc, and IP addresses
	Mutating          string   // name of the MutatingWebhookConfiguration that gets the authorities; empty: none
	Validating        string   // name of the ValidatingWebhookConfiguration; empty: none
	Log               *slog.Logger
}

// Server is one replica of the webhook.
type Server struct {
	Options
	certificate atomic.Pointer[tls.Certificate] // nil until it was read or made
	factory     informers.SharedInformerFactory
	informed    []cache.InformerSynced
	namespaces  corelisters.NamespaceLister
	classes     schedulinglisters.PriorityClassLister
	lifetimes   lifetimes
	checkEvery  time.Duration // between two looks at the Secret and the webhook configurations
	now         func() time.Time
	reviews     chan struct{} // has a value for each review that is decoded and decided
}

const (
	usualCheck = 10 * time.Second // Server.checkEvery
	retryEvery = time.Second      // after a failed look
	stopWithin = 5 * time.Second  // for answers that are being made when the server stops
)

// New checks the options, and sends no request.
func New(o Options) (*Server, error) {
	if o.Client == nil || o.Listener == nil || o.Namespace == "" || o.Secret == "" || len(o.Names) == 0 {
		return nil, errors.New("admission webhook: expected a client, a listener, the namespace and name of a Secret, and the names of the server")
	}
	if err := o.Rules.check(); err != nil {
		return nil, fmt.Errorf("admission webhook: %w", err)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	factory := informers.NewSharedInformerFactory(o.Client, 0)
	namespaces, classes := factory.Core().V1().Namespaces(), factory.Scheduling().V1().PriorityClasses()
	informed := []cache.InformerSynced{namespaces.Informer().HasSynced, classes.Informer().HasSynced}
	return &Server{Options: o, factory: factory, informed: informed, namespaces: namespaces.Lister(), classes: classes.Lister(),
		lifetimes: usualLifetimes, checkEvery: usualCheck, now: time.Now, reviews: make(chan struct{}, reviewsAtOnce)}, nil
}

// Run serves until ctx ends, and returns nil then. It begins once the certificates are there and the namespaces and priority classes are known.
func (s *Server) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer s.factory.Shutdown()
	defer cancel()
	defer s.Listener.Close() // if it was not served; otherwise it is closed already
	s.factory.Start(ctx.Done())
	for s.sync(ctx) != nil && s.certificate.Load() == nil {
		if !retry.Wait(ctx, retryEvery) {
			return nil
		}
	}
	if !cache.WaitForCacheSync(ctx.Done(), s.informed...) {
		return nil
	}
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	group.Go(func() { s.watch(ctx) })
	return s.serve(ctx)
}

// watch looks after the certificates until ctx ends.
func (s *Server) watch(ctx context.Context) {
	wait := s.checkEvery
	for retry.Wait(ctx, wait) {
		if wait = s.checkEvery; s.sync(ctx) != nil {
			wait = retryEvery
		}
	}
}

func (s *Server) serve(ctx context.Context) error {
	server := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 20 * time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS13, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return s.certificate.Load(), nil }},
	}
	ended := make(chan error, 1)
	go func() { ended <- server.ServeTLS(s.Listener, "", "") }()
	select {
	case err := <-ended:
		return fmt.Errorf("admission webhook: %w", err)
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	if err := server.Shutdown(stopping); err != nil {
		_ = server.Close() // the answers that take longer are lost
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("admission webhook: %w", err)
	}
	return nil
}
