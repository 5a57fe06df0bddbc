import { Button } from "../ui/button";
import { count } from "../ui/format";
import { save } from "../ui/save";
import { Charts } from "./charts";
import type { Finished } from "./comparison";
import { toCsv, toJson } from "./export";
import { PartingView } from "./parting";
import { median } from "./evidence";
import { differencesText, judgement, judgementWords, rangeText, rowsOf, valueText, type Row } from "./rows";

/** The result of the two runs. */
export function Results({ finished }: { readonly finished: Finished }) {
  const { outcome, names } = finished;
  return (
    <div class="compare-results" aria-label="Results" role="region">
      <section class="compare-card" aria-labelledby="compare-table">
        <div class="compare-bar">
          <div>
            <h2 id="compare-table">Figures</h2>
            {outcome.pairs.length > 1 && <p class="compare-lead">The median of {outcome.pairs.length} seeds, and the range.</p>}
          </div>
          <div class="compare-tools">
            <Button small icon="save" onClick={() => save("comparison.csv", toCsv(outcome, names))}>CSV</Button>
            <Button small icon="save" onClick={() => save("comparison.json", toJson(outcome, names))}>JSON</Button>
          </div>
        </div>
        <Table rows={rowsOf(outcome.pairs)} />
        <Differences finished={finished} />
      </section>
      <div class="compare-card"><PartingView outcome={outcome} /></div>
      <div class="compare-card"><Charts {...outcome} /></div>
    </div>
  );
}

function Table({ rows }: { readonly rows: readonly Row[] }) {
  return (
    <div class="compare-scroll" tabIndex={0} role="region" aria-label="Figures of both runs">
      <table class="compare-table">
        <thead><tr><th scope="col">Figure</th><th scope="col">A</th><th scope="col">B</th><th scope="col">B against A</th></tr></thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.label}>
              <th scope="row">{row.label}{row.meaning && <small>{row.meaning}</small>}</th>
              <Value row={row} values={row.a} />
              <Value row={row} values={row.b} />
              <Difference row={row} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The median, and below it the range over the seeds. */
function Value({ row, values }: { readonly row: Row; readonly values: readonly number[] }) {
  const range = rangeText(row, values);
  return <td>{valueText(row, median(values))}{range && <small class="compare-range">{range}</small>}</td>;
}

function Difference({ row }: { readonly row: Row }) {
  const { middle, range } = differencesText(row);
  const judged = judgement(row);
  return (
    <td class={judged && `compare-${judged}`}>
      {middle}{judged && <small>{judgementWords[judged]}</small>}{range && <small class="compare-range">{range}</small>}
    </td>
  );
}

function Differences({ finished: { outcome } }: { readonly finished: Finished }) {
  const { differ: d } = outcome;
  return (
    <p class="compare-note">
      {outcome.pairs.length > 1 ? `${outcome.a.scenario.title}: of` : "Of"} {count(d.both, "ask")} placed in both runs, in B {d.moved.toLocaleString("en-GB")} went to another node, {d.earlier.toLocaleString("en-GB")} earlier
      and {d.later.toLocaleString("en-GB")} later. {d.onlyA.toLocaleString("en-GB")} were placed only in A, {d.onlyB.toLocaleString("en-GB")} only in B.
    </p>
  );
}
