import { isObject } from '../kit/is-object.ts';
import { parseClientEntry } from './client-entry.ts';
import { countAccessRules, type ProfileSettings } from './profile.ts';
import { type FieldErrors, flag, listOf, type Read, section } from './read-update.ts';

/** `limit` applies to the account; `usedElsewhere` is the usage of its other DNS servers. */
export type Allowance = { readonly limit: number; readonly usedElsewhere: number };

const MAX_RULE_LENGTH = 1024;
const lineBreaks = /[\n\r\0\v\f\u0085\u2028\u2029]/;
export const parseRule = (text: string): string | undefined =>
  text.length <= MAX_RULE_LENGTH && text.isWellFormed() && !lineBreaks.test(text) ? text : undefined;
export const ruleRequirements = `one line of at most ${MAX_RULE_LENGTH} characters`;
const ruleTexts = listOf(parseRule, ruleRequirements);

/** Why a rule is invalid; undefined for valid rules and for comments. */
type FindRuleError = (rule: string) => string | undefined;

/** Stored rules are accepted even if a newer version of the program considers them invalid. */
const rules =
  (errorOf: FindRuleError): Read<readonly string[]> =>
  (requested, current, field, errors) => {
    const next = ruleTexts(requested, current, field, errors);
    const stored = new Set(current);
    for (const [index, rule] of next.entries()) {
      const error = stored.has(rule) ? undefined : errorOf(rule);
      if (error !== undefined) errors.add(`${field}[${index}]`, error);
    }
    return next;
  };

/** Limit of the total number of steps of all regular expressions. */
export type ExpressionAllowance = Allowance & { readonly stepsOf: (rule: string) => number };

export type RuleChecks = { readonly errorOf: FindRuleError; readonly expressions: ExpressionAllowance };

export const userRules =
  (allowance: Allowance, { errorOf, expressions }: RuleChecks): Read<readonly string[]> =>
  (requested, current, field, errors) => {
    const next = rules(errorOf)(requested, current, field, errors);
    if (isBeyond(allowance, next.length, current.length))
      errors.add(field, `the account can have at most ${allowance.limit} user rules`, 'limit reached');
    else if (requested !== undefined) checkExpressions(expressions, next, current, field, errors);
    return next;
  };

/** Stored rules are counted but never rejected; the first new rule beyond the limit is. */
function checkExpressions(
  { limit, usedElsewhere, stepsOf }: ExpressionAllowance,
  next: readonly string[],
  current: readonly string[],
  field: string,
  errors: FieldErrors,
): void {
  const stored = new Set(current);
  let steps = usedElsewhere;
  for (const [nth, rule] of next.entries()) {
    steps += stepsOf(rule);
    if (steps <= limit || stored.has(rule) || stepsOf(rule) === 0) continue;
    const message = `the regular expressions of the account exceed ${limit} steps in total (repetitions are expanded): shorten this rule or remove others`;
    errors.add(`${field}[${nth}]`, message, 'limit reached');
    return;
  }
}

/** Existing entries beyond a lowered limit are accepted. */
const isBeyond = ({ limit, usedElsewhere }: Allowance, wanted: number, current: number): boolean =>
  wanted > current && usedElsewhere + wanted > limit;

const MAX_ALLOWED_CLIENTS = 1000;
const clients: Read<readonly string[]> = (requested, current, field, errors) => [
  ...new Set(
    listOf(parseClientEntry, 'an IP address, a network such as 10.0.0.0/8 or an ASN such as AS15169')(
      requested,
      current,
      field,
      errors,
    ),
  ),
];

// Allowed clients do not count towards the plan, so they have a separate limit.
const allowedClients: Read<readonly string[]> = (requested, current, field, errors) => {
  const next = clients(requested, current, field, errors);
  if (next.length > Math.max(MAX_ALLOWED_CLIENTS, current.length))
    errors.add(field, `at most ${MAX_ALLOWED_CLIENTS} entries`, 'limit reached');
  return next;
};

const domainRules =
  ({ errorOf, expressions }: RuleChecks): Read<readonly string[]> =>
  (requested, current, field, errors) => {
    const next = rules(errorOf)(requested, current, field, errors);
    if (requested !== undefined) checkExpressions(expressions, next, current, field, errors);
    return next;
  };

const accessMembers = (checks: RuleChecks) =>
  section<ProfileSettings['access']>({
    enabled: ['enabled', flag],
    allowedClients: ['allowed_clients', allowedClients],
    blockedClients: ['blocked_clients', clients],
    blockedDomainRules: ['blocked_domain_rules', domainRules(checks)],
    blockKnownScanners: ['block_known_scanners', flag],
  });

export const access =
  (allowance: Allowance, checks: RuleChecks): Read<ProfileSettings['access']> =>
  (requested, current, field, errors) => {
    const next = accessMembers(checks)(requested, current, field, errors);
    if (isBeyond(allowance, countAccessRules({ access: next }), countAccessRules({ access: current })))
      faultAtGiven(requested, field, errors, `the account can have at most ${allowance.limit} access rules`);
    return next;
  };

function faultAtGiven(requested: unknown, field: string, errors: FieldErrors, message: string): void {
  if (!isObject(requested)) return;
  if (requested['blockedClients'] !== undefined) errors.add(`${field}.blocked_clients`, message, 'limit reached');
  if (requested['blockedDomainRules'] !== undefined)
    errors.add(`${field}.blocked_domain_rules`, message, 'limit reached');
}
