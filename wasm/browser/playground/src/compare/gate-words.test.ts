import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { refusalWords } from "./gate-words";

const codes = fileURLToPath(new URL("../../../../module/gate/error.go", import.meta.url));

test.skipIf(!existsSync(codes))("every code of the gate has words and help", () => {
  const all = [...readFileSync(codes, "utf8").matchAll(/Code = "([^"]+)"/g)].map(([, code]) => code ?? "");
  expect(all.length).toBeGreaterThan(30);
  for (const reason of all) expect(refusalWords({ code: "bad-module", message: "", reason }).help, reason).not.toBe("");
});

test("a refusal of the gate says what, where and what was found", () => {
  expect(refusalWords({ code: "bad-module", reason: "forbidden-import", section: "import", offset: 500, message: "import section, byte 0x1f4: forbidden-import: env.now: expected quern or WASI" })).toMatchObject({
    wrong: "An import that is not allowed", where: "import section, byte 500 (0x1f4)", detail: "env.now: expected quern or WASI", code: "forbidden-import",
  });
  expect(refusalWords({ code: "bad-module", reason: "too-deep", section: "code", offset: 9, message: "code section, function 7, byte 0x9: too-deep: too deep" }).where).toBe("code section, function 7, byte 9 (0x9)");
});

test("past the gate a refusal says which step it failed", () => {
  const wrong = (message: string) => refusalWords({ code: "bad-module", message }).wrong;
  expect(wrong("trial with 0 rows: out of fuel")).toBe("It failed its trial");
  expect(wrong("manifest: name: expected small letters")).toBe("Its manifest cannot be used");
  expect(wrong("quern_configure: returned 2")).toBe("It rejected its configuration");
  expect(wrong("unreachable")).toBe("It did not start");
});
