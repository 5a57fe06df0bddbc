/** What decisions brought, in their order. Where a known stretch is played again nothing is noted twice. */
export class Chronicle<T> {
  private readonly noted: { readonly seq: number; readonly what: T }[] = [];
  private readonly most: number;

  /** Most: of what is older than the last so many, some is forgotten. */
  constructor(most = Infinity) {
    this.most = most;
  }

  note(seq: number, what: T): void {
    if (seq <= (this.noted.at(-1)?.seq ?? 0)) return;
    this.noted.push({ seq, what });
    if (this.noted.length > 2 * this.most) this.noted.splice(0, this.noted.length - this.most);
  }

  /** How much there was up to a decision. */
  count(seq: number): number {
    return this.noted.findLastIndex((each) => each.seq <= seq) + 1;
  }

  /** The last up to a decision. */
  at(seq: number): T | undefined {
    return this.noted[this.count(seq) - 1]?.what;
  }

  /** All up to a decision, in order. */
  upTo(seq: number): readonly T[] {
    return this.noted.slice(0, this.count(seq)).map(({ what }) => what);
  }

  /** All that was noted, in order. */
  all(): readonly T[] {
    return this.noted.map(({ what }) => what);
  }

  /** Forgets what came behind a decision. */
  cut(seq: number): void {
    this.noted.length = this.count(seq);
  }
}
