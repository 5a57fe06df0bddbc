import "../ui/tokens.css";
import "../ui/base.css";
import "../ui/touch.css";
import "../why/inspector.css";
import "./dashboard.css";
import { useEffect, useRef } from "preact/hooks";
import { Around, type Surroundings } from "../why/around";
import { Header } from "../ui/header";
import { Notices } from "../ui/notices";
import { Applications } from "./apps";
import { Asks } from "./asks";
import { Configuration } from "./configuration/configuration";
import { Decisions } from "./decisions";
import { Gangs } from "./gangs";
import { hostNow, timeOfDay } from "./host/times";
import { Nodes } from "./nodes";
import { Overview } from "./overview";
import { Policies } from "./policies/policies";
import { knownQueue } from "./queue-tree";
import { Queues } from "./queues";
import { addressOf, addressOfPicked, go, place, viewNames, views, type View } from "./route";
import { Banner, Simulated, Status } from "./status";
import { Timeline } from "./timeline";
import { TokenDialog } from "./token-dialog";
import { WhatIf } from "./what-if";

const panels: Record<View, () => preact.JSX.Element | null> = {
  overview: Overview, queues: Queues, applications: Applications, asks: Asks, gangs: Gangs, nodes: Nodes, decisions: Decisions, timeline: Timeline, policies: Policies,
  configuration: Configuration,
};

const around: Surroundings = {
  pick: (one) => { go(addressOfPicked(one)); },
  now: () => hostNow() * 1e6,
  time: (at) => timeOfDay(at / 1e6),
  queue: knownQueue,
};

export function Dashboard() {
  const main = useRef<HTMLElement>(null);
  const { view, name } = place.value;
  const Shown = panels[view];
  useEffect(() => {
    document.title = [name, viewNames[view], "Quern dashboard"].filter(Boolean).join(" · ");
  }, [view, name]);
  useEffect(() => {
    document.querySelector(".header-views [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }); // on a narrow screen not all fit
  }, [view]);
  const skip = (event: Event) => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <Around.Provider value={around}>
      <div class="app">
        <a class="skip" href={addressOf(view)} onClick={skip}>To the content</a>
        <div class="top">
          <Header page="dashboard" title={location.host} views={views.map((name) => ({ name: viewNames[name], address: addressOf(name), current: name === view }))}
            tools={<><Simulated /><Status /><WhatIf /></>} />
          <Banner />
        </div>
        <main ref={main} class="main" tabIndex={-1}>
          <h1 class="sr">{viewNames[view]}{name !== "" && `: ${name}`}</h1>
          <Shown />
        </main>
        <Notices />
        <TokenDialog />
      </div>
    </Around.Provider>
  );
}
