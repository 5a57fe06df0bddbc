/** Asks one question again as the host goes on: soon when little happens, seldom where answers take long. */

/** Milliseconds between two answers, at least; where answers take long, so many times what they take. */
export const apart = 1000;
const times = 4;

interface Wishes<T> {
  ask(abort: AbortSignal): Promise<T>;
  hear(answer: T): void;
  fail(thrown: unknown): void;
}

/** One question and its repetitions, of which at most one is under way. */
export class Refresher<T> {
  private readonly wishes: Wishes<T>;
  private readonly abort = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asking = false;
  private again = false;
  private next = 0;

  constructor(wishes: Wishes<T>) {
    this.wishes = wishes;
  }

  /** Asks at once, or as soon as the answer that is under way has come. */
  now(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.asking) this.again = true;
    else void this.put();
  }

  /** Says that the answer may be another one by now. */
  changed(): void {
    if (this.asking) this.again = true;
    else this.timer ??= setTimeout(() => { this.now(); }, Math.max(0, this.next - performance.now()));
  }

  stop(): void {
    clearTimeout(this.timer);
    this.abort.abort();
  }

  /** Whether something changed while it was asked. */
  private overtaken(): boolean {
    return this.again && !this.abort.signal.aborted;
  }

  private async put(): Promise<void> {
    this.asking = true;
    this.again = false;
    const begun = performance.now();
    try {
      const answer = await this.wishes.ask(this.abort.signal);
      if (!this.abort.signal.aborted) this.wishes.hear(answer);
    } catch (thrown) {
      if (!this.abort.signal.aborted) this.wishes.fail(thrown);
    }
    this.asking = false;
    const took = performance.now() - begun;
    this.next = performance.now() + Math.max(apart, times * took);
    if (this.overtaken()) this.changed();
  }
}
