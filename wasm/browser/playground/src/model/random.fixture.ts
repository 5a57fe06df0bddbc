/** Journals for tests: everything that may happen to a cluster, drawn from a seed, also what the scheduler refuses. */

import { drawsFrom, type Draws } from "./draws";

/** So many lines, the first a configuration. The same seed gives the same lines. */
export function randomJournal(seed: number, lines: number): string {
  const journal = new Random(drawsFrom(seed));
  while (journal.lines.length < lines) journal.more();
  return journal.lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

const leaves = ["root.prod.web", "root.prod.batch", "root.dev", "root.prod", "root.nowhere"];

class Random {
  readonly lines: object[] = [];
  private readonly draw: Draws;
  private at = 0; // ms
  private made = 0;
  private readonly known: Record<"node" | "app" | "ask", string[]> = { node: [], app: [], ask: [] };

  constructor(draw: Draws) {
    this.draw = draw;
    this.config();
    for (let i = 0; i < 6; i++) this.addNode();
  }

  /** One line, of what comes often more often. */
  more(): void {
    if (this.chance(30)) this.at += this.draw.below(4000);
    const kind = this.draw.below(100);
    if (kind < 2) this.config();
    else if (kind < 12) this.node();
    else if (kind < 22) this.app();
    else if (kind < 75) this.ask();
    else this.change();
  }

  private line(type: string, fields: object = {}): void {
    this.lines.push({ at: `${this.at}ms`, type, ...fields });
  }

  private chance(percent: number): boolean {
    return this.draw.below(100) < percent;
  }

  private name(kind: "node" | "app" | "ask"): string {
    const name = this.chance(4) ? this.any(kind) : `${kind}${++this.made}`;
    this.known[kind].push(name);
    return name;
  }

  /** One that there was, mostly a late one. */
  private any(kind: "node" | "app" | "ask"): string {
    const list = this.known[kind];
    const late = Math.min(list.length, 40);
    return list[list.length - 1 - this.draw.below(late)] ?? "missing";
  }

  private config(): void {
    const config = `partitions:
- queues:
  - name: root
    queues:
    - name: prod
      resources: {guaranteed: {vcore: ${8 + this.draw.below(20)}}}
      queues:
      - {name: web, properties: {priority.offset: "${this.draw.below(5)}", preemption.delay: ${this.draw.below(20)}s}, resources: {guaranteed: {vcore: ${1 + this.draw.below(7)}}}}
      - {name: batch, maxapplications: ${2 + this.draw.below(20)}, properties: {preemption.delay: 1s, preemption.intra-queue: enabled}}
    ${this.chance(80) ? `- {name: dev, resources: {max: {vcore: ${10 + this.draw.below(60)}}}}` : "- {name: other}"}
`;
    this.line("config.set", { config: this.chance(10) ? "partitions: [{}]" : config });
  }

  private addNode(): void {
    const capacity = { vcore: this.chance(10) ? "2500m" : 4 + this.draw.below(12), memory: `${16 + this.draw.below(48)}Gi`, "nvidia.com/gpu": this.draw.below(3) };
    this.line("node.add", { id: this.name("node"), capacity, attributes: { zone: `z${this.draw.below(3)}` }, schedulable: !this.chance(5), ...(this.chance(20) && { occupied: { vcore: "500m" } }) });
  }

  private node(): void {
    const id = this.any("node");
    switch (this.draw.below(6)) {
      case 0: this.addNode(); break;
      case 1: this.line("node.drain", { id }); break;
      case 2: this.line("node.resume", { id }); break;
      case 3: this.line("node.remove", { id }); break;
      case 4: this.line("node.update", { id, attributes: { zone: `z${this.draw.below(3)}` }, occupied: { vcore: this.draw.below(3) } }); break;
      default: this.line("node.update", { id, capacity: { vcore: 4 + this.draw.below(20), memory: "64Gi" } });
    }
  }

  private app(): void {
    if (this.chance(15)) this.line("app.remove", { id: this.any("app") });
    else this.line("app.add", { id: this.name("app"), queue: leaves[Math.min(this.draw.below(10), this.draw.below(leaves.length))] ?? "root.dev" });
  }

  private ask(): void {
    const ask = {
      id: this.name("ask"), app: this.any("app"), resources: { vcore: this.chance(2) ? 0 : 1 + this.draw.below(6), ...(this.chance(70) && { memory: `${1 + this.draw.below(12)}Gi` }) },
      ...(this.chance(40) && { priority: this.draw.below(100) - 20 }), ...(this.chance(90) && { run: `${this.draw.below(60)}s` }), ...(this.chance(5) && { preemptable: false }),
      ...(this.chance(5) && { constraints: { zone: [`z${this.draw.below(3)}`] } }), ...(this.chance(6) && { node: this.any("node") }),
    };
    if (this.chance(4)) this.line("allocation.restore", { ...ask, placed_on: this.any("node") });
    else this.line("ask.add", { ...ask, ...(this.chance(15) && { count: 1 + this.draw.below(4) }) });
  }

  private change(): void {
    const id = this.any("ask");
    switch (this.draw.below(5)) {
      case 0: this.line("ask.remove", { id }); break;
      case 1: this.line("ask.update", { id, priority: this.draw.below(100) }); break;
      case 2: this.line("ask.update", { id, resources: { vcore: this.draw.below(4) } }); break;
      case 3: this.line("tick"); break;
      default: this.line("allocation.release", { id });
    }
  }
}
