import { ProviderError } from "../catalog/definitions.js";
import { control } from "./endpoint.js";
import { Done, listOf, StubBody, ToolRunShape } from "./shapes.js";

/** Endpoints about tools and how they were called. */
export const toolEndpoints = [
  control({
    name: "stubTool",
    method: "PUT",
    path: "/tools/{slug}/stub",
    summary: "Replaces what a tool does with data or a provider's error.",
    body: StubBody,
    response: Done,
    run: ({ emulator, params: { slug = "" }, body }) =>
      emulator.tools.stub(slug, "data" in body ? body.data : new ProviderError(body.error.status, body.error.message)),
  }),
  control({
    name: "unstubTool",
    method: "DELETE",
    path: "/tools/{slug}/stub",
    summary: "Removes a tool's stub.",
    response: Done,
    run: ({ emulator, params: { slug = "" } }) => emulator.tools.unstub(slug),
  }),
  control({
    name: "toolCalls",
    method: "GET",
    path: "/tools/{slug}/calls",
    summary: "Lists the executions of a tool with their arguments, oldest first.",
    response: listOf(ToolRunShape),
    run: ({ emulator, params: { slug = "" } }) => ({ items: emulator.tools.calls(slug) }),
  }),
];
