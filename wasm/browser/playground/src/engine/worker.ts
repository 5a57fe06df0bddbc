/** The worker that the scheduler runs in. */

import { instantiate } from "./reactor";
import { load } from "./load";
import { serve } from "./service";

serve(self, async ({ address, module }, progress, hear, compiled) => {
  const ours = module ?? (await load(address, progress));
  if (!module) compiled(ours);
  return instantiate(ours, hear);
});
