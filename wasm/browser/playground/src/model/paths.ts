/** Queues of several partitions, as one list has them. */

export function shownPath(partition: string | undefined, path: string): string;
export function shownPath(partition: string | undefined, path: string | undefined): string | undefined;
/** A queue's path as texts show it: outside of the first partition with its partition before it, as in [gpu]root.a. */
export function shownPath(partition: string | undefined, path: string | undefined): string | undefined {
  return partition === undefined || path === undefined ? path : `[${partition}]${path}`;
}

/** The partition of a shown path and its path inside; no partition: it is the first. */
export function splitPath(shown: string): { readonly partition?: string; readonly path: string } {
  const end = shown.startsWith("[") ? shown.lastIndexOf("]") : -1;
  return end < 0 ? { path: shown } : { partition: shown.slice(1, end), path: shown.slice(end + 1) };
}

/** The shown path of the queue above; empty: it is a root. Names of partitions may have dots in them. */
export function parentPath(shown: string): string {
  const { partition, path } = splitPath(shown);
  return path.includes(".") ? shownPath(partition, path.slice(0, path.lastIndexOf("."))) : "";
}

/** The last name of a path. A root outside of the first partition has its partition with it. */
export function lastName(shown: string): string {
  const { path } = splitPath(shown);
  return path.includes(".") ? path.slice(path.lastIndexOf(".") + 1) : shown;
}
