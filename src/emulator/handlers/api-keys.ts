import type { HandlersOf } from "../context.js";

export const apiKeys: HandlersOf<"apiKeys"> = {
  "apiKeys.revoke": ({ body, state }) => {
    for (const value of body.api_keys) {
      const key = state.keys.get(value);
      if (key) state.keys.set(value, { ...key, state: "revoked" });
    }
    // The same for keys that never were: the answer must not tell which exist.
    return { received: true };
  },
};
