/** Levels over the time of a run: their means, and samples of them to draw. */

/** A part of a whole that is held for a time, and its mean over time. */
export class Mean {
  private sum = 0;
  private weight = 0;
  private part = 0;
  private whole = 0;

  /** Holds a level for a time in seconds. */
  add(part: number, whole: number, held: number): void {
    this.part = part;
    this.whole = whole;
    this.sum += part * held;
    this.weight += whole * held;
  }

  /** A part of a whole over time; as last looked at where no time passed. */
  get mean(): number {
    if (this.weight > 0) return this.sum / this.weight;
    return this.whole > 0 ? this.part / this.whole : 0;
  }
}

/** Where there are so many samples, an even number, pairs become one and the step doubles, so memory stays as it is however long a run is. */
const mostSamples = 512;

interface Sample {
  /** Seconds since the start, when it ended. */
  end: number;
  /** Seconds that it stands for. */
  held: number;
  /** Of levels over those seconds. */
  readonly sums: number[];
}

/** Sums of levels over time, each since the one before. */
export class Samples {
  private list: Sample[] = [];
  private step = 1;
  private current: Sample = { end: 0, held: 0, sums: [] };

  /** Whether the sample that is under way is complete with so many seconds more. */
  due(held: number): boolean {
    return this.current.held + held >= this.step;
  }

  /** Adds sums over some seconds, up to a time. */
  add(end: number, held: number, sums: readonly number[]): void {
    merge(this.current, end, held, sums);
    if (this.current.held < this.step) return;
    this.list.push(this.current);
    this.current = { end, held: 0, sums: [] };
    if (this.list.length === mostSamples) this.thin();
  }

  get times(): number[] {
    return this.all().map((sample) => sample.end);
  }

  /** What is to be made of the sums of each sample. */
  values(of: (sums: readonly number[], held: number) => number): number[] {
    return this.all().map((sample) => of(sample.sums, sample.held));
  }

  private all(): readonly Sample[] {
    return this.current.held > 0 ? [...this.list, this.current] : this.list;
  }

  private thin(): void {
    const half: Sample[] = [];
    for (const [i, sample] of this.list.entries()) {
      const before = half.at(-1);
      if (i % 2 === 1 && before) merge(before, sample.end, sample.held, sample.sums);
      else half.push(sample);
    }
    this.list = half;
    this.step *= 2;
  }
}

function merge(into: Sample, end: number, held: number, sums: readonly number[]): void {
  into.end = end;
  into.held += held;
  for (const [i, sum] of sums.entries()) into.sums[i] = (into.sums[i] ?? 0) + sum;
}
