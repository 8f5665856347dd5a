import { isObject } from '../kit/is-object.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { Account } from './account.ts';
import { type LimitKind, limitKinds } from './domain-error.ts';
import { isWholeNumber } from './read-update.ts';

/** The largest number on the wire means unlimited. */
export const UNLIMITED = 2_147_483_647;

/** Steps of all regular expressions in the user, access and temporary rules of an account, with expanded repetitions. */
export const MAX_EXPRESSION_STEPS = 50_000;

/** The same for the temporary rules of one DNS server. The resolver threads build their table, which takes about 10 ms. */
export const MAX_TEMPORARY_EXPRESSION_STEPS = 5000;

export type Limits = Readonly<Record<LimitKind, number>>;
/** Limits by plan; `default` applies to plans that are not in the table. */
export type Plans = Readonly<Record<string, Limits>> & { readonly default: Limits };

export const defaultPlans: Plans = {
  default: {
    devices: 1000,
    dnsServers: 100,
    userRules: 50_000,
    accessRules: 5000,
    dedicatedIpv4: 2,
    requests: UNLIMITED,
  },
};

export function limitsOf({ plan, limitOverrides }: Pick<Account, 'plan' | 'limitOverrides'>, plans: Plans): Limits {
  const ofPlan = Object.hasOwn(plans, plan) ? plans[plan]! : plans.default;
  return { ...ofPlan, ...limitOverrides };
}

/** The table of plans of the operator, `{ PLAN: { devices: 10, requests: 'unlimited' } }`; missing limits are those of the default plan. */
export function readPlans(input: unknown): Result<Plans, readonly string[]> {
  if (!isObject(input)) return err(['plans must be an object of plans']);
  const read = (name: string, base: Limits) => readPlan(name, input[name], base);
  const first = read('default', defaultPlans.default);
  const others = Object.keys(input)
    .filter((name) => name !== 'default')
    .map((name) => [name, read(name, first.limits)] as const);
  const errors = [first, ...others.map(([, plan]) => plan)].flatMap((plan) => plan.errors);
  const table = Object.fromEntries(others.map(([name, { limits }]) => [name, limits]));
  return errors.length > 0 ? err(errors) : ok({ ...table, default: first.limits });
}

type PlanRead = { readonly limits: Limits; readonly errors: readonly string[] };

function readPlan(name: string, input: unknown, base: Limits): PlanRead {
  if (input === undefined) return { limits: base, errors: [] };
  if (!isObject(input)) return { limits: base, errors: [`plans.${name} must be an object of limits`] };
  const errors: string[] = [];
  const limits: Record<LimitKind, number> = { ...base };
  for (const [key, value] of Object.entries(input)) {
    const kind = limitKinds.find((candidate) => candidate === key);
    if (!kind) errors.push(`plans.${name}.${key} is not a limit; limits are ${limitKinds.join(', ')}`);
    else if (value === 'unlimited') limits[kind] = UNLIMITED;
    else if (isWholeNumber(value, 0, UNLIMITED)) limits[kind] = value;
    else errors.push(`plans.${name}.${key} must be a whole number or 'unlimited'`);
  }
  return { limits, errors };
}
