// Package node keeps the nodes of a partition and finds, for a class of asks, the best one that takes it: that with the
// best score of those that have the room, and of equals the first by ID. Pool is the only way in. It is owned by one
// goroutine; nothing here locks.
//
// # Words
//
//   - A slot is the number of a node. A free slot is used again.
//   - An order is a set of nodes that a search looks at: all nodes, those with one value of an attribute that asks are
//     bound by (attributeIndex), or those that predicates and scores of a class of its own are about (classOrder).
//   - A position is the place of a node in an order. Nodes stand by ID in blocks of eight positions, with gaps for more.
//   - A tournament holds the scores of an order: the entry of each level stands for a block of the level below and has
//     its largest score. A closed entry is returned by no search.
//   - The winner is the first position with the best score.
//   - A threshold is a tournament of those nodes alone that have some room.
//
// # A change and a search
//
// A change of a node is written to a log. Each order reads the log before it is searched and then works out what the node
// has free (freeRoom, by slot and shared by all orders) and its score, which it carries up its tournament as far as it
// matters: nothing is sorted, and nothing moves unless nodes come or go.
//
// A search takes the winner, which most often has the room. Where it has not, four things keep the search short, each for the
// case that the one before leaves:
//
//   - nodes with less room than any class asks for are closed (leastDemand);
//   - a threshold leads past nodes without some room. It is made for needs that made searches long, and each class
//     remembers the one that serves it best;
//   - branch and bound passes over blocks whose most free is too little (mostFree), best score first;
//   - a B+-tree by score answers when branch and bound has looked at too many blocks (scoreTree).
//
// Thresholds, the most free and the tree follow changes only when a search reads them, so they cost nothing where none does.
// For the same reason FreeBound, what is free on any node at most, is no more than a bound until MaxFree works it out.
//
// # Growth
//
// For N nodes a search that the winner ends takes O(log N), and so does a change. A node that comes is filed in O(log N),
// amortized, by spreading the blocks around it; many at once are sorted and merged. A node that goes takes O(log N). Orders
// that have missed the beginning of the log are sorted again.
package node
