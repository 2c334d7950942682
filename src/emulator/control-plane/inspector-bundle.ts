/** The inspector's program and styles. */
export interface InspectorBundle {
  readonly script: string;
  readonly style: string;
}

/** Undefined in the sources: the build replaces this module with one that has the bundle, see `tools/inspector.ts`. */
export const INSPECTOR: InspectorBundle | undefined = undefined;
