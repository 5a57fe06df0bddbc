import "./cluster.css";
import { useEffect, useRef } from "preact/hooks";
import { Lesson } from "../learn/lesson";
import { open } from "../learn/open";
import { Forms } from "../play/forms";
import { embedded } from "../share/link";
import { Tabs } from "../ui/tabs";
import { Inspector } from "../why/inspector";
import { Grid } from "./grid";
import { sizePanes } from "./pane-sizes";
import { section, type Section } from "./section";
import { Separator } from "./separator";
import { Stream } from "./stream";
import { Timelines } from "./timelines";
import { Tree } from "./tree";

const sections: readonly { readonly value: Section; readonly text: string }[] = [
  { value: "tree", text: "Queues" }, { value: "grid", text: "Nodes" }, { value: "side", text: "Inspector" }, { value: "time", text: "Time" }, { value: "stream", text: "Decisions" },
];
const withLesson: typeof sections = [{ value: "lesson", text: "Lesson" }, ...sections];

/** All panels about what runs. On a narrow screen one of them shows at a time. */
export function ClusterView() {
  const lesson = open.value !== undefined && !embedded;
  const shown = section.value === "lesson" && !lesson ? "tree" : section.value;
  const panes = useRef<HTMLDivElement>(null);
  useEffect(() => (panes.current && !embedded ? sizePanes(panes.current) : undefined), []);
  return (
    <div ref={panes} class={lesson ? "cluster cluster-taught" : "cluster"} data-section={shown}>
      <div class="cluster-sections"><Tabs label="Panels" value={shown} tabs={lesson ? withLesson : sections} onChange={(to) => (section.value = to)} /></div>
      <div class="cluster-tree" id="pane-tree"><Tree /></div>
      {!embedded && <Separator pane="tree" upright label="Between the queues and the cluster" />}
      <div class="cluster-grid"><Grid /></div>
      {!embedded && <Separator pane="low" upright={false} behind label="Between the nodes and the decisions" />}
      <div class="cluster-time" id="pane-time"><Timelines /></div>
      {!embedded && <Separator pane="time" upright label="Between the charts and the decisions" />}
      <div class="cluster-stream" id="pane-stream"><Stream /></div>
      {!embedded && <Separator pane="side" upright behind label="Between the cluster and the inspector" />}
      <div class="cluster-side" id="pane-side"><Lesson /><Inspector /></div>
      <Forms />
    </div>
  );
}
