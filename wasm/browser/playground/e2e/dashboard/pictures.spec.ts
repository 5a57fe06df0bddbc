// The picture of the dashboard in the documents.
import { expect, test } from "@playwright/test";
import { picture } from "../pictures";
import { Host, needsProgram } from "./host";
import { openAt } from "./page";

needsProgram();

const queues = `partitions:
  - name: default
    queues:
      - name: root
        queues:
          - name: services
            resources: { guaranteed: { vcore: 24 } }
            properties: { priority.offset: "10" }
          - name: research
            resources: { guaranteed: { vcore: 16 }, max: { vcore: 40 } }
            queues:
              - name: vision
                resources: { max: { vcore: 24 } }
              - name: language
          - name: batch
            resources: { max: { vcore: 16 } }
`;

test("the picture of the dashboard is of today", async ({ page }) => {
  const host = await Host.start();
  try {
    const many = (count: number, of: (i: number) => object) => Array.from({ length: count }, (_, i) => of(i));
    await host.send({ type: "config.set", config: queues },
      ...many(8, (i) => ({ type: "node.add", id: `n${i + 1}`, capacity: { vcore: 8, memory: "32Gi" } })),
      ...([["web", "services"], ["train", "research.vision"], ["text", "research.language"], ["nightly", "batch"]] as const).map(([id, queue]) => ({ type: "app.add", id, queue: `root.${queue}` })),
      ...many(6, (i) => ({ type: "ask.add", id: `web-${i + 1}`, app: "web", resources: { vcore: 2, memory: "4Gi" } })),
      ...many(8, (i) => ({ type: "ask.add", id: `train-${i + 1}`, app: "train", resources: { vcore: 4, memory: "12Gi" } })),
      ...many(5, (i) => ({ type: "ask.add", id: `text-${i + 1}`, app: "text", resources: { vcore: 2, memory: "8Gi" } })),
      ...many(6, (i) => ({ type: "ask.add", id: `nightly-${i + 1}`, app: "nightly", resources: { vcore: 3, memory: "6Gi" } })));
    await page.setViewportSize({ width: 1280, height: 800 });
    await openAt(page, host, "#/queues/root.research.vision");
    await expect(page.locator(".why-headline")).toContainText("waits because");
    // The port is another one each time.
    await page.evaluate(() => {
      const address = document.querySelector(".header-brand .header-title");
      if (address) address.textContent = "127.0.0.1:9080";
    });
    await picture(page, "dashboard");
  } finally {
    await host.stop();
  }
});
