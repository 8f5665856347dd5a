import type { Decision, FixedWindow, RateWindow } from '../kit/fixed-window.ts';
import type { Valkey } from './open-valkey.ts';

type Options = {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
  /** Local counter, used while the server does not answer. */
  readonly local: FixedWindow;
};

/*
 * The rule of kit/fixed-window.ts: a window starts with the first request of a key, and a rejected request costs nothing. Returns whether
 * the request is allowed, the cost so far and the remaining milliseconds of the window.
 */
const TAKE = `
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
local rest = redis.call('PTTL', KEYS[1])
local cost, limit, window, force = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'
local isOpen = rest > 0
if not isOpen then used, rest = 0, window end
local allowed = used < limit and used + cost <= limit
if (allowed or force) and cost > 0 then
  used = used + cost
  redis.call('SET', KEYS[1], used, 'PX', rest)
elseif not isOpen then
  rest = 0
end
return {allowed and 1 or 0, used, rest}
`;

/** A rate limit shared by all nodes. */
export function sharedWindow({ attempt }: Pick<Valkey, 'attempt'>, options: Options): RateWindow {
  const { name, limit, windowMs, local } = options;
  const run = async (key: string, cost: number, isForced: boolean): Promise<Decision | undefined> => {
    const counted = await attempt(
      (client) =>
        client.eval(TAKE, 1, `limit:${name}:${key}`, Math.round(cost), limit, windowMs, isForced ? 1 : 0) as Promise<
          [allowed: number, used: number, resetMs: number]
        >,
    );
    if (!counted) return undefined;
    const [allowed, used, resetMs] = counted.value;
    return { allowed: allowed === 1, limit, remaining: Math.max(0, limit - used), resetMs };
  };
  return {
    take: async (key, cost = 1) => (await run(key, cost, false)) ?? local.take(key, cost),
    async add(key, cost) {
      if (!(await run(key, cost, true))) local.add(key, cost);
    },
    peek: async (key) => (await run(key, 0, false)) ?? local.peek(key),
  };
}
