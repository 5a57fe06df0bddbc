import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Scenario } from "../model/scenario";
import { readAddress } from "../ui/address";
import { fromFragment, lessonFragment, toFragment } from "./link";
import { pack } from "./packed";

const said = vi.hoisted(() => vi.fn());
vi.mock("../state/notices", () => ({ say: said }));

beforeEach(() => said.mockClear());

const whole: Scenario = {
  title: "Drei Knoten — ümläut ✓", lesson: "first-steps", journal: '{"type":"tick","at":"1s"}\n'.repeat(50), config: { text: "partitions: []", format: "toml" },
  grace: 30, begin: 1.5, speed: 100,
};

describe("a scenario in a link", () => {
  it("comes back as it was", async () => {
    expect(await fromFragment(await toFragment(whole))).toEqual(whole);
    const bare: Scenario = { title: "", journal: "", speed: Infinity };
    expect(await fromFragment(await toFragment(bare))).toEqual(bare);
    expect(said).not.toHaveBeenCalled();
  });

  it("is found beside other parameters, and only where there is one", async () => {
    expect(await fromFragment(`${await toFragment(whole)}&embed=1`)).toEqual(whole);
    for (const hash of ["", "#", "#/learn", "#lesson=first"]) expect(await fromFragment(hash)).toBeUndefined();
    expect(said).not.toHaveBeenCalled();
  });

  it("keeps modules out", async () => {
    const back = await fromFragment(await toFragment({ ...whole, modules: [{ name: "m", bytes: new Uint8Array(9) }] }));
    expect(back).toEqual(whole);
  });

  it("never unpacks more than its bound", async () => {
    const bomb = await pack(JSON.stringify({ t: "", j: " ".repeat(64 << 20) }));
    expect(bomb.length).toBeLessThan(100_000);
    expect(await fromFragment(`#s=${bomb}`)).toBeUndefined();
    expect(said.mock.calls[0]).toEqual(["error", expect.stringContaining("expected at most 4194304 bytes, found more")]);
  });

  it("is named as unreadable when it is something else", async () => {
    for (const junk of ["null", "3", "[]", '{"t":1,"j":""}', '{"t":"","j":"","b":-1}', '{"t":"","j":"","g":1e300}', '{"t":"","j":"","c":{}}', '{"t":"","j":"","l":1}', "{"]) {
      said.mockClear();
      expect(await fromFragment(`#s=${await pack(junk)}`)).toBeUndefined();
      expect(said).toHaveBeenCalledOnce();
    }
  });

  it("survives random bytes, and links that were cut or changed", async () => {
    const good = (await toFragment(whole)).slice(3);
    const random = randomNumbers(7);
    for (let i = 0; i < 400; i++) {
      const junk = Array.from({ length: random() % 200 }, () => String.fromCharCode(random() % (i % 3 === 0 ? 0x3000 : 128))).join("");
      const at = random() % good.length;
      for (const hash of [junk, good.slice(0, at), good.slice(0, at) + junk.slice(0, 3) + good.slice(at + 2)]) {
        await expect(fromFragment(`#s=${hash}`)).resolves.toSatisfy((back) => back === undefined || typeof (back as Scenario).journal === "string");
      }
    }
  });
});

describe("a lesson in a link", () => {
  it("is named", () => {
    expect(readAddress(lessonFragment("first-steps"))).toMatchObject({ lesson: "first-steps" });
    expect(readAddress(lessonFragment("first-steps", 2))).toMatchObject({ lesson: "first-steps", step: 3 });
    for (const hash of ["", "#/learn"]) expect(readAddress(hash).lesson).toBeUndefined();
  });
});

/** Numbers that are the same each time. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 8;
}
