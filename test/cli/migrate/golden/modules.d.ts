// Libraries of models that aren't installed here.
declare module "@langchain/core/tools" {
  export const DynamicStructuredTool: never;
}
