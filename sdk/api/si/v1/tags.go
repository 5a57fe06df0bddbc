package siv1

// Names of tags of allocations that have a meaning.
const (
	TagCreationTime = "creationTime" // seconds since the Unix epoch
	TagRequiredNode = "requiredNode"
	TagForeign      = "foreign" // of an allocation that no application has: static, or default
)

// tagDomains may stand before the name of a tag. The labels and annotations of pods, which stand below kubernetes.io/ too, are of users, and say
// nothing to a scheduler.
var tagDomains = [...]string{"yunikorn.apache.org/", "kubernetes.io/meta/", ""}

// Tag returns the value of a tag, with or without a domain before its name.
func (x *Allocation) Tag(name string) string {
	for _, domain := range tagDomains {
		if value := x.GetAllocationTags()[domain+name]; value != "" {
			return value
		}
	}
	return ""
}
