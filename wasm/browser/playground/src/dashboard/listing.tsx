import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../ui/button";
import { count } from "../ui/format";
import { Empty } from "../ui/panel";
import { read, withQuery } from "./host/api";
import type { Page } from "./host/objects";
import { useFetched } from "./fetched";
import { Failure } from "./failure";

/** How many are on a page. The page keeps no more than those of the list. */
const most = 100;

export interface Column<T> {
  readonly name: string;
  /** figure: a number. short: words that stay on one line. wide: left out where there is little room. */
  readonly kind?: "figure" | "short" | "wide";
  readonly show: (one: T) => ComponentChildren;
}

interface ListingProps<T> {
  /** Of the list, such as v1/asks. */
  readonly path: string;
  readonly filters: Readonly<Record<string, string>>;
  /** What it lists, for people: "Asks". */
  readonly caption: string;
  /** One of them: "ask". */
  readonly word: string;
  readonly empty: ComponentChildren;
  readonly nameOf: (one: T) => string;
  readonly picked: string;
  readonly address: (name: string) => string;
  readonly columns: readonly Column<T>[];
}

/** A list of the host, page by page, kept up to date. */
export function Listing<T>(props: ListingProps<T>) {
  // With other filters it is another list, and begins with its first page.
  return <Paged key={JSON.stringify([props.path, props.filters])} {...props} />;
}

function Paged<T>({ path, filters, caption, word, empty, nameOf, picked, address, columns }: ListingProps<T>) {
  const [before, setBefore] = useState<readonly string[]>([]); // what the pages up to this one began with
  const from = before.at(-1) ?? "";
  const address1 = withQuery(path, { ...filters, limit: most, continue: from });
  const { value, failure, reload } = useFetched(address1, (abort) => read<Page<T>>(address1, abort));
  if (!value) return failure === undefined ? <Empty>Loading…</Empty> : <Failure of={failure} onRetry={reload} />;
  const { items, continue: next } = value;
  const page = before.length + 1;
  return (
    <>
      {failure !== undefined && <Failure of={failure} onRetry={reload} />}
      {items.length === 0 && page === 1 ? <Empty>{empty}</Empty> : (
        <div class="listing" role="region" aria-label={caption} tabIndex={0}>
          <table>
            <caption class="sr">{caption}</caption>
            <thead><tr>{columns.map(({ name, kind }) => <th key={name} scope="col" class={kind}>{name}</th>)}</tr></thead>
            <tbody>{items.map((one) => <Row key={nameOf(one)} one={one} name={nameOf(one)} picked={picked} address={address} columns={columns} />)}</tbody>
          </table>
        </div>
      )}
      {(page > 1 || next !== undefined) && (
        <nav class="pages" aria-label={`Pages of ${caption.toLowerCase()}`}>
          <Button small icon="toStart" disabled={page === 1} onClick={() => setBefore([])}>First</Button>
          <Button small icon="back" disabled={page === 1} onClick={() => setBefore(before.slice(0, -1))}>Back</Button>
          <span>Page {page}, {count(items.length, word)}</span>
          <Button small icon="step" disabled={next === undefined} onClick={() => { if (next !== undefined) setBefore([...before, next]); }}>Next</Button>
        </nav>
      )}
    </>
  );
}

interface RowProps<T> extends Pick<ListingProps<T>, "picked" | "address" | "columns"> {
  readonly one: T;
  readonly name: string;
}

function Row<T>({ one, name, picked, address, columns }: RowProps<T>) {
  const [first, ...rest] = columns;
  return (
    <tr class={name === picked ? "picked" : undefined}>
      <th scope="row"><a href={address(name)} aria-current={name === picked ? "true" : undefined}>{first?.show(one)}</a></th>
      {rest.map((column) => <td key={column.name} data-name={column.name} class={column.kind}>{column.show(one)}</td>)}
    </tr>
  );
}
