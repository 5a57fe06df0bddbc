import type { ComponentChildren } from "preact";
import { Button, IconButton } from "../../ui/button";

interface ItemsProps<T> {
  /** What one of them is called. */
  readonly name: string;
  readonly items: readonly T[];
  readonly empty: T;
  readonly onChange: (items: readonly T[]) => void;
  readonly children: (item: T, set: (part: Partial<T>) => void, index: number) => ComponentChildren;
}

/** A list of parts of a form whose order counts. */
export function Items<T>({ name, items, empty, onChange, children }: ItemsProps<T>) {
  const swap = (i: number) => onChange(items.map((item, j) => (j === i ? items[i + 1] : j === i + 1 ? items[i] : item) ?? item));
  return (
    <>
      {items.map((item, i) => (
        <fieldset key={i} class="form form-item" aria-label={`${name} ${i + 1}`}>
          <div class="form-item-head">
            <b>{name} {i + 1}</b>
            <IconButton icon="up" label={`Move ${name.toLowerCase()} ${i + 1} up`} disabled={i === 0} onClick={() => swap(i - 1)} />
            <IconButton icon="down" label={`Move ${name.toLowerCase()} ${i + 1} down`} disabled={i === items.length - 1} onClick={() => swap(i)} />
            <IconButton icon="close" label={`Remove ${name.toLowerCase()} ${i + 1}`} onClick={() => onChange(items.filter((_, j) => j !== i))} />
          </div>
          {children(item, (part) => onChange(items.map((one, j) => (j === i ? { ...one, ...part } : one))), i)}
        </fieldset>
      ))}
      <div><Button small icon="add" onClick={() => onChange([...items, empty])}>{items.length > 0 ? `Add another ${name.toLowerCase()}` : `Add a ${name.toLowerCase()}`}</Button></div>
    </>
  );
}
