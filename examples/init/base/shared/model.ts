/** Variables of a model for development. This app asks no model. */
export const modelVariables: Readonly<Record<string, string>> = {};
