/** What was changed, and how things stood before each change. */

interface Change<T> {
  readonly what: string;
  /** How things stand on the other side of the change. */
  readonly state: T;
}

const mostChanges = 100;

/** Changes to undo and redo. Old ones are forgotten when there are too many, or when their states are too large together. */
export class History<T> {
  private past: Change<T>[] = [];
  private future: Change<T>[] = [];
  private readonly sizeOf: (state: T) => number;
  private readonly mostSize: number;

  constructor(sizeOf: (state: T) => number, mostSize: number) {
    this.sizeOf = sizeOf;
    this.mostSize = mostSize;
  }

  /** What undo would take back. */
  get undoable(): string | undefined {
    return this.past.at(-1)?.what;
  }

  get redoable(): string | undefined {
    return this.future.at(-1)?.what;
  }

  /** Notes a change, with the state before it. What was undone before can no longer be redone. */
  note(what: string, before: T): void {
    this.future = [];
    this.past.push({ what, state: before });
    let size = 0;
    const firstKept = this.past.findLastIndex(({ state }, i) => (size += this.sizeOf(state)) > this.mostSize || this.past.length - i > mostChanges) + 1;
    this.past.splice(0, Math.min(firstKept, this.past.length - 1)); // the last change can always be undone
  }

  /** Takes back the last change: gives what it was and the state before it; undefined: there is none. */
  undo(now: T): Change<T> | undefined {
    return move(this.past, this.future, now);
  }

  redo(now: T): Change<T> | undefined {
    return move(this.future, this.past, now);
  }
}

function move<T>(from: Change<T>[], to: Change<T>[], now: T): Change<T> | undefined {
  const change = from.pop();
  if (change) to.push({ what: change.what, state: now });
  return change;
}
