// What src/generate uses of it. Its own types do not compile under this project's options.
export function compile(
  schema: object,
  name: string,
  options: {
    bannerComment: string;
    format: boolean;
    additionalProperties: boolean;
    strictIndexSignatures: boolean;
    $refOptions: { resolve: { external: boolean } };
  },
): Promise<string>;
