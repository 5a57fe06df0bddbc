import { render } from "preact";
import { keepPage } from "../ui/drop";
import { returnFocus } from "../ui/return-focus";
import { followTheme } from "../ui/theme";
import { followVersion } from "./host/version";
import { connection, follow } from "./live";
import { Dashboard } from "./page";
import { followAddress } from "./route";
import { takeSamples } from "./sampling";

followTheme();
returnFocus();
keepPage();
followAddress();
const root = document.getElementById("app");
if (root) render(<Dashboard />, root);
follow();
followVersion(connection);
takeSamples();
