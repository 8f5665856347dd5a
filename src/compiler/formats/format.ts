import type { RewriteAnswer, Verdict } from './rule-effects.ts';

/** Syntax of a list format other than adblock. */
export type Format = {
  readonly comment: '#' | ';';
  /** Notes for the reader of the file. */
  readonly annotation: string;
  /** Lines required before the rules; `header` is the list's own. */
  readonly opening: (header: readonly string[]) => readonly string[];
  /** Scope of a line: one name, a name with its subdomains, or a zone record with RFC 4592 wildcard semantics. */
  readonly reach: 'name' | 'domain' | 'wildcard';
  /** Lines (`{}` = name) that express these verdicts for the name and for its subdomains. */
  readonly linesFor: (self: Verdict, below: Verdict) => readonly string[] | WhyNot;
  /** Reason if this format cannot express a rewrite of a name (`SELF`), of the names under it, or both. */
  readonly whyNoRewrite: (answer: RewriteAnswer, reach: number) => string | undefined;
  /** Reason if this format cannot contain the host name. */
  readonly whyNoName?: (bytes: Uint8Array, start: number, end: number) => string | undefined;
};

/** Reasons if the format cannot express a rule that blocks, allows or rewrites. */
export type WhyNot = { readonly block: string; readonly allow: string; readonly rewrite: string };
