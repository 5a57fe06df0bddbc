/**
 * Policy modules beside the core: what the core imports from quern_host (wasm/browser/hostmodules/imports.go says what each
 * function takes). The core has passed every module through its gate and bounded it by fuel before it gets here; each
 * runs as an instance of its own, and whatever it does, a call of it returns to the core with a status.
 *
 * Compiling and calling are synchronous: this runs in a worker.
 */

import { Bytes, copy } from "./bytes";
import { lineBytes, Quota, type Level, type Log } from "./lines";
import { Exit, wasi, wasiModule, type Wasi } from "./wasi";

/** The imports of one core. Attach its memory before it calls. */
interface HostModules {
  readonly imports: WebAssembly.ModuleImports;
  attach(memory: WebAssembly.Memory): void;
}

/** The module that the imports are of. */
export const hostNamespace = "quern_host";

/** How something ended, as wasm/browser/hostmodules/status.go counts. */
const Status = {
  returned: 0, fuelOut: 1, ended: 2, unreachable: 3, memory: 4, division: 5, overflow: 6, conversion: 7, signature: 8,
  table: 9, failed: 11, nobody: 12,
} as const;

/** Where the fields of a request are, in words of 32 bits from its start. */
const Field = { fuelLow: 0, fuelHigh: 1, function: 2, first: 3, second: 4, arena: 5, mirror: 6, spans: 7, count: 8, answers: 9, size: 10, result: 11 } as const;

const fuelGlobal = "quern_fuel";
const levels: readonly Level[] = ["debug", "info", "warning", "error"];
const unreadable = new TextEncoder().encode("(a line that cannot be read)");
const deep = new TextEncoder().encode("its calls went too deep for the stack of this engine, which counts as fuel that is used up");
/** How many functions are named where a call ended. */
const mostFrames = 5;
const unknown = new Error("no module has this handle");

/** Makes the imports for one core. */
export function hostModules(log: Log): HostModules {
  const host = new Host(log);
  return { imports: host.imports(), attach: (memory) => { host.core = new Bytes(memory); } };
}

class Host {
  core: Bytes | undefined;
  private readonly log: Log;
  private readonly modules = new Map<number, { readonly module: WebAssembly.Module; readonly names: readonly string[] }>();
  private readonly running = new Map<number, PolicyInstance>();
  private last = 0; // handle given out
  private failure = "";

  constructor(log: Log) {
    this.log = log;
  }

  imports(): WebAssembly.ModuleImports {
    return {
      load: (file: number, size: number, names: number, namesSize: number) =>
        this.guarded(() => this.load(file >>> 0, size >>> 0, names >>> 0, namesSize >>> 0)),
      drop: (module: number) => { this.modules.delete(module); },
      start: (module: number, label: number, size: number) => this.guarded(() => this.start(module, label >>> 0, size >>> 0)),
      stop: (instance: number) => { this.running.delete(instance); },
      exports: (instance: number) => this.running.get(instance)?.exports ?? 0,
      call: (instance: number, request: number) => this.call(instance, request >>> 0),
      left: (instance: number) => this.running.get(instance)?.fuel.value ?? 0n,
      size: (instance: number) => this.running.get(instance)?.memory.all.length ?? 0,
      read: (instance: number, at: number, to: number, size: number) => this.read(instance, at >>> 0, to >>> 0, size >>> 0),
      reason: (to: number, size: number) => this.reason(to >>> 0, size >>> 0),
    };
  }

  private get memory(): Bytes {
    if (!this.core) throw new Error("the core's memory is not attached");
    return this.core;
  }

  /** Lets nothing unwind through the core: what fails becomes a status, negated. */
  private guarded(make: () => number): number {
    try {
      return make();
    } catch (thrown) {
      return -this.statusOf(thrown);
    }
  }

  private load(file: number, size: number, names: number, namesSize: number): number {
    const module = new WebAssembly.Module(this.memory.cut(file, size));
    this.modules.set(++this.last, { module, names: this.memory.text(names, namesSize).split("\n") });
    return this.last;
  }

  private start(handle: number, label: number, size: number): number {
    const made = this.modules.get(handle);
    if (!made) throw unknown;
    const running = new PolicyInstance(made.module, made.names, new Quota(this.memory.text(label, size), this.log));
    this.running.set(++this.last, running);
    return this.last;
  }

  private call(instance: number, request: number): number {
    const running = this.running.get(instance);
    if (!running || !this.core) return Status.nobody;
    const { core } = this;
    return -this.guarded(() => -running.call(core, request >> 2));
  }

  private read(instance: number, at: number, to: number, size: number): number {
    const running = this.running.get(instance);
    if (!running || at + size > running.memory.all.length) return 0;
    copy(running.memory, at, this.memory, to, size);
    return 1;
  }

  private reason(to: number, size: number): number {
    return new TextEncoder().encodeInto(this.failure, this.memory.all.subarray(to, to + size)).written;
  }

  private statusOf(thrown: unknown): number {
    const status = statusOf(thrown);
    if (status === Status.failed) this.failure = thrown instanceof Error ? thrown.message : String(thrown);
    return status;
  }
}

/** What engines say of traps, the first that fits. Older V8s say the same of a call of null as of one of another signature. */
const traps: readonly (readonly [RegExp, number])[] = [
  [/unreachable/i, Status.unreachable],
  [/indirect call to null|null table entry|null function$/i, Status.table],
  [/signature/i, Status.signature],
  [/\btable\b|call_indirect/i, Status.table],
  [/(divi\w+|remainder) by zero/i, Status.division],
  [/integer range|conversion|trunc/i, Status.conversion],
  [/divide result|overflow/i, Status.overflow],
  [/out of bounds/i, Status.memory],
];

/** Makes one of the statuses of whatever an engine threw. */
function statusOf(thrown: unknown): number {
  if (thrown instanceof Exit) return Status.ended;
  if (!(thrown instanceof Error)) return Status.failed;
  if (!(thrown instanceof WebAssembly.RuntimeError) || thrown.message.includes("segment")) return Status.failed;
  return traps.find(([words]) => words.test(thrown.message))?.[1] ?? Status.failed;
}

type Exported = (first: number, second: number) => number | undefined;

/** One running module. After anything but a return it is of no more use. */
class PolicyInstance {
  readonly memory: Bytes;
  readonly fuel: WebAssembly.Global<"i64">;
  readonly exports: number; // a bit for each of the names
  private ended = false;
  private readonly functions: readonly (Exported | undefined)[];
  private readonly quota: Quota;
  private budget = 0n;
  private budgetNumber = 0;

  constructor(module: WebAssembly.Module, names: readonly string[], quota: Quota) {
    this.quota = quota;
    const world = wasi((_fd, bytes) => { quota.say("info", bytes); }, lineBytes);
    const instance = new WebAssembly.Instance(module, imports(world, quota, () => this.memory));
    const { memory, [fuelGlobal]: fuel } = instance.exports;
    if (!(memory instanceof WebAssembly.Memory) || !(fuel instanceof WebAssembly.Global)) throw new Error("the module was not bounded");
    world.attach(memory);
    this.memory = new Bytes(memory);
    this.fuel = fuel as WebAssembly.Global<"i64">;
    this.functions = names.map((name) => {
      const found = instance.exports[name];
      return typeof found === "function" ? (found as Exported) : undefined;
    });
    this.exports = this.functions.reduce((bits, found, i) => (found ? bits | (1 << i) : bits), 0);
  }

  /** Serves a request of the core, which begins at this word, and returns its status. What only words tell is thrown. */
  call(core: Bytes, at: number): number {
    if (this.ended) return Status.ended;
    try {
      return this.serve(core, at);
    } catch (thrown) {
      return this.fell(thrown);
    }
  }

  private serve(core: Bytes, at: number): number {
    const words = core.words;
    const field = (which: number): number => words[at + which] ?? 0;
    const called = this.functions[field(Field.function)];
    if (!called) throw unknown;
    const arena = field(Field.arena) >>> 0;
    const mirror = field(Field.mirror) >>> 0;
    const spans = field(Field.spans) >>> 2;
    for (let i = 0, n = field(Field.count); i < n; i++) {
      const offset = words[spans + 2 * i] ?? 0;
      copy(core, mirror + offset, this.memory, arena + offset, words[spans + 2 * i + 1] ?? 0);
    }
    this.fill((field(Field.fuelLow) >>> 0) + field(Field.fuelHigh) * 2 ** 32);
    const result = called(field(Field.first), field(Field.second));
    const size = field(Field.size);
    if (size > 0) copy(this.memory, arena + field(Field.answers), core, mirror + field(Field.answers), size);
    words[at + Field.result] = result ?? 0;
    return Status.returned;
  }

  /**
   * The result of a call that did not return. Calls that went too deep for the stack of this engine count as fuel that is
   * used up: the host's stack is so large that calls without end meet that first, and both decide the same.
   */
  private fell(thrown: unknown): number {
    if (thrown instanceof Exit) this.ended = true;
    else if (thrown instanceof WebAssembly.RuntimeError) this.sayWhere(thrown);
    if (this.fuel.value < 0n) return Status.fuelOut;
    if (!(thrown instanceof Error) || !/call stack|recursion/i.test(thrown.message)) throw thrown;
    this.quota.say("warning", deep);
    return Status.fuelOut;
  }

  /** Tells authors in which function a call ended, by its number in the module, as far as the engine says. */
  private sayWhere(trap: WebAssembly.RuntimeError): void {
    const innermost = [...(trap.stack ?? "").matchAll(/wasm-function\[(\d+)\]/g)].slice(0, mostFrames).map(([, index = ""]) => `function ${index}`);
    if (innermost.length > 0) this.quota.say("debug", new TextEncoder().encode(`a call ended in ${innermost.join(", called by ")}`));
  }

  /** Sets the fuel; the same amount comes again and again. */
  private fill(budget: number): void {
    if (budget !== this.budgetNumber) {
      this.budgetNumber = budget;
      this.budget = BigInt(budget);
    }
    this.fuel.value = this.budget;
  }
}

/** What a policy module may import: WASI, and quern.log. A line from outside of its memory changes nothing. */
function imports(world: Wasi, quota: Quota, memory: () => Bytes | undefined): WebAssembly.Imports {
  const log = (level: number, at: number, size: number): void => {
    const from = at >>> 0;
    const bytes = Math.min(size >>> 0, lineBytes);
    const there = memory();
    const text = there && from + bytes <= there.all.length ? there.cut(from, bytes) : unreadable;
    quota.say(levels[Math.min(level >>> 0, 3)] ?? "error", text);
  };
  return { [wasiModule]: world.imports, quern: { log } };
}
