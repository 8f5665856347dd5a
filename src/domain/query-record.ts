/** The wire's values, in the order of the codes that resolvers use for them. */
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
] as const;
type FilteringActionSource = (typeof filteringSources)[number];

export const queryCategories = ['ADS', 'TRACKERS', 'SOCIAL_MEDIA', 'CDN', 'OTHERS'] as const;
export type CategoryType = (typeof queryCategories)[number];

export const queryProtocols = ['DOH', 'DOQ', 'DOT', 'DNSCRYPT', 'DNS'] as const;
type QueryProtocol = (typeof queryProtocols)[number];

/** One answered query, as the log keeps it. */
export type QueryRecord = {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly account: string;
  readonly dnsServer: string;
  readonly device?: string;
  /** Lower case, without the final dot. */
  readonly domain: string;
  /** The number of the record type asked for, as 1 for A. */
  readonly type: number;
  readonly rcode: number;
  readonly protocol: QueryProtocol;
  readonly status: FilteringActionStatus;
  readonly source?: FilteringActionSource;
  readonly filterId?: string;
  readonly rule?: string;
  readonly serviceId?: string;
  readonly clientCountry?: string;
  /** Where the first address of the answer is. This is the country that filters and statistics mean. */
  readonly responseCountry?: string;
  readonly asn?: number;
  readonly network?: string;
  readonly dnssec: boolean;
  readonly companyId: string;
  readonly category: CategoryType;
  readonly clientSubnet?: string;
};

/** A modified answer (safe search, a rewrite of the user's) is an answer: it is not counted as blocked. */
export const isBlocked = (status: FilteringActionStatus): boolean =>
  status === 'REQUEST_BLOCKED' || status === 'RESPONSE_BLOCKED';
