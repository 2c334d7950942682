import type { ToolkitDefinition } from "../definitions.js";
import { calendar } from "./calendar.js";
import { drive } from "./drive.js";
import { github } from "./github.js";
import { shapes } from "./shapes.js";
import { slack } from "./slack.js";
import { textkit } from "./textkit.js";
import { weathermap } from "./weathermap.js";

/** The built-in toolkits, with managed OAuth, an API key, and no authentication. */
export const demoToolkits: readonly ToolkitDefinition[] = [github, slack, weathermap, textkit, drive, calendar, shapes];
