/** The sizes of the panes of the cluster, and of the dashboard's inspector, that the user has chosen, kept from visit to visit where the browser allows it. */

import { effect, signal } from "@preact/signals";

/**
 * What has a size: the columns of the queues and of the inspector, the row below the nodes, the charts in it beside the decisions, and the inspector of
 * the dashboard beside a list.
 */
export const panes = ["tree", "side", "low", "time", "detail"] as const;
export type Pane = (typeof panes)[number];

/** The fewest and the most percent that a pane takes of what it is in: none can push out another. */
export const bounds: Readonly<Record<Pane, readonly [least: number, most: number]>> = { tree: [12, 34], side: [14, 40], low: [18, 75], time: [20, 80], detail: [20, 70] };

type Sizes = Readonly<Partial<Record<Pane, number>>>;

const key = "quern-panes";

/** In percent; what is missing has the size that it has by itself. */
export const paneSizes = signal<Sizes>(kept());

/** Gives a pane a size within its bounds; undefined: the one that it has by itself. */
export function resize(pane: Pane, percent: number | undefined): void {
  const others = Object.entries(paneSizes.peek()).filter(([name]) => name !== pane);
  paneSizes.value = Object.fromEntries(percent === undefined ? others : [...others, [pane, within(pane, percent)]]);
  try {
    localStorage.setItem(key, JSON.stringify(paneSizes.peek()));
  } catch {
    // A browser that keeps nothing for the page: the sizes last for this visit.
  }
}

/** Has the panes of a cluster, as cluster.css lays them out, or of the dashboard follow what was chosen; returns what ends that. */
export function sizePanes({ style }: HTMLElement): () => void {
  return effect(() => {
    const { time } = paneSizes.value;
    for (const pane of ["tree", "side", "low", "detail"] as const) {
      const percent = paneSizes.value[pane];
      set(style, `--${pane}`, percent === undefined ? undefined : `${percent}%`);
      set(style, `--${pane}-least`, percent === undefined ? undefined : "8rem");
    }
    set(style, "--time", time === undefined ? undefined : `${time}fr`);
    set(style, "--stream", time === undefined ? undefined : `${100 - time}fr`);
  });
}

function set(style: CSSStyleDeclaration, name: string, value: string | undefined): void {
  if (value === undefined) style.removeProperty(name);
  else style.setProperty(name, value);
}

function within(pane: Pane, percent: number): number {
  const [least, most] = bounds[pane];
  return Math.round(10 * Math.min(most, Math.max(least, percent))) / 10;
}

/** What was kept; all that is no size of a pane is left out. */
function kept(): Sizes {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? "{}") as Readonly<Record<string, unknown>> | null;
    return Object.fromEntries(panes.flatMap((pane) => {
      const percent = found?.[pane];
      return typeof percent === "number" && Number.isFinite(percent) ? [[pane, within(pane, percent)]] : [];
    }));
  } catch {
    return {};
  }
}
