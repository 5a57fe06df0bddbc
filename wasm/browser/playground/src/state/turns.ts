/** One thing at a time: what changes the session waits until what came before is done. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();
  private open = 0;

  /** Whether there is no turn, and no task waits for one. */
  get free(): boolean {
    return this.open === 0;
  }

  /** Whether a task waits for the turn of another to end. */
  get awaited(): boolean {
    return this.open > 1;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    this.open++;
    const turn = this.last.then(work);
    this.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.open--;
    }
  }
}
