import type { Line } from "../model/lines";
import { isDecision } from "../model/lines";
import type { Configuration } from "../model/scenario";
import { Chronicle } from "./chronicle";

/** Which configuration was in force from which decision on. */
export class Configurations extends Chronicle<Configuration> {
  private offered: Configuration | undefined;

  follow(line: Line): void {
    if (!isDecision(line)) {
      if (line.type === "config.set") this.offered = { text: line.config, format: line.format ?? "yaml" };
    } else if (line.type === "config.accepted" && this.offered) {
      this.note(line.seq, this.offered);
    }
  }
}
