import { parseClientEntry } from './client-entry.ts';
import { countAccessRules, type ProfileSettings } from './profile.ts';
import { type Faults, flag, isObject, listOf, type Read, section } from './read-update.ts';

/** `limit` is the whole account's; `usedElsewhere` is what its other DNS servers hold. */
export type Allowance = { readonly limit: number; readonly usedElsewhere: number };

const MAX_RULE_LENGTH = 1024;
const lineBreaks = /[\n\r\0\v\f\u0085\u2028\u2029]/;
export const parseRule = (text: string): string | undefined =>
  text.length <= MAX_RULE_LENGTH && text.isWellFormed() && !lineBreaks.test(text) ? text : undefined;
export const whatRulesAre = `one line of at most ${MAX_RULE_LENGTH} characters`;
const rules = listOf(parseRule, whatRulesAre);

export const userRules =
  (allowance: Allowance): Read<readonly string[]> =>
  (wished, current, field, faults) => {
    const next = rules(wished, current, field, faults);
    if (isBeyond(allowance, next.length, current.length))
      faults.add(field, `the account may have ${allowance.limit} user rules in all`, 'limit reached');
    return next;
  };

/** Whoever is over a limit that was lowered may still keep or shorten what there is. */
const isBeyond = ({ limit, usedElsewhere }: Allowance, wanted: number, current: number): boolean =>
  wanted > current && usedElsewhere + wanted > limit;

const MAX_ALLOWED_CLIENTS = 1000;
const clients: Read<readonly string[]> = (wished, current, field, faults) => [
  ...new Set(
    listOf(parseClientEntry, 'an IP address, a network such as 10.0.0.0/8 or an ASN such as AS15169')(
      wished,
      current,
      field,
      faults,
    ),
  ),
];

// Allowed clients count towards no limit of the plan, so they need a bound of their own.
const allowedClients: Read<readonly string[]> = (wished, current, field, faults) => {
  const next = clients(wished, current, field, faults);
  if (next.length > Math.max(MAX_ALLOWED_CLIENTS, current.length))
    faults.add(field, `at most ${MAX_ALLOWED_CLIENTS} entries`, 'limit reached');
  return next;
};

const accessMembers = section<ProfileSettings['access']>({
  enabled: ['enabled', flag],
  allowedClients: ['allowed_clients', allowedClients],
  blockedClients: ['blocked_clients', clients],
  blockedDomainRules: ['blocked_domain_rules', rules],
  blockKnownScanners: ['block_known_scanners', flag],
});

export const access =
  (allowance: Allowance): Read<ProfileSettings['access']> =>
  (wished, current, field, faults) => {
    const next = accessMembers(wished, current, field, faults);
    if (isBeyond(allowance, countAccessRules({ access: next }), countAccessRules({ access: current })))
      faultAtGiven(wished, field, faults, `the account may have ${allowance.limit} access rules in all`);
    return next;
  };

function faultAtGiven(wished: unknown, field: string, faults: Faults, message: string): void {
  if (!isObject(wished)) return;
  if (wished['blockedClients'] !== undefined) faults.add(`${field}.blocked_clients`, message, 'limit reached');
  if (wished['blockedDomainRules'] !== undefined) faults.add(`${field}.blocked_domain_rules`, message, 'limit reached');
}
