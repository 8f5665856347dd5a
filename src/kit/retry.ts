/** The ways a network request fails. */
export type Failure =
  | { kind: 'status'; status: number; retryAfterMs?: number }
  | { kind: 'timeout' }
  | { kind: 'too slow' }
  | { kind: 'unreachable'; code: string }
  | { kind: 'truncated' }
  | { kind: 'too large' }
  | { kind: 'bad encoding' }
  | { kind: 'bad response' }
  | { kind: 'tls'; code: string }
  | { kind: 'too many redirects' }
  | { kind: 'refused redirect' }
  | { kind: 'refused address' }
  | { kind: 'bad url' };

export type Next = { kind: 'wait'; ms: number } | { kind: 'give up' };

/** Limits of the next attempt; `random` is in [0, 1). */
export type RetryBounds = { maxRetries: number; budgetLeftMs: number; random: number };

const FIRST_WAIT_MS = 1000;
const JITTER = 0.25;

/** The decision after the `tries`-th attempt failed. Pure. */
export function afterFailure(failure: Failure, tries: number, bounds: RetryBounds): Next {
  if (!mayPass(failure) || tries > bounds.maxRetries) return { kind: 'give up' };
  const requestedMs = failure.kind === 'status' ? (failure.retryAfterMs ?? 0) : 0;
  const ms = Math.max(requestedMs, backoffMs(tries, bounds.random));
  // A Retry-After that exceeds the budget is not shortened: an earlier request would be rejected again.
  return ms < bounds.budgetLeftMs ? { kind: 'wait', ms } : { kind: 'give up' };
}

const backoffMs = (tries: number, random: number): number =>
  Math.round(FIRST_WAIT_MS * 2 ** (tries - 1) * (1 - JITTER + 2 * JITTER * random));

/** Whether the failure is transient. */
function mayPass(failure: Failure): boolean {
  switch (failure.kind) {
    case 'timeout':
    case 'truncated':
      return true;
    case 'status':
      return failure.status >= 500 || passingStatuses.has(failure.status);
    case 'unreachable':
      return passingCodes.has(failure.code);
    case 'too slow':
    case 'too large':
    case 'bad encoding':
    case 'bad response':
    case 'tls':
    case 'too many redirects':
    case 'refused redirect':
    case 'refused address':
    case 'bad url':
      return false;
  }
}

// Request Timeout, Too Early, Too Many Requests: the only transient status codes below 500.
const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

// ENOTFOUND is not transient: the name will not exist four seconds later, either.
const passingCodes: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);
