// Package main loads a live host, which is a process of its own with a record on disk, and says how it bears that.
//
// It is what `make soak` and `make readers` run. The first judges: a host that takes more and more memory, files or disk fails it. The second
// prints figures side by side, since machines differ.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	var quern, dir string
	var length time.Duration
	var requests float64
	var asks, count int
	flag.StringVar(&quern, "quern", "build/quern", "the `PROGRAM` that serves")
	flag.StringVar(&dir, "dir", "build/load", "keep the record, the log and profiles in `DIR`, which is emptied first")
	flag.DurationVar(&length, "for", 10*time.Minute, "go on for so `LONG`")
	flag.Float64Var(&requests, "requests", 200, "`REQUESTS` of inputs a second, of a soak")
	flag.IntVar(&asks, "asks", 10_000, "`ASKS` a second, beside readers")
	flag.IntVar(&count, "readers", 1000, "a `NUMBER` of readers")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: load [flags] soak|readers")
		flag.PrintDefaults()
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = 64 // else each request has a connection of its own
	err := os.RemoveAll(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	switch {
	case err != nil:
	case flag.Arg(0) == "soak" && flag.NArg() == 1:
		s := soak{quern: quern, dir: dir, length: length, requests: requests, out: os.Stdout}
		err = s.run(ctx)
	case flag.Arg(0) == "readers" && flag.NArg() == 1:
		r := readers{quern: quern, dir: dir, length: length, asks: asks, count: count, out: os.Stdout}
		err = r.run(ctx)
	default:
		flag.Usage()
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}
