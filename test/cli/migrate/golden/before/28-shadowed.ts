import Composio from "@composio/client";

const composio = new Composio();

interface Fake {
  readonly tools: { retrieve(slug: string): string };
}

export function inner(composio: Fake): string {
  return composio.tools.retrieve("NOT_A_CALL_OF_THE_SERVICE");
}

export function alsoInner(): string {
  const Composio = class {
    readonly baseURL = "mine";
  };
  return new Composio().baseURL;
}

export const outer = () => composio.tools.retrieve("TEXTKIT_REVERSE");
