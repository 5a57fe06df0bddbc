interface Word {
  readonly word: string;
  readonly means: string;
}

/** What the page calls things, in the order in which one meets them. */
export const glossary: readonly Word[] = [
  { word: "Queue", means: "A place in a tree. Applications are submitted to its leaves; limits and guarantees apply to all queues below." },
  { word: "Application", means: "Work of one user or team, in one queue. It asks for resources." },
  { word: "Ask", means: "A request for resources on one node: so many vcore (cores), so much memory. Until it has a node it is pending." },
  { word: "Allocation", means: "An ask that was placed on a node. It holds its resources until it ends or has to leave." },
  { word: "Node", means: "A machine, with a capacity of each type of resource." },
  { word: "Max", means: "A limit: no ask is placed that would take the queue beyond it." },
  { word: "Guaranteed", means: "The resources that a queue can claim: while it uses less, its asks may preempt other queues. Nothing is set aside for it." },
  { word: "Headroom", means: "The resources that a queue may still use before it, or a queue above it, is at its max." },
  { word: "Priority", means: "A number. Higher comes first. Offsets change it, and fences hide it, on the way up the tree." },
  { word: "Fair share", means: "The usage of a queue, divided by its guarantee or its max. The smallest comes first." },
  { word: "Preemption", means: "Allocations are told to leave, so that an ask gets its node. Seven laws say when." },
  { word: "Victim", means: "An allocation that was told to leave." },
  { word: "Reservation", means: "A node held back for a large ask that finds no room, or for an ask that requires this node." },
  { word: "Decision", means: "One step of the scheduler, with its reason. Decisions are numbered." },
  { word: "Policy", means: "A rule for an order: of applications, asks, queues or nodes. Some are built in, others come as modules." },
  { word: "Journal", means: "All inputs in order of time. The same journal always leads to the same decisions." },
];
