package workload

import "fmt"

// team is a group of users of the demonstration's cluster, with the part of the cluster that it works in. The configurations
// say what its users and the team as a whole may use there.
type team struct {
	group string
	queue string // its namespace: all that it submits runs there or below
	users []string
	also  string // a second group, of the last third of its users; empty: none
}

// The teams. Each is one group; interns are researchers too.
func platform() team {
	return team{group: "platform", queue: "root.services", users: []string{"platform"}}
}
func etl() team { return team{group: "etl", queue: "root.data.etl", users: []string{"etl"}} }
func finance() team {
	return team{group: "finance", queue: "root.data.reports", users: []string{"finance"}}
}
func analysts() team {
	return team{group: "analysts", queue: "root.data.adhoc", users: numbered("analyst", 9)}
}
func students() team {
	return team{group: "students", queue: "root.sandbox.students", users: numbered("student", 20)}
}
func guests() team {
	return team{group: "guests", queue: "root.sandbox.trials", users: []string{"guest"}}
}
func partners() team {
	return team{group: "partners", queue: "root.partners", users: numbered("partner", 3)}
}
func researchers() team {
	return team{group: "researchers", queue: "root.research", users: numbered("researcher", 6), also: "interns"}
}

func numbered(name string, count int) []string {
	all := make([]string, count)
	for i := range all {
		all[i] = fmt.Sprintf("%s%d", name, i+1)
	}
	return all
}

// groups are those of a user by number.
func (t team) groups(user int) []string {
	if t.also != "" && user >= len(t.users)*2/3 {
		return []string{t.group, t.also}
	}
	return []string{t.group}
}
