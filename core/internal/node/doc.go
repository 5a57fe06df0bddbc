// Package node finds the best node for a class of asks: among the nodes with enough room that admit the class, the one with the best
// score, and among equal scores the first by ID. It reads the nodes through a nodes.View, and everything that it keeps follows from them.
// Package state changes it through an Updater; others search with a Finder. The package does not lock.
//
// # Terms
//
//   - A slot is the number of a node, see package nodes. Slots of removed nodes are reused.
//   - An order is a set of nodes that searches run on: all nodes, the nodes with one value of an attribute (attributeIndex), or
//     the nodes that meet the constraints of a class with predicates or a score of its own (classOrder).
//   - A position is the place of a node in an order. Nodes are sorted by ID in blocks of eight positions, with gaps for more.
//   - A tournament holds the scores of an order. An entry of a level stands for a block of the level below, and has its
//     largest score. Searches never return a closed entry.
//   - The winner is the first position with the best score.
//   - A threshold is a second tournament, of the nodes that have at least some amounts free.
//
// # Changes and searches
//
// Changed nodes are listed in a log. Before a search, an order reads the log, computes the free room of each changed node
// (freeRoom, by slot, shared by all orders) and its score, and propagates the score up its tournament until it makes no difference.
// Nothing is sorted, and entries move only when nodes are added or removed.
//
// A search first tries the winner, which usually has enough room. If it does not, four means keep the search short, each for cases
// that those before it leave:
//
//   - nodes with less room than any class needs are closed (leastDemand);
//   - a threshold skips nodes that lack some room. It is made for needs that caused long searches, and each class remembers
//     the threshold that excludes most nodes for it;
//   - branch and bound, best score first, skips blocks in which no node has enough free (mostFree);
//   - a B+-tree by score answers if branch and bound has visited too many blocks (scoreTree).
//
// Thresholds, mostFree and the tree follow changes only when a search reads them, so they cost nothing otherwise. For the same
// reason FreeBound is only an upper bound of the free room of all nodes, until MaxFree computes it exactly.
//
// # Complexity
//
// For N nodes, a search that ends at the winner takes O(log N), as do a change, a removal and, amortized, an addition, which spreads
// the entries around the new one. Many additions at once are sorted and merged. An order that has missed the start of the log is
// built again.
package node
