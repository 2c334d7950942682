import type ts from "typescript";
import type { FieldTableName } from "./names.js";
import type { Project } from "./project.js";

/** A file while it is rewritten. */
export interface FileContext {
  readonly project: Project;
  readonly source: ts.SourceFile;
  /** The objects whose fields are renamed, of all files. */
  readonly marks: Map<ts.Node, FieldTableName>;
  /** A part of the file as it will be. */
  print(node: ts.Node): string;
  /** The same, but only what is in it is replaced. */
  printChildren(node: ts.Node): string;
  /** The rest of a node from a position on, such as a call's arguments. */
  printBetween(from: number, node: ts.Node): string;
  /** Leaves a comment at the statement: why a person must decide, and `#` with the section of the guide. */
  todo(reason: string): void;
  /** Imports a name, and returns its name in this file. */
  need(name: string, from: string): string;
  /** The new name of what a library exports, if it is imported or declared here with another one. */
  readonly localNames: ReadonlyMap<ts.Node, string>;
  /** Imports that the file won't have. */
  readonly dropped: ReadonlySet<ts.Node>;
}
