// Command process is the policy fair as a process.
package main

import (
	"github.com/quern-project/quern/plugins/fair"
	"github.com/quern-project/quern/sdk/goplugin"
)

func main() { goplugin.Serve(fair.Policy("fair-process")) }
