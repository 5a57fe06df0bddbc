// Command process is the policy binpacking as a process.
package main

import (
	"github.com/quern-project/quern/plugins/binpacking"
	"github.com/quern-project/quern/sdk/goplugin"
)

func main() { goplugin.Serve(binpacking.Policy("binpacking-process")) }
