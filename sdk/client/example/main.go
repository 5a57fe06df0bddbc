// Command example sends a node, an application and an ask to a live scheduler, and waits until the ask has its node:
//
//	quern serve --ephemeral &
//	go run ./sdk/client/example
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
	"github.com/quern-project/quern/sdk/client"
)

func main() {
	server := flag.String("server", "127.0.0.1:9081", "the `ADDRESS` of the host")
	flag.Parse()
	if err := run(context.Background(), *server); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, address string) (err error) {
	c, err := client.New(address, client.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	given, err := c.Submit(ctx,
		&quernv1.Input{Input: &quernv1.Input_NodeAdd{NodeAdd: &quernv1.NodeAdd{Id: "n1", Capacity: cores(8)}}},
		&quernv1.Input{Input: &quernv1.Input_AppAdd{AppAdd: &quernv1.AppAdd{Id: "train", Queue: "root.default"}}},
		&quernv1.Input{Input: &quernv1.Input_AskAdd{AskAdd: &quernv1.AskAdd{Id: "w1", App: "train", Resources: cores(2)}}})
	if err != nil {
		return err
	}
	from := given.GetDecisions()[0].GetSeq()
	for d, err := range c.Watch(ctx, &quernv1.WatchRequest{From: from, Type: "allocation"}) {
		if err != nil {
			return err
		}
		fmt.Println(d.GetId(), "runs on", d.GetNode())
		break
	}
	return nil
}

func cores(n int64) *quernv1.Resources {
	return &quernv1.Resources{Amounts: map[string]int64{"vcore": 1000 * n}}
}
