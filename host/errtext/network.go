package errtext

import (
	"errors"
	"fmt"
	"net"
)

// networkReason returns the plain words for an error of the network.
func networkReason(err error) string {
	switch e := err.(type) {
	case *net.DNSError:
		return nameReason(e)
	case *net.AddrError:
		return fmt.Sprintf("%q is not a valid address: %s", e.Addr, e.Err)
	case *net.OpError:
		return operationReason(e)
	}
	return ""
}

// operationReason names the address of a connection that was not made; a host that was looked up has none yet.
func operationReason(e *net.OpError) string {
	var name *net.DNSError
	switch {
	case errors.As(e.Err, &name):
		return nameReason(name)
	case e.Op == "remote error":
		return alertReason(e.Err)
	case e.Op == "dial" && e.Timeout():
		return addressed(e, "the machine did not answer in time")
	case e.Timeout():
		return "the answer did not come in time"
	case e.Op == "dial" || e.Op == "listen":
		return addressed(e, inner(e.Err))
	}
	return inner(e.Err)
}

func addressed(e *net.OpError, text string) string {
	if e.Addr == nil {
		return text
	}
	return e.Addr.String() + ": " + text
}

func nameReason(e *net.DNSError) string {
	switch {
	case e.IsNotFound:
		return fmt.Sprintf("the name %q is unknown: no address was found for it", e.Name)
	case e.IsTimeout:
		return fmt.Sprintf("the name server did not answer in time for %q", e.Name)
	}
	return fmt.Sprintf("no address was found for %q: %s", e.Name, e.Err)
}
