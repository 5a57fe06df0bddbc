package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
)

// requestTimeout bounds one look at the Secret and the configurations.
const requestTimeout = 10 * time.Second

// sync brings the certificates up to date: in the Secret, in this server, and in the webhook configurations. It logs its error.
func (s *Server) sync(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	var c *certificates
	err := retry.OnError(retry.DefaultBackoff, contended, func() (err error) {
		c, err = s.agree(ctx)
		return err
	})
	if err != nil {
		err = fmt.Errorf("secret %s/%s: %w", s.Namespace, s.Secret, err)
	} else {
		s.certificate.Store(c.tls())
		err = errors.Join(s.trustMutating(ctx, c.bundle()), s.trustValidating(ctx, c.bundle()))
	}
	if err != nil && ctx.Err() == nil {
		s.Log.Error("the certificates of the admission webhook are not up to date", "error", err)
	}
	return err
}

// contended reports whether another replica was faster.
func contended(err error) bool { return apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) }

// agree returns the certificates that all replicas use, renewed if it is time. A write that conflicts with that of another replica fails.
func (s *Server) agree(ctx context.Context) (*certificates, error) {
	secrets := s.Client.CoreV1().Secrets(s.Namespace)
	secret, err := secrets.Get(ctx, s.Secret, metav1.GetOptions{})
	missing := apierrors.IsNotFound(err)
	if err != nil && !missing {
		return nil, err
	}
	if missing {
		secret = &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace, Name: s.Secret}}
	}
	current, err := readCertificates(secret.Data)
	if err != nil {
		s.Log.Error("the Secret cannot be read; its certificates are replaced", "secret", s.Namespace+"/"+s.Secret, "error", err)
		current = &certificates{}
	}
	next, changed, err := current.next(s.now(), s.Names, s.lifetimes)
	if err != nil || !changed {
		return next, err
	}
	secret = secret.DeepCopy()
	if secret.Data, err = next.data(); err != nil {
		return nil, err
	}
	if missing {
		_, err = secrets.Create(ctx, secret, metav1.CreateOptions{})
	} else {
		_, err = secrets.Update(ctx, secret, metav1.UpdateOptions{})
	}
	if err == nil {
		s.Log.Info("certificates renewed", "secret", s.Namespace+"/"+s.Secret, "serving until", next.serving.certificate.NotAfter, "authorities", len(next.authorities))
	}
	return next, err
}

// trustMutating has API servers trust the authorities when they call the mutating webhooks.
func (s *Server) trustMutating(ctx context.Context, bundle []byte) error {
	if s.Mutating == "" {
		return nil
	}
	configurations := s.Client.AdmissionregistrationV1().MutatingWebhookConfigurations()
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		c, err := configurations.Get(ctx, s.Mutating, metav1.GetOptions{})
		if err != nil {
			return err
		}
		clients := make([]*admissionregistrationv1.WebhookClientConfig, len(c.Webhooks))
		for n := range c.Webhooks {
			clients[n] = &c.Webhooks[n].ClientConfig
		}
		if trust(clients, bundle) {
			_, err = configurations.Update(ctx, c, metav1.UpdateOptions{})
		}
		return err
	})
	return wrap("MutatingWebhookConfiguration", s.Mutating, err)
}

// trustValidating is trustMutating for the validating webhooks.
func (s *Server) trustValidating(ctx context.Context, bundle []byte) error {
	if s.Validating == "" {
		return nil
	}
	configurations := s.Client.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		c, err := configurations.Get(ctx, s.Validating, metav1.GetOptions{})
		if err != nil {
			return err
		}
		clients := make([]*admissionregistrationv1.WebhookClientConfig, len(c.Webhooks))
		for n := range c.Webhooks {
			clients[n] = &c.Webhooks[n].ClientConfig
		}
		if trust(clients, bundle) {
			_, err = configurations.Update(ctx, c, metav1.UpdateOptions{})
		}
		return err
	})
	return wrap("ValidatingWebhookConfiguration", s.Validating, err)
}

// trust sets the authorities, and reports whether that changed anything.
func trust(clients []*admissionregistrationv1.WebhookClientConfig, bundle []byte) (changed bool) {
	for _, c := range clients {
		if !bytes.Equal(c.CABundle, bundle) {
			c.CABundle, changed = bundle, true
		}
	}
	return changed
}

func wrap(kind, name string, err error) error {
	if err != nil {
		return fmt.Errorf("%s %s: %w", kind, name, err)
	}
	return nil
}
