import { aiSdk, aiSdkApproval } from "../../../src/agents/adapters/ai-sdk.js";
import { type AdaptersUnderTest, withSchema } from "../adapter-under-test.js";

export const adapters: AdaptersUnderTest = {
  guide: { page: "ai-sdk", title: "AI SDK", about: "Vercel's library", packages: ["ai"] },
  libraries: {
    aiSdk: {
      passesText: false,
      shown: (tools) => Object.entries(aiSdk(tools)).map(withSchema),
      run: async (tools, name, args) => {
        try {
          return (await aiSdk(tools)[name]?.execute(args, { toolCallId: "" })) ?? "";
        } catch (error) {
          return (error as Error).message;
        }
      },
    },
  },
  options: (tools) => ({
    aiSdk: { call: (o) => aiSdk(tools, o), good: { approvals: [] }, wrong: { approvals: "token" } },
    aiSdkApproval: { call: (o) => aiSdkApproval(tools, o), good: { approvals: [] }, wrong: { approvals: "token" } },
  }),
};
