import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/touch.css";
import "./app.css";
import { useEffect, useRef } from "preact/hooks";
import { Compare } from "./compare/compare";
import { Configure } from "./configure/configure";
import { PageHeader, viewNames } from "./header";
import { Lessons } from "./learn/lessons";
import { Transport } from "./play/transport";
import { PolicyView } from "./policy/policy";
import { Scenarios } from "./scenarios/scenarios";
import { ClusterView } from "./see/cluster";
import { NewVersion } from "./offline/version";
import { DropAnywhere } from "./share/drop";
import { embedded } from "./share/link";
import { waiting } from "./share/waiting";
import { phase, selection, title, view, type View } from "./state/store";
import { Help } from "./ui/help";
import { Notices } from "./ui/notices";
import { Question } from "./ui/question";
import { Welcome } from "./welcome/welcome";
import { Crash, Loading, Unsupported, Working } from "./ui/screens";

const panels: Record<View, () => preact.JSX.Element | null> = {
  cluster: ClusterView, configure: Configure, compare: Compare, policy: PolicyView, scenarios: Scenarios, learn: Lessons,
};

/** Where the present moment matters: what is shown is of it, a configuration comes into force at it, a scenario is written up to it. */
const timed: ReadonlySet<View> = new Set<View>(["cluster", "configure", "scenarios"]);

export function App() {
  return <>{!embedded && <DropAnywhere />}<Phase /></>;
}

function Phase() {
  switch (phase.value) {
    case "loading": return <Loading waiting={waiting.value} />;
    case "unsupported": return <Unsupported />;
    case "crashed": return <Crash />;
    case "ready": return <Page />;
  }
}

function Page() {
  const main = useRef<HTMLElement>(null);
  const Shown = panels[view.value];
  const name = viewNames[view.value];
  useEffect(() => {
    const picked = view.value === "cluster" && selection.value ? [selection.value.kind === "decision" ? `Decision ${selection.value.id}` : selection.value.id] : [];
    document.title = [...picked, name, title.value, "Quern playground"].filter(Boolean).join(" · ");
  }, [name, title.value, selection.value]);
  const skip = (event: Event) => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <div class={embedded ? "app app-embedded" : "app"}>
      <a class="skip" href="#/cluster" onClick={skip}>To the content</a>
      {!embedded && <PageHeader />}
      {view.value === "cluster" && <Welcome />}
      <main ref={main} class={`app-main app-${view.value}`} tabIndex={-1}>
        <h1 class="sr">{name}{title.value && `: ${title.value}`}</h1>
        <Shown />
      </main>
      {timed.has(view.value) && <div class="app-transport"><Transport /></div>}
      <Working />
      <Notices />
      <NewVersion />
      <Help />
      <Question />
    </div>
  );
}
