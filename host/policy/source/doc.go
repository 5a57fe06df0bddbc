// Package source puts the files of policy modules from elsewhere into the folder that package policies watches. Where they come from
// is the matter of others: host/policy/source/oci pulls them from registries, and host/kube/policymaps takes them from ConfigMaps.
//
// Each source has a Folder. It remembers in a hidden file which files are its own, also after a restart: it replaces and removes those, and
// refuses to touch any other.
package source
