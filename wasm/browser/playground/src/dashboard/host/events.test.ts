import { expect, test } from "vitest";
import { EventReader } from "./events";

test("events come whole, wherever the stream is cut", () => {
  const text = "id: 7\ndata: {\"seq\":7}\n\n:\n\nid: 8\r\ndata: a\r\ndata: b\r\n\r\nevent: end\ndata: stopping\n\n";
  for (let cut = 0; cut <= text.length; cut++) {
    const reader = new EventReader();
    const events = [...reader.push(text.slice(0, cut)), ...reader.push(text.slice(cut))];
    expect(events, `cut at ${cut}`).toEqual([
      { id: "7", type: "", data: "{\"seq\":7}" }, { id: "8", type: "", data: "a\nb" }, { id: "8", type: "end", data: "stopping" },
    ]);
  }
});

test("a sign of life, an unknown field and what is not ended are no events", () => {
  expect(new EventReader().push(":\n\nretry: 5\n\nnonsense\n\ndata: half")).toEqual([]);
});
