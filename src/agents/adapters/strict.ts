/** Option of the adapters whose provider can enforce schemas. */
export interface StrictOption {
  /**
   * Asks the provider to enforce the schemas of the tools that allow it. `reportTools` of `svc-sdk/agents/schema` says
   * which don't, and why.
   * @default true
   */
  readonly strict?: boolean | undefined;
}
