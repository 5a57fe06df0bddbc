import { expect, test } from "vitest";
import { submittedAt } from "./submitted";

const lines = [
  '{"at":"0s","type":"node.add","id":"n1","capacity":{}}',
  '{"at":"1s","type":"app.add","id":"web","queue":"root.a"}',
  '{"at":"2s","type":"ask.add","id":"web","app":"web","resources":{},"count":3}',
  '{"at":"3s","type":"ask.add","id":"one","app":"web","resources":{}}',
  '{"at":"4s","type":"node.drain","id":"n2"}',
];

test.each([
  ["node", "n1", "0s"], ["app", "web", "1s"], ["ask", "web-1", "2s"], ["ask", "web-3", "2s"], ["ask", "one", "3s"],
  ["ask", "web-4", undefined], ["ask", "web-0", undefined], ["ask", "web", undefined], ["app", "one", undefined], ["node", "n2", undefined], ["queue", "root.a", undefined],
] as const)("finds when %s %s is submitted: %s", (kind, id, at) => expect(submittedAt(lines, kind, id)).toBe(at));
