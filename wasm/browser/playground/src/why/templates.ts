/** The child template that decides for a queue: of a dynamic leaf its settings, of others those of dynamic leaves below. */

import type { Config, ConfigQueue, ConfigTemplate } from "../engine/types";
import { shownPath, splitPath } from "../model/paths";

interface FromTemplate {
  /** The queue that has it, by the path that is shown. */
  readonly of: string;
  readonly template: ConfigTemplate;
}

/** The nearest template on the way up from a queue, itself included; undefined: there is none. */
export function templateFor(config: Config | undefined, shown: string): FromTemplate | undefined {
  const { partition, path } = splitPath(shown);
  const tree = partition === undefined ? config : config?.others?.find((one) => one.partition === partition);
  let found: FromTemplate | undefined;
  for (let queue = tree?.root; queue; queue = below(queue, path)) {
    if (queue.template) found = { of: shownPath(partition, queue.path), template: queue.template };
  }
  return found;
}

/** The child of a queue that is on the way to a path, or is it. */
function below({ children = [] }: ConfigQueue, path: string): ConfigQueue | undefined {
  return children.find((child) => path === child.path || path.startsWith(`${child.path}.`));
}
