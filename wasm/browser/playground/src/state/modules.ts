import { policyLine } from "../engine/policy-line";
import type { Loaded } from "../engine/types";
import type { Module } from "../model/scenario";
import type { Feed } from "./feed";
import type { Live } from "./live";
import { say } from "./notices";
import { modules } from "./store";

/** The policy modules of the scenario that runs. They stay loaded while it runs, also after they were dropped: travelling back needs them. */
export class Modules {
  private readonly live: Live;
  private readonly feed: Feed;
  private loaded = new Map<string, Module>();

  constructor(live: Live, feed: Feed) {
    this.live = live;
    this.feed = feed;
  }

  /** All that the journal may name. */
  get all(): readonly Module[] {
    return [...this.loaded].map(([name, module]) => ({ ...module, name }));
  }

  /** Puts a module through its gate and has it act from the next cycle on. */
  async load(module: Module): Promise<boolean> {
    const { engine } = this.live;
    const answer = await this.keep(module);
    const done = await this.feed.now((at) => policyLine(engine, { name: answer.name, parameters: module.parameters, at }));
    modules.value = [...modules.value.filter(({ name }) => name !== answer.name), answer];
    if (done) say("info", `The module ${answer.name} is loaded. Name it in the configuration to use it.`);
    return done;
  }

  /** Has a module act no longer. */
  async drop(name: string): Promise<boolean> {
    const done = await this.feed.inputs([{ type: "policy.remove", name }]);
    if (done) modules.value = modules.value.filter((each) => each.name !== name);
    return done;
  }

  /** Loads those of another scenario in place of these, or none of them; what it returns takes that back. */
  async replace(list: readonly Module[]): Promise<() => Promise<void>> {
    const before = [...this.loaded.values()];
    const undo = (): Promise<void> => this.take(before);
    try {
      await this.take(list);
    } catch (thrown) {
      await undo();
      throw thrown;
    }
    return undo;
  }

  private async take(list: readonly Module[]): Promise<void> {
    const { engine } = this.live;
    for (const name of this.loaded.keys()) await engine.request("policy.drop", { name });
    this.loaded = new Map();
    for (const module of list) await this.keep(module);
    modules.value = (await engine.request("policy.list", {})).answer.policies;
  }

  private async keep(module: Module): Promise<Loaded> {
    const { answer } = await this.live.engine.request("policy.load", { name: module.name, limits: module.limits }, module.bytes);
    this.loaded.set(answer.name, module);
    return answer;
  }
}
