package clustertest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"k8s.io/client-go/rest"
)

const loopback = "127.0.0.1"

func address(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }

// freePorts finds ports that are free at present.
func freePorts(count int) (ports []int, err error) {
	for range count {
		l, listenErr := net.Listen("tcp", address(0))
		if listenErr != nil {
			return nil, listenErr
		}
		defer func() { err = errors.Join(err, l.Close()) }() // only at the end, so that all ports differ
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// attempt is how long one question whether a program is ready may take.
const attempt = 5 * time.Second

// answersOK returns a check that GET of a URL, with the credentials of a configuration, answers 200.
func answersOK(config *rest.Config, url string) (func(context.Context) error, error) {
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, attempt)
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		answer, err := client.Do(request)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err == nil && answer.StatusCode != http.StatusOK {
			err = fmt.Errorf("%s answers %s: %s", url, answer.Status, body)
		}
		return err
	}, nil
}
