package abi

// ColumnID is the identifier of a kind of column in a descriptor. Identifiers are given out once and never change
// meaning; a new kind gets the next number.
type ColumnID uint32

// A Kind is a kind of column: what a number in it means.
type Kind struct {
	ID   ColumnID
	Name string // as manifests spell it, before the colon
	Arg  string // what stands behind the colon: "type", "attribute", "tag", "property", "rank", "level", "level:type" or nothing
	Unit string
	// Meaning says what the number is, and what it is where there is none.
	Meaning string
	Points  []string // the points that offer it
}

// Units of columns. Amounts are in the units that the scheduler stores: vcore in thousandths, memory in bytes, any other
// type as it is counted. Every number is a whole one unless a
// text gave it or its unit says that it has a fraction; shares stay below 2^53.
const (
	unitPlace    = "position, from 1"
	unitPriority = "priority"
	unitShare    = "billionths"
	unitAmount   = "stored units of the type"
	unitCount    = "count"
	unitText     = "the text, read as a number"
	unitCode     = "the code of the text in the dictionary"
	unitAged     = "stored units of the type, with a fraction"
	unitSeconds  = "seconds, with a fraction"
	unitInstant  = "seconds since 1970, or since the journal began, with a fraction"
)

var (
	all    = []string{"queue.order", "app.order", "ask.order", "node.score", "node.filter", "victim.rank"}
	queues = all[0]
	apps   = all[1]
	asks   = all[2]
	score  = all[3]
	filter = all[4]
	victim = all[5]
)

// Kinds lists every kind of column, in the order of identifiers, from 1.
var Kinds = [...]Kind{
	{1, "submitted", "", unitPlace, "position in the order of submission; for victims, in the order of allocation", []string{apps, asks, victim}},
	{2, "priority", "", unitPriority, "as seen by the parent, or of the application; the default where nothing is pending", []string{queues, apps}},
	{3, "fair_share", "", unitShare, "the largest, over types, of what is used of the guarantee or the fair maximum", []string{queues}},
	{4, "pending_share", "", unitShare, "the largest, over types, of what is pending of the cluster", []string{queues}},
	{5, "top_share", "rank", unitShare, "share number ARG (from 1) of the application's shares in descending order; 0 where there are fewer", []string{apps}},
	{6, "share", "type", unitShare, "used of the guarantee or the fair maximum; for nodes, used and occupied of the capacity, -1 where there is none", []string{queues, apps, score, filter}},
	{7, "used", "type", unitAmount, "what allocations use; for nodes, with what others occupy", []string{queues, apps, score, filter}},
	{8, "pending", "type", unitAmount, "what pending asks request", []string{queues, apps}},
	{9, "guaranteed", "type", unitAmount, "the guarantee; the default where none is set", []string{queues}},
	{10, "max", "type", unitAmount, "the maximum; the default where none is set", []string{queues}},
	{11, "capacity", "type", unitAmount, "what the node has", []string{score, filter}},
	{12, "free", "type", unitAmount, "what the node has left, at least 0", []string{score, filter}},
	{13, "ask", "type", unitAmount, "what the ask requests; for nodes, the request of the ask to be placed (one number for all rows)", []string{asks, score, filter, victim}},
	{14, "ask_priority", "", unitPriority, "of the ask", []string{asks, victim}},
	{15, "pending_asks", "", unitCount, "pending asks", []string{queues, apps}},
	{16, "allocations", "", unitCount, "allocations", []string{queues, apps}},
	{17, "running", "", unitCount, "applications that are Starting, Running or Resuming", []string{queues}},
	{18, "attribute", "attribute", unitText, "attribute ARG of the node as a number; the default if it is absent or not a number", []string{score, filter}},
	{19, "tag", "tag", unitText, "tag ARG of the application as a number; the default if it is absent or not a number", []string{apps, victim}},
	{20, "property", "property", unitText, "property ARG of the queue, its own or inherited, as a number; the default if it is absent or not a number", []string{queues}},
	{21, "attribute_code", "attribute", unitCode, "attribute ARG of the node; 0 where it is absent", []string{score, filter}},
	{22, "tag_code", "tag", unitCode, "tag ARG of the application; 0 where it is absent", []string{apps, victim}},
	{23, "property_code", "property", unitCode, "property ARG of the queue, its own or inherited; 0 where it is absent", []string{queues}},
	{24, "user_code", "", unitCode, "user of the application; 0 where it has none", []string{apps, asks, victim}},
	{25, "group_code", "", unitCode, "group that the application counts for in limits; 0 where it counts for none", []string{apps, asks, victim}},
	{26, "user_limit_share", "", unitShare, "the largest, over types and over the limits of the application's user in its queues, of the maxresources that the user's allocations use; the default where none names a type", []string{apps, victim}},
	{27, "group_limit_share", "", unitShare, "the same of the group that the application counts for; the default also where it counts for none", []string{apps, victim}},
	{28, "gang_size", "", unitCount, "members, pending and allocated, of the atomic gang of the ask; of the application's first that waits to be placed; 0 where there is none", []string{apps, asks, victim}},
	{29, "gang_min", "", unitCount, "the minimum of that gang; 0 where there is none", []string{apps, asks, victim}},
	{30, "placeholder", "", "0 or 1", "1 for a placeholder, 0 for any other ask", []string{asks, victim}},
	{31, "domain", "level", unitCode, "the node's values down to the level ARG, joined by /; 0 where the node has no domain of the level", []string{score, filter}},
	{32, "domain_free", "level:type", unitAmount, "the sum of what the available nodes of the node's domain have left; the default where the node has no domain of the level", []string{score, filter}},
	{33, "domain_fits", "", unitCount, "how many asks of this shape fit the node's domain of the level that the ask names; the default where it names none, or the node has no domain of the level", []string{score, filter}},
	{34, "gang_surplus", "", unitCount, "allocated members of that gang above its minimum, which may leave while the others run on; 0 where there is none", []string{asks, victim}},
	{35, "aged", "type", unitAged, "usage that ages with the half-life, as of the last multiple of its period (a 1,024th of it, at least a second); of the application's user in its leaf queue; what is used now where there is no half-life", []string{queues, apps}},
	{36, "half_life", "", unitSeconds, "the fairness.half-life of that usage: of the parent for queues, of the leaf queue for applications; the default where there is none", []string{queues, apps}},
	{37, "walltime", "", unitSeconds, "how long the ask promises to run at most; of an application, the longest of its pending asks; the default where none is promised", []string{apps, asks, victim}},
	{38, "submitted_at", "", unitInstant, "when the application or the ask was submitted", []string{apps, asks}},
}

// firstOf has the first kind that came with each minor version.
var firstOf = [Minor + 1]ColumnID{1, 24, 31, 35}

// Minor is the minor version that the kind came with: a manifest that names it says that version or a later one.
func (k Kind) Minor() int {
	minor := 0
	for minor < Minor && firstOf[minor+1] <= k.ID {
		minor++
	}
	return minor
}

// KindNamed returns the kind that manifests spell so.
func KindNamed(name string) (Kind, bool) {
	for _, k := range Kinds {
		if k.Name == name {
			return k, true
		}
	}
	return Kind{}, false
}
