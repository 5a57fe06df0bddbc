import type { ComponentChildren } from "preact";

interface TypeTableProps {
  readonly caption: string;
  readonly types: readonly string[];
  /** Of a type, above its figures: a drawing that says the same. */
  readonly drawing: (type: string) => ComponentChildren;
  readonly rows: readonly (readonly [name: string, figure: (type: string) => string])[];
}

/** Figures by resource type: a column for each type. */
export function TypeTable({ caption, types, drawing, rows }: TypeTableProps) {
  if (types.length === 0) return null;
  return (
    <div class="why-scroll" role="group" aria-label={caption} tabIndex={0}>
      <table class="why-table why-types">
        <caption>{caption}</caption>
        <thead><tr><td />{types.map((type) => <th key={type} scope="col">{type}{drawing(type)}</th>)}</tr></thead>
        <tbody>
          {rows.map(([name, figure]) => (
            <tr key={name}><th scope="row">{name}</th>{types.map((type) => <td key={type} class="why-figure">{figure(type)}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
