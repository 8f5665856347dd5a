import type { Rule } from '../rules/rule.ts';

export type SourceName =
  | 'user rules'
  | 'custom lists'
  | 'filter lists'
  | 'blocked services'
  | 'dangerous domains'
  | 'adult'
  | 'filtering categories'
  | 'safe search'
  | 'youtube'
  | 'newly registered'
  | 'typosquatting'
  | 'homoglyph';

export type Source = {
  readonly name: SourceName;
  /** Sources with the same number form one stage, in which one rule wins. */
  readonly stage: number;
  /**
   * Scope of an allow rule: all later stages, or its own stage only; the latter applies unless a later stage blocks.
   */
  readonly allowEnds: 'everything' | 'its stage';
  /** `$client` and `$ctag` apply: only for rules of the account that owns the clients. */
  readonly knowsClients: boolean;
  /** `$dnsrewrite` applies. */
  readonly rewrites: boolean;
  /** Also filters answers. */
  readonly filtersAnswers: boolean;
  /** The user's `$badfilter` rules disable rules of this source. */
  readonly obeysUserBadfilter: boolean;
};

export const isHonoured = ({ knowsClients, rewrites }: Source, rule: Rule): boolean =>
  (knowsClients || !(rule.clients || rule.tags)) && (rewrites || !rule.rewrite);

const safety = {
  allowEnds: 'its stage',
  knowsClients: false,
  rewrites: false,
  filtersAnswers: false,
  obeysUserBadfilter: false,
} as const;

// The first stage with a block or a rewrite decides.
//   user rules        override every list
//   custom lists      chosen by the user, but less direct
//   filter lists      one stage with the blocked services, so that an allow rule of a list applies to services too.
//   blocked services  Their allow rules correct errors of lists and must not disable the safety categories, so the
//                     later stages still run. They never rewrite: a third-party list must not redirect names
//   dangerous … homoglyph   safety first, then unsuitable, then merely suspicious names. Safe search and
//                     YouTube are built-in rewrites
export const sources: readonly Source[] = [
  {
    ...safety,
    name: 'user rules',
    stage: 1,
    allowEnds: 'everything',
    knowsClients: true,
    rewrites: true,
    filtersAnswers: true,
    obeysUserBadfilter: true,
  },
  {
    ...safety,
    name: 'custom lists',
    stage: 2,
    allowEnds: 'everything',
    knowsClients: true,
    rewrites: true,
    filtersAnswers: true,
    obeysUserBadfilter: true,
  },
  { ...safety, name: 'filter lists', stage: 3, filtersAnswers: true, obeysUserBadfilter: true },
  { ...safety, name: 'blocked services', stage: 3, filtersAnswers: true },
  { ...safety, name: 'dangerous domains', stage: 4 },
  { ...safety, name: 'adult', stage: 5 },
  { ...safety, name: 'filtering categories', stage: 6 },
  { ...safety, name: 'safe search', stage: 7, rewrites: true },
  { ...safety, name: 'youtube', stage: 8, rewrites: true },
  { ...safety, name: 'newly registered', stage: 9 },
  { ...safety, name: 'typosquatting', stage: 10 },
  { ...safety, name: 'homoglyph', stage: 11 },
];
