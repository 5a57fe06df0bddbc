import type { ComponentChildren } from "preact";
import { actions } from "../state/run";
import { queues, status } from "../state/store";
import { duration } from "../ui/format";
import { Around, type Surroundings } from "./around";

const session: Surroundings = {
  pick: (one) => { actions.select(one); },
  now: () => status.peek()?.now ?? 0,
  time: duration,
  queue: (path) => queues.peek().find((queue) => queue.path === path),
};

/** Answers about the session of this page: what they name is selected in it. */
export function InSession({ children }: { readonly children: ComponentChildren }) {
  return <Around.Provider value={session}>{children}</Around.Provider>;
}
