import type { Verdict } from './statements.ts';

/** How a program that is no adblock filter wants to be told which names to block. */
export type Dialect = {
  readonly comment: '#' | ';';
  /** What whoever opens the file should know. */
  readonly remark: string;
  /** What must stand above the rules; `header` is the list's own. */
  readonly opening: (header: readonly string[]) => readonly string[];
  /** Of what a line speaks: one name, a name and all under it, or what RFC 4592 makes of a name and its wildcard. */
  readonly reach: 'name' | 'domain' | 'wildcard';
  /** The lines, with `{}` for the name, that pass these verdicts on it and on the names under it. */
  readonly say: (self: Verdict, below: Verdict) => readonly string[] | WhyNot;
  /** Why a host name cannot stand here. */
  readonly whyNoName?: (bytes: Uint8Array, start: number, end: number) => string | undefined;
};

/** Why nothing says it, for a rule that blocks and for one that allows. */
export type WhyNot = { readonly block: string; readonly allow: string };
