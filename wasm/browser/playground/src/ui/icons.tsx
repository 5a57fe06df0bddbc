/** The drawings of the page, 16 by 16, in strokes of the text's colour. */
const drawings = {
  add: "M8 3v10M3 8h10",
  app: "M3 5.5 8 3l5 2.5v5L8 13l-5-2.5zM3 5.5 8 8l5-2.5M8 8v5",
  ask: "M3.5 3.5h9v9h-9zM6 8h4",
  auto: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  back: "M12 3.5v9L6 8zM4 3.5v9",
  bad: "M4 4l8 8M12 4l-8 8",
  chart: "M2.5 13.5h11M4 11V8M8 11V3.5M12 11V6",
  close: "M4 4l8 8M12 4l-8 8",
  copy: "M5.5 5.5h8v8h-8zM3 10.5H2.5v-8h8V3",
  down: "M4 6l4 4 4-4",
  good: "M3.5 8.5l3 3 6-7",
  help: "M6 6.2a2 2 0 1 1 2.8 1.9C8.2 8.4 8 8.8 8 9.5M8 12v.1",
  info: "M8 7.5v4M8 4.6v.1M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8z",
  link: "M6.5 9.5l3-3M7 5l1.5-1.5a2.5 2.5 0 0 1 4 4L11 9M9 11l-1.5 1.5a2.5 2.5 0 0 1-4-4L5 7",
  list: "M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4v.1M2.5 8v.1M2.5 12v.1",
  more: "M8 3.4v.1M8 8v.1M8 12.5v.1",
  moon: "M12.8 9.6A5.4 5.4 0 0 1 6.4 3.2a5.4 5.4 0 1 0 6.4 6.4z",
  node: "M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5v.1M5 11v.1",
  open: "M8 10.5v-8M5 5.5l3-3 3 3M3 10v3.5h10V10",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  play: "M5 3v10l8-5z",
  queue: "M3 3.5h6M6 8h7M6 12.5h7M3.5 3.5v9H6M3.5 8H6",
  save: "M8 2.5v8M5 7.5l3 3 3-3M3 11v2.5h10V11",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3 13.5 13.5",
  share: "M8 10V2.5M5.3 5 8 2.3 10.7 5M4.5 7H3.2v6.5h9.6V7h-1.3",
  step: "M4 3.5v9L10 8zM12 3.5v9",
  sun: "M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
  table: "M2.5 3.5h11v9h-11zM2.5 6.5h11M2.5 9.5h11M6.5 3.5v9",
  undo: "M6 3 3 6l3 3M3.2 6H10a3.2 3.2 0 0 1 0 6.5H6.5",
  redo: "M10 3l3 3-3 3M12.8 6H6a3.2 3.2 0 0 0 0 6.5h3.5",
  time: "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM8 4.5V8l2.5 1.5",
  toEnd: "M3 3.5v9L8 8zM8 3.5v9L13 8zM13.5 3.5v9",
  toStart: "M13 3.5v9L8 8zM8 3.5v9L3 8zM2.5 3.5v9",
  up: "M4 10l4-4 4 4",
  users: "M6 3a2.3 2.3 0 1 1 0 4.6A2.3 2.3 0 0 1 6 3zM2 13c0-2.4 1.8-3.8 4-3.8s4 1.4 4 3.8M10.5 3.2a2.2 2.2 0 0 1 0 4.2M11.8 9.4c1.4.4 2.4 1.6 2.4 3.6",
  warn: "M8 2.5l6 11H2zM8 7v3M8 11.7v.1",
} as const;

export type IconName = keyof typeof drawings;

/** A drawing without a meaning of its own: the control around it has the name. */
export function Icon({ name }: { readonly name: IconName }) {
  return <svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d={drawings[name]} /></svg>;
}

/** The mark of the project, as in reports. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 40 40" aria-hidden="true">
      <circle cx="20" cy="20" r="18" /><circle cx="20" cy="20" r="4.5" />
      <path d="M20 2v13.5M20 24.5V38M2 20h13.5M24.5 20H38M7.3 7.3l9.5 9.5M23.2 23.2l9.5 9.5M32.7 7.3l-9.5 9.5M16.8 23.2l-9.5 9.5" />
    </svg>
  );
}
