import { render } from "preact";
import { App } from "./app";
import { followLessons } from "./learn/open";
import { openFirst } from "./opening";
import { start } from "./state/run";
import { serveKeys } from "./ui/keys";
import { followAddress } from "./ui/route";
import { followTheme } from "./ui/theme";

followTheme();
followAddress();
followLessons();
serveKeys();
const root = document.getElementById("app");
if (root) render(<App />, root);
void start(openFirst);
