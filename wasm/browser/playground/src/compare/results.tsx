import { Button } from "../ui/button";
import { count } from "../ui/format";
import { save } from "../ui/save";
import { Charts } from "./charts";
import type { Finished } from "./comparison";
import { toCsv, toJson } from "./export";
import { PartingView } from "./parting";
import { differenceText, rowsOf, valueText, verdict, type Row } from "./rows";

/** The result of the two runs. */
export function Results({ finished }: { readonly finished: Finished }) {
  const { outcome, names } = finished;
  return (
    <div class="compare-results" aria-label="Results" role="region">
      <section class="compare-card" aria-labelledby="compare-table">
        <div class="compare-bar">
          <div>
            <h2 id="compare-table">Result</h2>
            <p class="compare-lead">{names.workload}. <b>A</b>: {names.a}. <b>B</b>: {names.b}.</p>
          </div>
          <div class="compare-tools">
            <Button small icon="save" onClick={() => save("comparison.csv", toCsv(outcome, names))}>CSV</Button>
            <Button small icon="save" onClick={() => save("comparison.json", toJson(outcome, names))}>JSON</Button>
          </div>
        </div>
        <Warnings finished={finished} />
        <Table rows={rowsOf(outcome.a.figures, outcome.b.figures)} />
        <Differences finished={finished} />
      </section>
      <div class="compare-card"><PartingView outcome={outcome} /></div>
      <div class="compare-card"><Charts a={outcome.a} b={outcome.b} /></div>
    </div>
  );
}

function Table({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <div class="compare-scroll" tabIndex={0} role="region" aria-label="Figures of both runs">
      <table class="compare-table">
        <thead><tr><th scope="col">Figure</th><th scope="col">A</th><th scope="col">B</th><th scope="col">B against A</th></tr></thead>
        <tbody>
          {rows.map((row) => {
            const side = verdict(row);
            return (
              <tr key={row.label}>
                <th scope="row">{row.label}{row.meaning && <small>{row.meaning}</small>}</th>
                <td>{valueText(row, row.a)}</td>
                <td>{valueText(row, row.b)}</td>
                <td class={side && `compare-${side}`}>{differenceText(row)}{side && <small>{side}</small>}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Differences({ finished: { outcome: { differ: d } } }: { readonly finished: Finished }) {
  return (
    <p class="compare-note">
      Of {count(d.both, "ask")} placed in both runs, in B {d.moved.toLocaleString("en-GB")} went to another node, {d.earlier.toLocaleString("en-GB")} earlier
      and {d.later.toLocaleString("en-GB")} later. {d.onlyA.toLocaleString("en-GB")} were placed only in A, {d.onlyB.toLocaleString("en-GB")} only in B.
    </p>
  );
}

/** A configuration that was refused makes the rest of a comparison meaningless. */
function Warnings({ finished: { outcome } }: { readonly finished: Finished }) {
  return (
    <>
      {(["a", "b"] as const).map((name) => {
        const { refused } = outcome[name].figures;
        return refused && <p key={name} class="compare-warning" role="note">In {name.toUpperCase()} a configuration was refused, so the one before stayed in force: {refused}</p>;
      })}
    </>
  );
}
