package program

import (
	"os"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

const gangs = `{"type":"ask.add","id":"g1","app":"train","gang":"ring","gang_min":2,"resources":{"vcore":1}}
{"type":"ask.add","id":"g2","app":"train","gang":"ring","gang_min":2,"resources":{"vcore":1}}
{"type":"ask.add","id":"s1","app":"train","gang":"star","gang_min":3,"resources":{"vcore":1}}
`

func TestGet_GangsAsATableAndByName(t *testing.T) {
	withCluster(t)
	if err := os.WriteFile("gangs.jsonl", []byte(gangs), 0o600); err != nil {
		t.Fatal(err)
	}
	quern("", "submit", "gangs.jsonl").want(t, cli.Succeeded, "allocation", "")
	quern("", "get", "gangs").want(t, cli.Succeeded, "train/ring  whole     2 of 2        0\ntrain/star  waiting   0 of 3        1          gang-incomplete\n", "")
	quern("", "get", "gangs", "--state", "whole", "-o", "name").want(t, cli.Succeeded, "train/ring\n", "")
	quern("", "get", "gang", "train/ring", "-o", "json").want(t, cli.Succeeded, `"surplus": 0`, "")
	quern("", "get", "asks", "--gang", "star", "-o", "name").want(t, cli.Succeeded, "s1\n", "")
	quern("", "describe", "gang", "train/star").want(t, cli.Succeeded, "It belongs to gang star", "")
	quern("", "describe", "gang", "train/ring").want(t, cli.Succeeded, "of which 2 members run and 2 are needed", "")
	quern("", "get", "gang", "train/none").want(t, cli.Failed, "", `found no gang "none" of application "train"`)
	quern("", "get", "gangs", "--node", "n1").want(t, cli.BadInput, "", "--node: this list cannot be filtered by it")
	if found := completed(t, "get", "gang", ""); found != "train/ring train/star" {
		t.Errorf("found %q", found)
	}
}
