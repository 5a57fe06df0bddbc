import { Component } from "preact";
import { count, whole } from "../ui/format";
import { Icon } from "../ui/icons";
import { Meter } from "../ui/meter";
import { Swatch } from "./swatch";
import type { AppRow, MoreRow, QueueRow, Row } from "./tree-rows";
import { isOver } from "./tree-rows";

export interface Looks {
  /** Is selected. */
  readonly selected: boolean;
  /** Has to do with what is selected. */
  readonly related: boolean;
  /** Is where Tab goes to. */
  readonly active: boolean;
  /** With the line of small print, as the one that is selected has in any case. */
  readonly detailed: boolean;
  /** With a button for what can be done. */
  readonly acts: boolean;
}

interface RowProps {
  readonly row: Row;
  readonly looks: Looks;
}

/** One line of the tree, drawn again for other objects only. Clicks are served by the tree, which finds the row by data-row. */
export class TreeRow extends Component<RowProps> {
  override shouldComponentUpdate({ row, looks }: RowProps) {
    return row !== this.props.row || looks !== this.props.looks;
  }

  override render() {
    return <Line {...this.props} />;
  }
}

function Line({ row, looks }: RowProps) {
  const { level, at, of, open } = row.place;
  const classes = ["tree-row", `tree-${row.kind}`, looks.related && "tree-related"].filter(Boolean).join(" ");
  return (
    <li class={classes} role="treeitem" data-row={row.id} data-level={Math.min(level, 9)} aria-level={level} aria-posinset={at} aria-setsize={of} aria-expanded={open} aria-selected={looks.selected}
      aria-label={nameFor(row)} tabIndex={looks.active ? 0 : -1} style={{ "--level": level - 1 }}>
      {row.kind === "queue" && <Queue row={row} detailed={looks.detailed || looks.selected} acts={looks.acts} />}
      {row.kind === "app" && <App row={row} acts={looks.acts} />}
      {row.kind === "more" && <span class="tree-label">{count(row.count, "more application")}</span>}
    </li>
  );
}

function Queue({ row, detailed, acts }: { readonly row: QueueRow; readonly detailed: boolean; readonly acts: boolean }) {
  const { use } = row;
  return (
    <>
      <span class="tree-line">
        <i class="tree-fold" data-fold>{row.place.open !== undefined && <Icon name="down" />}</i>
        <b class="tree-label" title={row.id}>{row.name}</b>
        {row.badges.map((badge) => <span key={badge.text} class="tree-badge tree-unusual" title={badge.meaning}>{badge.text}</span>)}
        {row.pending > 0 && <span class="tree-pending" title="Asks without a node, in the queue and below">{whole(row.pending)} pending</span>}
        {acts && <Act />}
      </span>
      <span class="tree-line tree-use" title={use.label}>
        <Meter label={use.label} used={use.used} full={use.full} guaranteed={use.guaranteed} max={use.max} />
        <b class="tree-amount">{use.text.used}</b>
        <span class="tree-amount">{use.text.guaranteed}</span>
        <span class={use.max === use.full ? "tree-amount" : "tree-amount tree-inherited"}>{use.text.max}</span>
      </span>
      {detailed && <span class="tree-small"><SmallPrint row={row} /></span>}
    </>
  );
}

function SmallPrint({ row }: { readonly row: QueueRow }) {
  return (
    <>
      {row.settings.map((setting) => <span key={setting.text} class="tree-badge" title={setting.meaning}>{setting.text}</span>)}
      <span title={`How much more ${row.use.type} may be used`}>headroom {row.headroom}</span>
      <span title="Running applications, and how many may run at once">{row.running}</span>
      {row.priority !== undefined && <span title="The priority that it shows to its parent: the highest priority of its pending asks">priority {whole(row.priority)}</span>}
      {row.sort && <span title="How its applications are ordered">{row.sort}</span>}
      <span title="Fair share: its usage divided by its guarantee or its max. Among queues of equal priority the smallest comes first.">share {row.share}</span>
    </>
  );
}

function App({ row, acts }: { readonly row: AppRow; readonly acts: boolean }) {
  return (
    <span class={isOver(row.state) ? "tree-line tree-over" : "tree-line"}>
      <Swatch app={row.id} />
      <span class="tree-label" title={row.id}>{row.id}</span>
      <small>{row.state}</small>
      <span class="tree-asks">
        {row.pending > 0
          ? <span class="tree-pending" title={`Asks: ${whole(row.pending)} pending, ${whole(row.allocated)} allocated`}>{row.allocated > 0 ? `${whole(row.pending)} of ${whole(row.pending + row.allocated)}` : whole(row.pending)} pending</span>
          : row.allocated > 0 && <small>{whole(row.allocated)} allocated</small>}
      </span>
      {acts && <Act />}
    </span>
  );
}

/** Opens the context menu; keys do it by Shift+F10. */
function Act() {
  return <button type="button" class="tree-act" data-act aria-label="Actions" title="Actions" tabIndex={-1}><Icon name="more" /></button>;
}

function nameFor(row: Row): string {
  switch (row.kind) {
    case "queue": return queueName(row);
    case "app": return `${row.id}, ${row.state}, ${row.allocated} allocated, ${row.pending} pending`;
    case "more": return moreName(row);
  }
}

function queueName(row: QueueRow): string {
  return [row.name, row.use.label, ...[...row.badges, ...row.settings].map(({ text }) => text), `headroom ${row.headroom}`, row.running, `${count(row.pending, "ask")} pending`].join(", ");
}

function moreName(row: MoreRow): string {
  return `${count(row.count, "more application")}: show them`;
}
