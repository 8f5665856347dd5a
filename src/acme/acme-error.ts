/** A problem document of the authority (RFC 8555, 6.7), or a failure to reach it. */
export class AcmeError extends Error {
  /** The last part of the problem type, such as `rateLimited`; `unreachable` or `malformed response` without a problem document. */
  readonly type: string;
  readonly retryAfterMs: number | undefined;
  /** The domain that the problem is about, if it is known. */
  readonly domain: string | undefined;

  constructor(
    type: string,
    message: string,
    more: { retryAfterMs?: number | undefined; domain?: string | undefined } = {},
  ) {
    super(message);
    this.type = type;
    this.retryAfterMs = more.retryAfterMs;
    this.domain = more.domain;
  }
}

type Problem = {
  readonly type?: unknown;
  readonly detail?: unknown;
  readonly identifier?: { readonly value?: unknown };
  readonly subproblems?: unknown;
};

/** The first subproblem names the domain and the reason. */
export function problemError(document: unknown, status: number, retryAfterMs?: number): AcmeError {
  const problem = (typeof document === 'object' && document !== null ? document : {}) as Problem;
  const [sub] = (Array.isArray(problem.subproblems) ? problem.subproblems : []) as readonly (Problem | undefined)[];
  const type = shortType(problem.type) ?? `status ${status}`;
  const texts = [problem.detail, sub?.detail].filter((text) => typeof text === 'string');
  const domain = [sub?.identifier?.value, problem.identifier?.value].find((value) => typeof value === 'string');
  return new AcmeError(type, texts.join(' ').slice(0, MAX_TEXT) || `the server answered with status ${status}`, {
    retryAfterMs,
    domain,
  });
}

/** Maximum length of the text: it is shown and logged, and the server must not fill the page. */
const MAX_TEXT = 500;

const shortType = (type: unknown): string | undefined =>
  typeof type === 'string' ? type.split(':').at(-1)?.slice(0, 64) : undefined;
