import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { cluster, freePort, Host, needsProgram, queues } from "./host";
import { openAt } from "./page";

needsProgram();

test("when the host is killed the page says so, and goes on behind the last decision once it is back", async ({ page }) => {
  test.slow();
  const data = mkdtempSync(join(tmpdir(), "quern-dashboard-"));
  const port = await freePort();
  let host = await Host.start(["--data", data], port);
  try {
    await host.send({ type: "config.set", config: queues }, ...cluster);
    await openAt(page, host, "#/decisions");
    const rows = page.locator(".stream-row");
    await expect(page.getByRole("button", { name: /epoch placed on n1/ })).toBeVisible();
    const before = await rows.count();
    await host.stop("SIGKILL");
    await expect(page.getByRole("status").getByText("Not connected")).toBeVisible();
    await expect(page.locator(".banner")).toContainText("This page may be out of date.");
    await expect(page.locator(".banner")).toContainText(/tries again in ([4-9]|1\d)s/, { timeout: 20_000 }); // long enough to be faster by hand
    host = await Host.start(["--data", data], port);
    await host.send({ type: "node.add", id: "after", capacity: { vcore: 1 } });
    await page.locator(".banner").getByRole("button", { name: "Try now" }).click();
    await expect(page.getByRole("status").getByText("Live")).toBeVisible();
    await expect(page.getByRole("button", { name: /after joined the cluster/ })).toBeVisible();
    expect(await rows.count()).toBe(before + 1); // nothing twice, nothing missing
  } finally {
    await host.stop();
    rmSync(data, { recursive: true });
  }
});

test("a host that has begun anew is read anew", async ({ page }) => {
  const port = await freePort();
  let host = await Host.start(["--ephemeral"], port);
  try {
    await host.send({ type: "config.set", config: queues }, ...cluster);
    await openAt(page, host, "#/nodes");
    await expect(page.getByRole("link", { name: "n1" })).toBeVisible();
    await host.stop();
    host = await Host.start(["--ephemeral"], port);
    await expect(page.getByRole("status").getByText("Live")).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText("The cluster has no nodes yet.")).toBeVisible({ timeout: 20_000 });
    await host.send({ type: "node.add", id: "fresh", capacity: { vcore: 1 } });
    await expect(page.getByRole("link", { name: "fresh" })).toBeVisible();
  } finally {
    await host.stop();
  }
});

test("decisions that are kept no longer end what the page knew, and it begins with the last ones", async ({ page }) => {
  const host = await Host.start();
  try {
    await host.send(...cluster.slice(0, 2));
    let compacted = 0;
    await page.route("**/v1/decisions*", async (route) => {
      const resumes = route.request().headers()["last-event-id"] !== undefined;
      if (!resumes) return route.continue();
      compacted++;
      return route.fulfill({ status: 410, contentType: "application/problem+json", body: JSON.stringify({ type: "urn:quern:problem:compacted", title: "These decisions have been compacted", status: 410, first: 2 }) });
    });
    await openAt(page, host, "#/decisions");
    await expect(page.getByRole("button", { name: /n1 joined/ })).toBeVisible();
    await page.evaluate(() => dispatchEvent(new Event("online"))); // connects anew
    await expect.poll(() => compacted).toBeGreaterThan(0);
    await expect(page.getByRole("status").getByText("Live")).toBeVisible();
    await host.send({ type: "node.add", id: "next", capacity: { vcore: 1 } });
    await expect(page.getByRole("button", { name: /next joined/ })).toBeVisible();
  } finally {
    await host.stop();
  }
});
