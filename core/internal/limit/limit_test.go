package limit

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/resource"
	_ "github.com/quern-project/quern/internal/seeded"
)

func amounts(vcore, memory int64) resource.Set {
	var set []resource.Quantity
	if vcore >= 0 {
		set = append(set, resource.Quantity{Type: "vcore", Value: vcore})
	}
	if memory >= 0 {
		set = append(set, resource.Quantity{Type: "memory", Value: memory})
	}
	return resource.NewSet(set...)
}

func knownTypes() *resource.Types {
	types := resource.NewTypes()
	types.Admit(amounts(0, 0))
	return types
}

func TestAUserHasTheEntryThatNamesHimElseThatOfAll(t *testing.T) {
	table := NewTable("root", []config.Limit{
		{Users: []string{"ann", "bob"}, MaxApplications: 1},
		{Users: []string{"*"}, MaxApplications: 2},
		{Groups: []string{"dev"}, MaxApplications: 3},
		{Groups: []string{"*"}, MaxApplications: 4},
	})
	r := NewRegistry(knownTypes())
	for _, tc := range []struct {
		user, group string
		bounds      []uint64
	}{
		{"ann", "", []uint64{1}}, {"eve", "", []uint64{2}}, {"", "dev", []uint64{2, 3}}, {"bob", "*", []uint64{1, 4}}, {"*", "qa", []uint64{2}},
	} {
		var found []uint64
		for tracker := range r.Join(Trackers{}, table, tc.user, tc.group).All {
			found = append(found, tracker.MaxApplications())
		}
		if !slices.Equal(found, tc.bounds) {
			t.Errorf("%q of %q: expected limits of %v applications, found %v", tc.user, tc.group, tc.bounds, found)
		}
	}
}

func TestTheGroupThatTheQueueNamesFirstIsChosen(t *testing.T) {
	named := NewTable("root", []config.Limit{{Groups: []string{"dev", "ops"}, MaxApplications: 1}, {Groups: []string{"qa"}, MaxApplications: 1}})
	all := NewTable("root", []config.Limit{{Groups: []string{"dev"}, MaxApplications: 1}, {Groups: []string{"*"}, MaxApplications: 1}})
	for _, tc := range []struct {
		table  Table
		groups []string
		chosen string
	}{
		{named, []string{"qa", "ops"}, "ops"}, {named, []string{"qa", "dev", "ops"}, "dev"}, {named, []string{"hr"}, ""}, {named, nil, ""},
		{all, []string{"hr", "dev"}, "dev"}, {all, []string{"hr"}, "*"}, {all, nil, "*"}, {all, []string{"*"}, "*"}, {named, []string{"*"}, ""},
	} {
		if found := tc.table.GroupOf(tc.groups); found != tc.chosen {
			t.Errorf("%v: expected %q, found %q", tc.groups, tc.chosen, found)
		}
	}
}

func TestATrackerIsSharedAndGoesWithTheLastApplication(t *testing.T) {
	table := NewTable("root", []config.Limit{{Users: []string{"*"}, MaxApplications: 1}})
	r := NewRegistry(knownTypes())
	join := func(user string) Tracker { return Tracker{r.Join(Trackers{}, table, user, "").list[0]} }
	one := join("ann")
	if again := join("ann"); again != one {
		t.Fatal("two applications of a user have a tracker each")
	}
	r.Leave(one)
	if join("ann") != one {
		t.Fatal("the tracker has gone before the last application")
	}
	r.Leave(one)
	r.Leave(one)
	if len(r.byMember) != 0 || r.slots.Items[one.id] != nil {
		t.Fatal("the tracker stays without an application")
	}
	if next := join("bob"); next.ID() != one.ID() {
		t.Fatal("the number of a tracker that has gone is not used again")
	}
}

// TestATrackerCountsAsARecountDoes compares the sums of trackers, which are updated step by step, with a recount.
func TestATrackerCountsAsARecountDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		types := knownTypes()
		limits := []config.Limit{{Users: []string{"u"}, MaxResources: amounts(rapid.Int64Range(-1, 8).Draw(t, "vcore"), rapid.Int64Range(-1, 8).Draw(t, "memory"))}}
		r := NewRegistry(types)
		list := r.Join(Trackers{}, NewTable("root", limits), "u", "")
		tracker := r.Counter(Tracker{list.list[0]})
		var used, leaving, claimed [][]int64
		demand := func() resource.Vec {
			return types.Vec(amounts(rapid.Int64Range(0, 4).Draw(t, "vcore"), rapid.Int64Range(0, 4).Draw(t, "memory")), 0)
		}
		take := func(list *[][]int64) resource.Vec {
			i := rapid.IntRange(0, len(*list)-1).Draw(t, "index")
			v := (*list)[i]
			*list = slices.Delete(*list, i, i+1)
			return v
		}
		for range rapid.IntRange(0, 20).Draw(t, "steps") {
			switch step := rapid.IntRange(0, 5).Draw(t, "step"); {
			case step == 0:
				v := demand()
				used = append(used, v)
				r.Use(list, v.Amounts())
			case step == 1 && len(used) > 0:
				tracker.Free(take(&used).Amounts())
			case step == 2:
				v := demand()
				claimed = append(claimed, v)
				tracker.AddClaim(v.Amounts(), true)
			case step == 3 && len(claimed) > 0:
				tracker.AddClaim(take(&claimed).Amounts(), false)
			case step == 4 && len(used) > len(leaving):
				v := used[len(leaving)]
				leaving = append(leaving, v)
				tracker.AddLeaving(resource.Vec(v).Amounts(), true)
			case step == 5 && len(leaving) > 0:
				last := len(leaving) - 1
				tracker.AddLeaving(resource.Vec(leaving[last]).Amounts(), false)
				leaving = leaving[:last]
			}
			if len(used) < len(leaving) { // ended allocations are not leaving
				last := len(leaving) - 1
				tracker.AddLeaving(resource.Vec(leaving[last]).Amounts(), false)
				leaving = leaving[:last]
			}
			need := demand()
			fits, fitsNow := true, true
			for lane, want := range need {
				most, bounded := limits[0].MaxResources.Value(types.Name(lane))
				now := sum(used, lane)
				later := now - sum(leaving, lane) + sum(claimed, lane)
				if !bounded || want == 0 {
					continue
				}
				fitsNow = fitsNow && now+want <= most
				fits = fits && max(now, later)+want <= most
			}
			if tracker.Fits(need.Amounts()) != fits || tracker.FitsNow(need.Amounts(), nil) != fitsNow || (list.Bars(need.Amounts()).IsNone()) != fits {
				t.Fatalf("%v beside %v, of it %v leaving, %v claimed: expected %v and %v", need, used, leaving, claimed, fits, fitsNow)
			}
			room := resource.Vec{resource.Most, resource.Most}
			list.Narrow(room)
			if within := (need[0] == 0 || need[0] <= room[0]) && (need[1] == 0 || need[1] <= room[1]); within != fits {
				t.Fatalf("%v beside %v, of it %v leaving, %v claimed: expected %v, found room %v", need, used, leaving, claimed, fits, room)
			}
			more := demand()
			r.Use(list, more.Amounts())
			alone := tracker.FitsNow(need.Amounts(), nil)
			tracker.Free(more.Amounts())
			if tracker.FitsNow(need.Amounts(), more) != alone {
				t.Fatalf("%v beside %v and %v: expected %v", need, used, more, alone)
			}
			if !fits && !tracker.MayBar(need.Amounts()) {
				t.Fatalf("the limit bars %v and says it does not", need)
			}
		}
	})
}

func sum(list [][]int64, lane int) (total int64) {
	for _, v := range list {
		total += v[lane]
	}
	return total
}
