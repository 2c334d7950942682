import { mastra } from "../../../src/agents/adapters/mastra.js";
import { type AdaptersUnderTest, withSchema } from "../adapter-under-test.js";

export const adapters: AdaptersUnderTest = {
  guide: { page: "mastra", title: "Mastra", about: "Mastra's agents", packages: ["@mastra/core"] },
  libraries: {
    mastra: {
      passesText: false,
      shown: (tools) => Object.entries(mastra(tools)).map(withSchema),
      run: async (tools, name, args) => String(await mastra(tools)[name]?.execute(args, {})),
    },
  },
  options: (tools) => ({
    mastra: { call: (o) => mastra(tools, o), good: { suspendForApproval: true }, wrong: { suspendForApproval: 1 } },
  }),
};
