/** How the cluster was doing since the page was opened, as samples. */

import { signal } from "@preact/signals";
import type { QueueDump } from "../engine/types";
import { inOrder } from "../model/quantities";
import type { Chart } from "../see/timelines-series";
import { count, share, whole } from "../ui/format";

/** Beyond so many every other one goes. */
const most = 1200;

interface Sample {
  /** Seconds since the page was opened. */
  readonly at: number;
  /** Of what all nodes have, by type. */
  readonly used: Readonly<Record<string, number>>;
  readonly pending: number;
  /** A second. */
  readonly decisions: number;
}

export class Samples {
  /** Goes up with each sample. */
  readonly taken = signal(0);
  private list: Sample[] = [];

  /** Takes a sample of the roots of all partitions. */
  add(at: number, roots: readonly QueueDump[], decisions: number): void {
    const used: Record<string, number> = {};
    const sum = (of: (root: QueueDump) => number | undefined) => roots.reduce((all, root) => all + (of(root) ?? 0), 0);
    for (const type of new Set(roots.flatMap(({ max }) => Object.keys(max ?? {})))) {
      const all = sum(({ max }) => max?.[type]);
      used[type] = all > 0 ? sum((root) => root.used?.[type]) / all : 0;
    }
    this.list.push({ at, used, pending: sum(({ pendingAsks }) => pendingAsks), decisions });
    if (this.list.length > most) this.list = this.list.filter((_, i) => i % 2 === 0 || i === this.list.length - 1);
    this.taken.value++;
  }

  get time(): readonly number[] {
    return this.list.map(({ at }) => at);
  }

  get charts(): readonly Chart[] {
    const types = inOrder(new Set(this.list.flatMap(({ used }) => Object.keys(used))));
    return [
      { title: "In use", top: 1, say: share, lines: types.map((type) => ({ label: type, form: "steps", values: this.list.map(({ used }) => used[type] ?? 0) })) },
      { title: "Pending asks", say: (value) => count(Math.round(value), "ask"), lines: [{ label: "pending", form: "steps", values: this.list.map(({ pending }) => pending) }] },
      { title: "Decisions a second", say: (value) => whole(Math.round(value)), lines: [{ label: "decisions", form: "steps", values: this.list.map(({ decisions }) => decisions) }] },
    ];
  }
}
