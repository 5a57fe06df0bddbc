import { GateReportView } from "../compare/gate-report";
import type { Passed } from "../compare/library";
import { Button } from "../ui/button";
import { amount } from "../ui/format";
import { Icon } from "../ui/icons";
import { Panel } from "../ui/panel";
import { build, cancel, stage, type Built } from "./work";

/** What the compiler made of the text, and what gate and trial say of it. */
export function ModulePanel() {
  return <Panel title="Module" class="policy-module"><Body /></Panel>;
}

function Body() {
  const now = stage.value;
  switch (now.is) {
    case "idle": return <p role="status">Nothing has been compiled yet.</p>;
    case "compiling": return <Busy>Compiling… The first time, the compiler is loaded and started, which may take ten seconds.</Busy>;
    case "trying": return <Busy>Compiled. The gate and the trial check it…</Busy>;
    case "refused": return <p role="status" class="policy-error"><Icon name="bad" /> There is no module: the problems below the text say why.</p>;
    case "ended":
      return (
        <>
          <p role="status" class="policy-error"><Icon name="bad" /> No verdict: {now.why}.</p>
          <Button small onClick={() => { void build(); }}>Try again</Button>
        </>
      );
    case "built": return <Passing built={now.built} />;
  }
}

function Busy({ children }: { readonly children: string }) {
  return (
    <div class="policy-busy">
      <p role="status">{children}</p>
      <Button small icon="close" onClick={cancel}>Cancel</Button>
    </div>
  );
}

function Passing({ built: { loaded, bytes, compiled } }: { readonly built: Built }) {
  const { name } = loaded;
  const report: Passed = { name, file: `${name}.wasm`, size: bytes.length, bytes, limits: {}, texts: {}, result: { kind: "passed", loaded } };
  return (
    <>
      <p role="status" class="policy-none"><Icon name="good" /> <b>{name}</b> passed the gate and its trial: {amount("memory", bytes.length)}, compiled in {(compiled.took / 1000).toFixed(1)} s.</p>
      <p class="policy-note">It answers {loaded.points.map((point, i) => <>{i > 0 && ", "}<code key={point}>{point}</code></>)}.</p>
      <GateReportView candidate={report} />
    </>
  );
}
