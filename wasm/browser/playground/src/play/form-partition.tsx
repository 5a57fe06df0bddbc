import { queues } from "../state/store";
import { Select } from "../ui/field";
import { splitPath } from "../model/paths";

/** The partitions beside the first, by name. */
export function otherPartitions(): string[] {
  return [...new Set(queues.value.flatMap((queue) => queue.partition ?? []))];
}

/** Paths of the leaves of a partition, as an input names them; "": of the first. */
export function leavesOf(partition: string): string[] {
  return queues.value.filter((queue) => queue.leaf && (queue.partition ?? "") === partition).map((queue) => splitPath(queue.path).path);
}

/** Leaves of all partitions, by the paths that are shown. Dynamic ones are left out: they may be gone when the next application comes. */
export function lastingLeaves(): string[] {
  return queues.value.filter((queue) => queue.leaf && !queue.dynamic).map((queue) => queue.path);
}

/** Chooses a partition; nothing where there is only one. */
export function PartitionField({ value, onChange }: { readonly value: string; readonly onChange: (partition: string) => void }) {
  const others = otherPartitions();
  if (others.length === 0) return null;
  return <Select label="Partition" value={value} options={[{ value: "", text: "the first" }, ...others.map((name) => ({ value: name, text: name }))]} onChange={onChange} />;
}
