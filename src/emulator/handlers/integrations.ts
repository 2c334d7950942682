import type { HandlersOf } from "../context.js";
import { notFound } from "../refusal.js";

export const integrations: HandlersOf<"integrations"> = {
  "integrations.update": ({ params, body, state }) => {
    const integration = state.integrations.get(params.integrationId);
    if (!integration) throw notFound("Integration", `Integration ${params.integrationId}`, 10404);
    if (body.authConfig) integration.authConfig = body.authConfig;
    if (body.enabled !== undefined) integration.enabled = body.enabled;
    return { status: "success" };
  },
};
