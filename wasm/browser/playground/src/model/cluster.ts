import type { StateAnswer } from "../engine/types";
import { apply } from "./apply";
import type { Line } from "./lines";
import type { Model } from "./model";
import { Objects } from "./objects";
import { reset } from "./reset";

export function createModel(): Cluster {
  return new Cluster();
}

/** The model: it follows the lines of a run, or takes over the state of a scheduler. */
export class Cluster extends Objects implements Model {
  apply(line: Line): void {
    this.version++;
    apply(this, line);
  }

  reset(state: StateAnswer): void {
    this.version++;
    reset(this, state);
    if (state.queues) this.setQueues(state.queues);
  }
}
