/** Values of the wire, in the order of the codes of the resolver. */
export const filteringStatuses = [
  'UNKNOWN',
  'NONE',
  'REQUEST_BLOCKED',
  'RESPONSE_BLOCKED',
  'REQUEST_ALLOWED',
  'RESPONSE_ALLOWED',
  'MODIFIED',
] as const;
export type FilteringActionStatus = (typeof filteringStatuses)[number];

export const filteringSources = [
  'FILTERS',
  'USER_FILTER',
  'SAFEBROWSING',
  'PARENTAL_SAFE_SEARCH',
  'PARENTAL_YOUTUBE',
  'PARENTAL_ADULT',
  'PARENTAL_BLOCKED_SERVICE',
  'PARENTAL_SCHEDULE',
  'NEWLY_REGISTERED_DOMAINS',
  'TYPOSQUATTING',
  'HOMOGLYPH',
  'PARENTAL_FILTERING_CATEGORY',
] as const;
type FilteringActionSource = (typeof filteringSources)[number];

export const queryCategories = ['ADS', 'TRACKERS', 'SOCIAL_MEDIA', 'CDN', 'OTHERS'] as const;
export type CategoryType = (typeof queryCategories)[number];

export const queryProtocols = ['DOH', 'DOQ', 'DOT', 'DNSCRYPT', 'DNS'] as const;
type QueryProtocol = (typeof queryProtocols)[number];

/** An answered query in the log. */
export type QueryRecord = {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly account: string;
  readonly dnsServer: string;
  readonly device?: string;
  /** Lower case, without the final dot. */
  readonly domain: string;
  /** Record type, for example 1 for A. */
  readonly type: number;
  readonly rcode: number;
  readonly protocol: QueryProtocol;
  readonly status: FilteringActionStatus;
  readonly source?: FilteringActionSource;
  readonly filterId?: string;
  readonly rule?: string;
  /** The blocked service, or the blocked category with the source PARENTAL_FILTERING_CATEGORY. */
  readonly serviceId?: string;
  readonly clientCountry?: string;
  /** Country of the first address in the response; used by filters and statistics. */
  readonly responseCountry?: string;
  readonly asn?: number;
  readonly network?: string;
  readonly dnssec: boolean;
  readonly companyId: string;
  readonly category: CategoryType;
  readonly clientSubnet?: string;
  /** Latency from receipt to answer; absent in rows of versions that did not measure it. Rounded to two significant digits above 100 ms. */
  readonly latencyMs?: number;
};

/** A modified response (safe search, rewrite) is not counted as blocked. */
export const isBlocked = (status: FilteringActionStatus): boolean =>
  status === 'REQUEST_BLOCKED' || status === 'RESPONSE_BLOCKED';
