package oracle

// maySubmit reports whether the user may submit to the queue: the user, or one of the groups, is on an access list of the queue or an
// ancestor. If no queue of the partition has a list, all users may.
func (p *partition) maySubmit(q *queue, user string, groups []string) bool {
	if !p.settings.AccessControl {
		return true
	}
	for _, at := range q.chain() {
		if at.settings.SubmitACL.Allows(user, groups) || at.settings.AdminACL.Allows(user, groups) {
			return true
		}
	}
	return false
}
