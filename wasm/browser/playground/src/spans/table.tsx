import { useState } from "preact/hooks";
import { Button } from "../ui/button";
import { kindWords, type Say, type Spans } from "./span";
import type { Opened } from "./chart";

const page = 200;

/** The same as a table. */
export function SpansTable({ of: { spans, windows }, say, onOpen }: { readonly of: Spans; readonly say: Say; readonly onOpen: (what: Opened) => void }) {
  const [most, setMost] = useState(page);
  const sorted = [...spans].sort((a, b) => a.from - b.from);
  return (
    <div class="spans-table" role="region" aria-label="Nodes over time, as a table" tabIndex={0}>
      {windows.length > 0 && (
        <table>
          <caption>Windows</caption>
          <thead><tr>{["Window", "From", "Until", "For", "Nodes"].map((name) => <th key={name} scope="col">{name}</th>)}</tr></thead>
          <tbody>
            {windows.map((one) => <tr key={`${one.window} ${one.from}`}><th scope="row">{one.window}</th><td>{say(one.from)}</td><td>{one.until === undefined ? "stays open" : say(one.until)}</td><td>{one.names || "no ask"}</td><td>{one.nodes.join(", ")}</td></tr>)}
          </tbody>
        </table>
      )}
      <table>
        <caption class="sr">Allocations and planned starts, by when they begin</caption>
        <thead><tr>{["Ask", "Node", "From", "Until", "State", "Application", "Queue"].map((name) => <th key={name} scope="col">{name}</th>)}</tr></thead>
        <tbody>
          {sorted.slice(0, most).map((one) => (
            <tr key={`${one.kind} ${one.ask} ${one.node} ${one.from}`}>
              <th scope="row">{one.kind === "ended" ? one.ask : <button type="button" class="spans-pick" onClick={() => onOpen({ kind: "ask", id: one.ask })}>{one.ask}</button>}</th>
              <td>{one.node}</td><td>{say(one.from)}</td><td>{one.until === undefined ? "no end" : say(one.until)}</td><td>{kindWords[one.kind]}{one.why && <small>{one.why}</small>}</td><td>{one.app}</td><td>{one.queue}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > most && <Button small onClick={() => setMost(most + page)}>{`Show ${Math.min(page, sorted.length - most)} more of ${sorted.length}`}</Button>}
    </div>
  );
}
