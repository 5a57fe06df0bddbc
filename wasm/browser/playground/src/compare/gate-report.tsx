import type { GateReport } from "../engine/modules";
import { amount, count } from "../ui/format";
import { manifestOf, type Passed } from "./library";

const whole = (n: number) => n.toLocaleString("en-GB");

const depends = { row: "each row by itself", siblings: "all rows together", ask: "the row and the ask" } as const;

/** What the gate and the trial found. */
export function GateReportView({ candidate }: { readonly candidate: Passed }) {
  const { loaded } = candidate.result;
  const report = loaded.report as GateReport;
  const manifest = manifestOf(candidate);
  const pages = report.memory;
  return (
    <details class="compare-report">
      <summary>What the gate and the trial found</summary>
      <dl class="compare-facts">
        <dt>Module</dt><dd>{manifest.name} {manifest.version}, for version {manifest.abi} of the contract</dd>
        <dt>Size</dt><dd>{whole(report.bytes)} bytes: {whole(report.codeBytes)} of code in {count(report.functions, "function")}, {whole(report.dataBytes ?? 0)} of data</dd>
        {pages && <><dt>Memory</dt><dd>starts with {amount("memory", pages.min << 16)}, at most {amount("memory", pages.max * 65536)}</dd></>}
        <dt>Imports</dt><dd>{report.imports?.map((one) => `${one.module}.${one.name}${one.signature}`).join(", ") ?? "none"}</dd>
        <dt>Features</dt><dd>{report.features?.join(", ") ?? "none beyond the first version of WebAssembly"}{report.start && "; it has a start function"}</dd>
        <dt>Hash</dt><dd><code>{loaded.sha256}</code></dd>
      </dl>
      <div class="compare-scroll" tabIndex={0} role="region" aria-label="Points of the module">
        <table>
          <thead><tr><th scope="col">Point</th><th scope="col">Columns</th><th scope="col">Keys</th><th scope="col">Looks at</th><th scope="col">Falls back to</th><th scope="col">Fuel of a call about one item</th></tr></thead>
          <tbody>
            {Object.entries(manifest.points).map(([point, spec]) => (
              <tr key={point}>
                <th scope="row"><code>{point}</code></th><td class="compare-wrap">{spec.columns.join(", ") || "none"}</td><td>{spec.keys}</td><td>{depends[spec.depends]}</td>
                <td>{spec.fallback ?? "the default"}</td><td>{whole(report.fuel[point] ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
