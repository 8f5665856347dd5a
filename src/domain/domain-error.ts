/** A rejected operation. `api/errors.ts` maps it to a response. */
export type DomainError =
  | { readonly kind: 'not found'; readonly what: string }
  | { readonly kind: 'limit reached'; readonly what: LimitKind | OtherLimit; readonly limit: number }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  /** Devices cannot connect with this protocol: nothing listens, or the server has no host name. */
  | { readonly kind: 'not offered'; readonly protocol: 'DOH' | 'DOT' }
  /** The caller is authenticated but not allowed to do this. */
  | { readonly kind: 'forbidden'; readonly why: string };

/** Limits that are the same for all plans. */
export type OtherLimit = 'customLists' | 'localRecords' | 'forwardRules';

/** An invalid field. `field` is the path on the wire, for example `settings.block_ttl_seconds`. */
export type FieldError = {
  readonly field: string;
  readonly kind: 'required' | 'wrong value' | 'limit reached';
  readonly message: string;
};

/** Resources with a limit per account. */
export const limitKinds = ['devices', 'dnsServers', 'userRules', 'accessRules', 'dedicatedIpv4', 'requests'] as const;
export type LimitKind = (typeof limitKinds)[number];

export const invalid = (field: string, message: string, kind: FieldError['kind'] = 'wrong value'): DomainError => ({
  kind: 'invalid',
  errors: [{ field, kind, message }],
});
