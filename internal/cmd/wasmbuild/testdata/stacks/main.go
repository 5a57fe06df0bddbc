//go:build wasip1

// Command stacks does what needs the runtime's tables of functions: it grows stacks, collects garbage below deep ones,
// recovers, switches between goroutines, and prints the stack of a panic.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

func main() {}

//go:wasmexport run
func run() {
	fmt.Println("deep", deep(20_000, &list{}))
	fmt.Println("recovered", recovered(), nested())
	fmt.Println("goroutines", workers())
	defer func() {
		problem := recover()
		fmt.Fprintln(os.Stderr, problem)
		_, _ = os.Stderr.Write(debug.Stack())
	}()
	sorted([]int{3, 1, 2})
}

type list struct {
	next *list
	text string
}

// deep keeps a list of its callers alive by its frames alone, while the collector runs and the stack moves.
func deep(n int, l *list) int {
	if n == 0 {
		runtime.GC()
		return 0
	}
	here := &list{next: l, text: strings.Repeat("x", n%7)}
	if n%5_000 == 0 {
		runtime.GC()
	}
	return deep(n-1, here) + len(here.text) + len(here.next.text)
}

var errOne = errors.New("one")

func recovered() (err error) {
	defer func() { err = fmt.Errorf("two: %w", recover().(error)) }()
	for i := range 3 {
		defer func() {
			if i == 1 {
				panic(recover())
			}
		}()
	}
	panic(errOne)
}

// nested recovers in a function that a deferred one calls, which does not count.
func nested() (text string) {
	defer func() { text += fmt.Sprint(recover()) }()
	defer func() { func() { text = fmt.Sprint(recover()) + " " }() }()
	var none []int
	return fmt.Sprint(none[len(text)])
}

func workers() int {
	numbers, done := make(chan int), make(chan int)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for n := range numbers {
				done <- deep(n, &list{})
			}
		})
	}
	go func() {
		for n := range 100 {
			numbers <- n * 10
		}
		close(numbers)
		group.Wait()
		close(done)
	}()
	total := 0
	for n := range done {
		total += n
	}
	return total
}

func sorted(numbers []int) {
	slices.SortFunc(numbers, func(a, b int) int { return compare(a, b) })
}

// compare is inlined into its caller.
func compare(a, b int) int { return a / (b - b) }
