import type { Rule } from '../rules/rule.ts';

export type SourceName =
  | 'user rules'
  | 'custom lists'
  | 'filter lists'
  | 'blocked services'
  | 'dangerous domains'
  | 'adult'
  | 'safe search'
  | 'youtube'
  | 'newly registered';

export type Source = {
  readonly name: SourceName;
  /** Sources with the same number are asked together, and one of all their rules wins. */
  readonly pool: number;
  /** What an allow rule ends. That of a pool stands only if all later pools are silent. */
  readonly allowEnds: 'everything' | 'its pool';
  /** `$client` and `$ctag` count: only where the rules are those of the person whose devices are named. */
  readonly knowsClients: boolean;
  /** `$dnsrewrite` counts. */
  readonly rewrites: boolean;
  /** Answers are filtered with it, not only questions. */
  readonly filtersAnswers: boolean;
  /** `$badfilter` among the user rules switches off rules here. */
  readonly obeysUserBadfilter: boolean;
};

export const isHonoured = ({ knowsClients, rewrites }: Source, rule: Rule): boolean =>
  (knowsClients || !(rule.clients || rule.tags)) && (rewrites || !rule.rewrite);

const safety = {
  allowEnds: 'its pool',
  knowsClients: false,
  rewrites: false,
  filtersAnswers: false,
  obeysUserBadfilter: false,
} as const;

// The first pool with a block or a rewrite decides.
//   user rules        a person overrules every list; nothing a list says can undo it
//   custom lists      chosen by the person, one step less direct
//   filter lists      asked together with the blocked services, so that an allow rule of a list reaches the services
//   blocked services  too. Their allow rules mend mistakes of lists: they must not open what the person wants closed
//                     for safety, so the pools below are still asked. They never rewrite: a list of somebody else
//                     must not send names elsewhere
//   dangerous … newly registered   safety first, then what is unfit, then what is only suspicious. Safe search and
//                     YouTube are rewrites of ours
export const sources: readonly Source[] = [
  {
    ...safety,
    name: 'user rules',
    pool: 1,
    allowEnds: 'everything',
    knowsClients: true,
    rewrites: true,
    filtersAnswers: true,
    obeysUserBadfilter: true,
  },
  {
    ...safety,
    name: 'custom lists',
    pool: 2,
    allowEnds: 'everything',
    knowsClients: true,
    rewrites: true,
    filtersAnswers: true,
    obeysUserBadfilter: true,
  },
  { ...safety, name: 'filter lists', pool: 3, filtersAnswers: true, obeysUserBadfilter: true },
  { ...safety, name: 'blocked services', pool: 3, filtersAnswers: true },
  { ...safety, name: 'dangerous domains', pool: 4 },
  { ...safety, name: 'adult', pool: 5 },
  { ...safety, name: 'safe search', pool: 6, rewrites: true },
  { ...safety, name: 'youtube', pool: 7, rewrites: true },
  { ...safety, name: 'newly registered', pool: 8 },
];
