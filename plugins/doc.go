// Package plugins holds the policies that ship with Quern, one folder each, and tests that hold every language's version
// of a policy to the same bytes. build.sh makes them.
package plugins
