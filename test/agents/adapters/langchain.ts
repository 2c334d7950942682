import { langchain } from "../../../src/agents/adapters/langchain.js";
import { type AdaptersUnderTest, type Any, named } from "../adapter-under-test.js";

/** Replaces LangChain's class. */
class DynamicStructuredTool {
  readonly fields: Any;
  readonly name: string;
  constructor(fields: Any) {
    this.fields = fields;
    this.name = fields.name;
  }
  invoke(...given: never[]): unknown {
    return this.fields.func(given[0]);
  }
}

export const adapters: AdaptersUnderTest = {
  guide: {
    page: "langchain",
    title: "LangChain",
    about: "LangChain and LangGraph",
    packages: ["@langchain/core", "langchain"],
  },
  libraries: {
    langchain: {
      passesText: false,
      shown: (tools) => langchain(tools, { DynamicStructuredTool }).map(({ fields }) => fields),
      run: async (tools, name, args) =>
        String(await named(langchain(tools, { DynamicStructuredTool }), name).invoke(args as never)),
    },
  },
  options: (tools) => ({
    langchain: {
      call: (o) => langchain(tools, { DynamicStructuredTool }, o),
      good: { target: "portable" },
      wrong: { target: "prtable" },
    },
  }),
};
