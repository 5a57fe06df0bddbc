import { afterEach, expect, test, vi } from "vitest";
import { remove, rollBack, upload, uploadsOf } from "./files";

const file = (name: string, text = name) => new File([text], name);
const asked: { path: string; method: string | undefined; headers: HeadersInit | undefined; body: BodyInit | null | undefined }[] = [];
const answering = (response: () => Response) => {
  vi.stubGlobal("fetch", (path: string, { method, headers, body }: RequestInit) => {
    asked.push({ path, method, headers, body });
    return Promise.resolve(response());
  });
};
afterEach(() => {
  vi.unstubAllGlobals();
  asked.length = 0;
});

test("files are put together by their module, and what is none is left out", () => {
  const wasm = file("b.v2.wasm");
  const toml = file("b.v2.toml");
  const alone = file("a.wasm");
  expect(uploadsOf([wasm, file("notes.txt"), alone, toml, file(".wasm")])).toEqual({
    list: [{ name: "a", module: alone }, { name: "b.v2", module: wasm, settings: toml }], others: ["notes.txt", ".wasm"],
  });
});

test("a module goes with its settings in a form, and each alone as what it is", async () => {
  answering(() => Response.json({}));
  const [module, settings] = [file("a b.wasm"), file("a b.toml")];
  await upload({ name: "a b", module, settings });
  await upload({ name: "a b", module });
  await upload({ name: "a b", settings });
  expect(asked.map(({ path, method }) => `${method ?? ""} ${path}`)).toEqual(Array(3).fill("PUT v1/policies/a%20b"));
  const form = asked[0]?.body as FormData;
  expect([...form.keys()]).toEqual(["module", "settings"]);
  expect(asked.slice(1).map(({ headers, body }) => [(headers as Record<string, string>)["Content-Type"], body])).toEqual([["application/wasm", module], ["application/toml", settings]]);
});

test("a refusal has the words of the gate", async () => {
  answering(() => Response.json({ type: "urn:quern:problem:policy_refused", title: "The module is refused", detail: "a.wasm: byte 0x0: bad-magic" }, { status: 422 }));
  await expect(upload({ name: "a", module: file("a.wasm") })).rejects.toThrow("The module is refused: a.wasm: byte 0x0: bad-magic");
  await expect(rollBack("a")).rejects.toThrow("bad-magic");
  await expect(remove("a")).rejects.toThrow("bad-magic");
  expect(asked.map(({ path, method }) => `${method ?? ""} ${path}`).slice(1)).toEqual(["POST v1/policies/a/rollback", "DELETE v1/policies/a"]);
});
