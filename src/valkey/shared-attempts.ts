import { hash } from 'node:crypto';
import { type SharedAttempts, throttleRule } from '../domain/login-throttle.ts';
import type { Valkey } from './open-valkey.ts';

/*
 * The rule of domain/login-throttle.ts, by the clock of the server, because those of the nodes may differ. Counts a failure for each key
 * unless one of them has to wait; returns the wait in milliseconds.
 */
const COUNT = `
local free, first, longest, keep = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local wait, failures = 0, {}
for at, key in ipairs(KEYS) do
  local stored = redis.call('HMGET', key, 'failures', 'last')
  failures[at] = tonumber(stored[1] or '0')
  if failures[at] >= free then
    local passed = math.max(0, now - tonumber(stored[2]))
    wait = math.max(wait, math.min(longest, first * 2 ^ (failures[at] - free)) - passed)
  end
end
if wait > 0 then return wait end
for at, key in ipairs(KEYS) do
  redis.call('HSET', key, 'failures', failures[at] + 1, 'last', now)
  redis.call('PEXPIRE', key, keep)
end
return 0
`;

/** Resets the first ARGV[1] keys, and refunds one failure of each of the others. */
const REFUND = `
for at, key in ipairs(KEYS) do
  local failures = tonumber(redis.call('HGET', key, 'failures') or '0')
  if at > tonumber(ARGV[1]) and failures > 1 then
    redis.call('HINCRBY', key, 'failures', -1)
  else
    redis.call('DEL', key)
  end
end
`;

/** Hashed, because the keys contain e-mail addresses, which the server does not need. */
const keyOf = (key: string): string => `attempts:${hash('sha256', key, 'base64url')}`;

/** Counts sign-in attempts of all nodes. */
export const sharedAttempts = ({ attempt }: Pick<Valkey, 'attempt'>): SharedAttempts => ({
  async count(keys) {
    const { freeFailures, firstWaitMs, longestWaitMs, expiresAfterMs } = throttleRule;
    const rule = [freeFailures, firstWaitMs, longestWaitMs, expiresAfterMs];
    const counted = await attempt(
      (client) => client.eval(COUNT, keys.length, ...keys.map(keyOf), ...rule) as Promise<number>,
    );
    return counted?.value;
  },
  refund({ cleared, refunded }) {
    const keys = [...cleared, ...refunded].map(keyOf);
    void attempt((client) => client.eval(REFUND, keys.length, ...keys, cleared.length));
  },
});
