/** The ways a request over a network fails. */
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

/** What bounds the next try; `random` is at least 0 and below 1. */
export type RetryBounds = { maxRetries: number; budgetLeftMs: number; random: number };

const FIRST_WAIT_MS = 1000;
const JITTER = 0.25;

/** What to do after the `tries`-th attempt failed. Decides; does nothing. */
export function afterFailure(failure: Failure, tries: number, bounds: RetryBounds): Next {
  if (!mayPass(failure) || tries > bounds.maxRetries) return { kind: 'give up' };
  const asked = failure.kind === 'status' ? (failure.retryAfterMs ?? 0) : 0;
  const ms = Math.max(asked, backoffMs(tries, bounds.random));
  // Coming back earlier than asked would only be turned away again, so a wait that does not fit is not shortened.
  return ms < bounds.budgetLeftMs ? { kind: 'wait', ms } : { kind: 'give up' };
}

const backoffMs = (tries: number, random: number): number =>
  Math.round(FIRST_WAIT_MS * 2 ** (tries - 1) * (1 - JITTER + 2 * JITTER * random));

/** Whether asking again can help without anybody changing anything. */
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

// Request Timeout, Too Early, Too Many Requests: the only answers below 500 that speak of now and not of the request.
const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

// ENOTFOUND is missing on purpose: a name that does not exist will not exist in four seconds either.
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
