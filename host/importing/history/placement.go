package history

// Placement is the attribute that asks of a history require and no node has: they wait until the history says where they were placed.
const Placement = "placement"

// PlacedByCluster is the value that they require.
const PlacedByCluster = "by the recorded cluster"
