/** One rule of the DNS filtering language, taken apart. What is absent does not limit the rule. */
export type Rule = {
  readonly allow: boolean;
  readonly pattern: Pattern;
  readonly important: boolean;
  /** Switches off the rule that is the same but for this modifier. */
  readonly badfilter: boolean;
  readonly types?: TypeLimit;
  readonly rewrite?: Rewrite;
  readonly clients?: ClientLimit;
  readonly tags?: NameLimit;
  /** Names, with all under them, that the rule leaves alone. */
  readonly denyallow?: readonly string[];
  /** Countries (`DE`) and networks (`AS15169`) of the addresses in an answer. */
  readonly places?: NameLimit;
};

/** Names are lower-case ASCII (punycode where needed), without a dot at either end. */
export type Pattern =
  /** `||name^`: the name and all under it. */
  | { readonly kind: 'domain'; readonly name: string }
  /** `|name^`, a bare name, a name of a hosts line: this name alone. */
  | { readonly kind: 'exact'; readonly name: string }
  /** `||*.name^`: all under the name, not itself. */
  | { readonly kind: 'subdomains'; readonly name: string }
  /** Literal pieces with anything between them; none of them contains `*`. Without pieces it is every name. */
  | {
      readonly kind: 'wildcard';
      readonly start: 'anywhere' | 'label' | 'name';
      readonly pieces: readonly string[];
      readonly end: 'anywhere' | 'name';
    }
  /** What stands between the slashes. Case never matters. */
  | { readonly kind: 'expression'; readonly source: string };

export type TypeLimit = { readonly negated: boolean; readonly types: ReadonlySet<number> };

/** A member of `only` is needed, unless there is none; a member of `except` is one too many. */
export type NameLimit = { readonly only: ReadonlySet<string>; readonly except: ReadonlySet<string> };

export type ClientLimit = {
  readonly only: readonly ClientMatch[];
  readonly except: readonly ClientMatch[];
};

export type ClientMatch =
  /** The letters of ASCII in lower case. */
  | { readonly kind: 'name'; readonly name: string }
  /** Bits behind the prefix are zero. */
  | { readonly kind: 'network'; readonly address: Uint8Array; readonly prefixLength: number };

export type Rewrite =
  /** An exception without a value: no rewrite at all. */
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
      /** In the order of their keys, as RFC 9460 wants them on the wire. */
      readonly parameters: readonly { readonly key: number; readonly value: Uint8Array }[];
    };
