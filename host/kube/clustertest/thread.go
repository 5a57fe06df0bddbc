package clustertest

import (
	"runtime"
	"sync"
)

// starts are functions for the lasting thread.
var starts = sync.OnceValue(func() chan<- func() {
	calls := make(chan func())
	go func() {
		runtime.LockOSThread()
		for call := range calls {
			call()
		}
	}()
	return calls
})

// onLastingThread runs a function on a thread that lives as long as the test binary. The kernel kills children when the
// thread that started them ends (attributes), and Go ends threads when it likes.
func onLastingThread(start func() error) error {
	result := make(chan error)
	starts() <- func() { result <- start() }
	return <-result
}
