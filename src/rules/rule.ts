/** A parsed rule of the DNS filtering language. Missing members do not limit the rule. */
export type Rule = {
  readonly allow: boolean;
  readonly pattern: Pattern;
  readonly important: boolean;
  /** Disables the rule that is equal except for this modifier. */
  readonly badfilter: boolean;
  readonly types?: TypeLimit;
  readonly rewrite?: Rewrite;
  readonly clients?: ClientLimit;
  readonly tags?: NameLimit;
  /** Domains, with their subdomains, that the rule does not apply to. */
  readonly denyallow?: readonly string[];
  /** Countries (`DE`) and networks (`AS15169`) of the addresses in an answer. */
  readonly locations?: NameLimit;
};

/** Names are lower-case ASCII (punycode where needed), without leading or trailing dot. */
export type Pattern =
  /** `||name^`: the name and its subdomains. */
  | { readonly kind: 'domain'; readonly name: string }
  /** `|name^`, a plain domain, a name of a hosts line: this name alone. */
  | { readonly kind: 'exact'; readonly name: string }
  /** `||*.name^`: the subdomains without the name itself. */
  | { readonly kind: 'subdomains'; readonly name: string }
  /** Literal pieces with any text between them; none contains `*`. An empty list matches every name. */
  | {
      readonly kind: 'wildcard';
      readonly start: 'anywhere' | 'label' | 'name';
      readonly pieces: readonly string[];
      readonly end: 'anywhere' | 'name';
    }
  /** The text between the slashes. Matching is case-insensitive. */
  | { readonly kind: 'expression'; readonly source: string };

export type TypeLimit = { readonly negated: boolean; readonly types: ReadonlySet<number> };

/** Requires a member of `only`, unless that is empty, and no member of `except`. */
export type NameLimit = { readonly only: ReadonlySet<string>; readonly except: ReadonlySet<string> };

export type ClientLimit = {
  readonly only: readonly ClientMatch[];
  readonly except: readonly ClientMatch[];
};

export type ClientMatch =
  /** ASCII letters in lower case. */
  | { readonly kind: 'name'; readonly name: string }
  /** Bits after the prefix are zero. */
  | { readonly kind: 'network'; readonly address: Uint8Array; readonly prefixLength: number };

export type Rewrite =
  /** An exception without a value: disables all rewrites. */
  | { readonly kind: 'any' }
  | { readonly kind: 'cname'; readonly target: string }
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'record'; readonly type: number; readonly value: RecordValue };

/** A target may be the root, which is the empty name. */
export type RecordValue =
  | { readonly kind: 'address'; readonly bytes: Uint8Array }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mail exchange'; readonly preference: number; readonly exchange: string }
  | {
      readonly kind: 'service location';
      readonly priority: number;
      readonly weight: number;
      readonly port: number;
      readonly target: string;
    }
  | {
      readonly kind: 'service binding';
      readonly priority: number;
      readonly target: string;
      /** Sorted by key, as RFC 9460 requires on the wire. */
      readonly parameters: readonly { readonly key: number; readonly value: Uint8Array }[];
    };
