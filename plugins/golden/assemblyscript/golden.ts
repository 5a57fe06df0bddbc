// The golden policy in AssemblyScript: every SDK has it in its language, and all answer with the same bytes.
import { BAD_FRAME, Frame, OK, Text, Value, manifest, parameters, texts } from "quern";
export * from "quern/module";

manifest(`{
  "name": "golden",
  "version": "1.0.0",
  "abi": "1.3",
  "description": "The policy that every SDK is tested with",
  "parameters": {"weight": {"type": "number", "default": 1}},
  "points": {
    "app.order": {"columns": ["used:vcore", "tag:rank=-1", "tag_code:team"], "keys": 2, "depends": "row"},
    "ask.order": {"columns": ["gang_size", "gang_min", "user_code", "placeholder"], "keys": 3, "depends": "row"},
    "node.filter": {"columns": ["domain:rack", "domain_free:rack:vcore=-1", "domain_fits"], "keys": 1, "depends": "ask"},
    "node.score": {"columns": ["free:vcore", "ask:vcore"], "keys": 1, "depends": "ask"},
    "queue.order": {"columns": ["pending_share"], "keys": 1, "depends": "siblings"},
    "victim.rank": {"columns": ["walltime=-1", "ask_priority"], "keys": 2, "depends": "row"}
  }
}`);

let weight: f64 = 1;
let gold: f64 = 0; // code of the text, 0 where it has not come up

parameters((name: Text, value: Value): u32 => {
  if (name.is("weight")) weight = value.number();
  return OK;
});

texts((code: u32, text: Text): void => {
  if (text.is("gold")) gold = code;
});

// The least used and lowest ranked first, and of equals the team "gold".
export function app_order(at: usize): u32 {
  const frame = Frame.open(at, 2);
  if (frame == null) return BAD_FRAME;
  const used = frame.column(0), rank = frame.column(1), team = frame.column(2);
  for (let i: u32 = 0; i < frame.asked; i++) {
    const row = frame.row(i);
    const code = team.at(row);
    frame.answer(row, 0, used.at(row) * weight + rank.at(row));
    frame.answer(row, 1, code == 0 ? 0 : code == gold ? -1 : 1);
  }
  return OK;
}

// Gangs that need more members than they have last, placeholders before others, and of equals the user "gold".
export function ask_order(at: usize): u32 {
  const frame = Frame.open(at, 3);
  if (frame == null) return BAD_FRAME;
  const size = frame.column(0), min = frame.column(1), user = frame.column(2), placeholder = frame.column(3);
  for (let i: u32 = 0; i < frame.asked; i++) {
    const row = frame.row(i);
    const code = user.at(row), lacking = min.at(row) - size.at(row);
    frame.answer(row, 0, lacking > 0 ? lacking : 0);
    frame.answer(row, 1, -placeholder.at(row));
    frame.answer(row, 2, code != 0 && code == gold ? 0 : 1);
  }
  return OK;
}

// Racks without room for more asks than the weight are refused, but not the one named "gold".
export function node_filter(at: usize): u32 {
  const frame = Frame.open(at, 1);
  if (frame == null) return BAD_FRAME;
  const rack = frame.column(0), left = frame.column(1), fits = frame.column(2);
  for (let i: u32 = 0; i < frame.asked; i++) {
    const row = frame.row(i);
    const code = rack.at(row), refused: f64 = left.at(row) > 0 ? 1 : 2;
    const named = code != 0 && code == gold;
    frame.answer(row, 0, named || fits.at(row) > weight ? 0 : refused);
  }
  return OK;
}

// Those are best that have most left beside the ask.
export function node_score(at: usize): u32 {
  const frame = Frame.open(at, 1);
  if (frame == null) return BAD_FRAME;
  const free = frame.column(0), ask = frame.column(1);
  for (let i: u32 = 0; i < frame.asked; i++) {
    const row = frame.row(i);
    frame.answer(row, 0, (free.at(row) - ask.at(row)) * weight);
  }
  return OK;
}

// The smallest part of what is pending first.
export function queue_order(at: usize): u32 {
  const frame = Frame.open(at, 1);
  if (frame == null) return BAD_FRAME;
  const share = frame.column(0);
  let sum: f64 = 0;
  for (let i: u32 = 0; i < frame.asked; i++) sum += share.at(frame.row(i));
  for (let i: u32 = 0; i < frame.asked; i++) {
    const row = frame.row(i);
    frame.answer(row, 0, sum != 0 ? share.at(row) / sum : 0);
  }
  return OK;
}

// The longest walltime first, an ask without one before all others; of equals the lowest priority.
export function victim_rank(at: usize): u32 {
  const frame = Frame.open(at, 2);
  if (frame == null) return BAD_FRAME;
  const walltime = frame.column(0), priority = frame.column(1);
  for (let i: u32 = 0; i < frame.asked; i++) {
    const row = frame.row(i);
    const limit = walltime.at(row);
    frame.answer(row, 0, limit < 0 ? -Infinity : -limit * weight);
    frame.answer(row, 1, priority.at(row));
  }
  return OK;
}
