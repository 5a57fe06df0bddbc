package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// nodeOfYuniKorn is the part of a node of /ws/v1 that the cluster tells.
type nodeOfYuniKorn struct {
	NodeID             string `json:"nodeID"`
	Schedulable        bool   `json:"schedulable"`
	ForeignAllocations []struct {
		AllocationKey string `json:"allocationKey"`
	} `json:"foreignAllocations"`
	Allocations []struct {
		AllocationTags map[string]string `json:"allocationTags"`
	} `json:"allocations"`
}

func TestYuniKornInterface_OnAControlPlane(t *testing.T) {
	p := newPlane(t, 1)
	foreign := podOf("other", "foreign", "", "1")
	foreign.Spec.SchedulerName, foreign.Spec.NodeName = "other", "node-0"
	_, err := p.admin.CoreV1().Pods(metav1.NamespaceDefault).Create(p.ctx, foreign, metav1.CreateOptions{})
	p.must(err)
	kubeconfig, err := p.Kubeconfig("yunikorn", p.Admin())
	p.must(err)
	address := p.freeAddress()
	p.must(p.program("yunikorn", "kube", "--config="+p.file("queues.yaml", twoQueues), "--leader-elect=false", "--kubeconfig="+kubeconfig, "--http="+address, "--grpc=127.0.0.1:0").Start(p.ctx))
	p.create("ours", 1, "root.batch", "1")
	p.bound("default", "applicationId=ours", 1)
	_, err = p.admin.CoreV1().Nodes().Patch(p.ctx, "node-0", types.MergePatchType, []byte(`{"spec":{"unschedulable":true}}`), metav1.PatchOptions{})
	p.must(err)
	p.awaits("waiting for the node in /ws/v1", func() string {
		var list []nodeOfYuniKorn
		answer, err := http.Get("http://" + address + "/ws/v1/partition/default/nodes")
		if err != nil {
			return err.Error()
		}
		defer answer.Body.Close()
		if err := json.NewDecoder(answer.Body).Decode(&list); err != nil {
			return err.Error()
		}
		if len(list) != 1 || list[0].Schedulable || len(list[0].ForeignAllocations) != 1 || list[0].ForeignAllocations[0].AllocationKey != "default/foreign" ||
			len(list[0].Allocations) != 1 || list[0].Allocations[0].AllocationTags["kubernetes.io/meta/podName"] != "ours-0" {
			return fmt.Sprintf("found %+v", list)
		}
		return ""
	})
}
