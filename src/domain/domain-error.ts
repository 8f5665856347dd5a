/** Why a wish cannot be granted. What becomes of it on the wire is decided in one place, `api/errors.ts`. */
export type DomainError =
  | { readonly kind: 'not found'; readonly what: string }
  | { readonly kind: 'limit reached'; readonly what: LimitKind | 'customLists'; readonly limit: number }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  /** Known, but not allowed to do this. */
  | { readonly kind: 'forbidden'; readonly why: string };

/** One field that is wrong. `field` is the dotted path of the wire, as `settings.block_ttl_seconds`. */
export type FieldError = {
  readonly field: string;
  readonly kind: 'required' | 'wrong value' | 'limit reached';
  readonly message: string;
};

/** The six things that an account has only so many of. */
export const limitKinds = ['devices', 'dnsServers', 'userRules', 'accessRules', 'dedicatedIpv4', 'requests'] as const;
export type LimitKind = (typeof limitKinds)[number];

export const invalid = (field: string, message: string, kind: FieldError['kind'] = 'wrong value'): DomainError => ({
  kind: 'invalid',
  errors: [{ field, kind, message }],
});
