import "./ui/tokens.css";
import "./ui/base.css";
import "./app.css";
import { useRef } from "preact/hooks";
import { Compare } from "./compare/compare";
import { Configure } from "./configure/configure";
import { PageHeader } from "./header";
import { Lessons } from "./learn/lessons";
import { Scenarios } from "./scenarios/scenarios";
import { ClusterView } from "./see/cluster";
import { embedded } from "./share/link";
import { phase, view, type View } from "./state/store";
import { Help } from "./ui/help";
import { Notices } from "./ui/notices";
import { Crash, Loading, Unsupported, Working } from "./ui/screens";

const panels: Record<View, () => preact.JSX.Element | null> = {
  cluster: ClusterView, configure: Configure, compare: Compare, scenarios: Scenarios, learn: Lessons,
};

export function App() {
  switch (phase.value) {
    case "loading": return <Loading />;
    case "unsupported": return <Unsupported />;
    case "crashed": return <Crash />;
    case "ready": return <Page />;
  }
}

function Page() {
  const main = useRef<HTMLElement>(null);
  const Shown = panels[view.value];
  const skip = (event: Event) => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <div class={embedded ? "app app-embedded" : "app"}>
      <a class="skip" href="#/cluster" onClick={skip}>To the content</a>
      {!embedded && <PageHeader />}
      <main ref={main} class={`app-main app-${view.value}`} tabIndex={-1}><Shown /></main>
      <Working />
      <Notices />
      <Help />
    </div>
  );
}
