import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Static, TSchema } from 'typebox';
import { type Configuration, checkConfiguration, type Source } from '../compiler/index.ts';
import { bodyCheck } from '../http/check-body.ts';
import { parseRequestJson } from '../http/request-json.ts';
import { didYouMean } from '../kit/did-you-mean.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { CompileJob, ErrorResponse } from './compile-job.ts';
import { withoutNullMembers } from './null-members.ts';
import { configurationErrorResponse } from './run-job.ts';
import { CompileJobMembers } from './schemas.ts';

type BodyRequest = Pick<FastifyRequest, 'body' | 'headers'>;

/** The validated body of a request, or the error response. */
export function readBody<T>(
  request: BodyRequest,
  check: (body: unknown) => Result<T, ErrorResponse>,
): Result<T, ErrorResponse> {
  if (!isJson(request.headers['content-type'])) return err(notJson);
  const parsed = parseRequestJson((request.body ?? '') as Buffer | string);
  return parsed.ok ? check(parsed.value) : err({ status: 400, error: parsed.error });
}

const notJson: ErrorResponse = { status: 415, error: 'Unsupported Content-Type: send application/json' };

/** JSON or no content type; many clients omit it or send text/plain. */
const isJson = (type = ''): boolean =>
  type === 'application/json' || /^(|application\/([\w.-]+\+)?json|text\/plain)$/i.test(type.split(';', 1)[0]!.trim());

/** Validation by a schema alone. */
export function checkBy<Schema extends TSchema>(
  schema: Schema,
): (body: unknown) => Result<Static<Schema>, ErrorResponse> {
  const check = bodyCheck(schema);
  return (body) => {
    const checked = check(body);
    return checked.ok ? checked : err({ status: 400, error: 'Invalid request body', details: checked.error });
  };
}

export type JobLimits = { readonly maxSources: number; readonly maxPatterns: number };

const MAX_PATTERN_LENGTH = 1024;
const MAX_TRANSFORMATIONS = 32;

const checkRequest = bodyCheck(CompileJobMembers);

export type CheckedJob = CompileJob & { readonly benchmark: boolean; readonly warnings: readonly string[] };

/** The compile job of a request, or all errors with their paths. `alsoKnown` are members that the caller has read. */
export function checkJob(
  body: unknown,
  limits: JobLimits,
  alsoKnown: readonly string[] = [],
): Result<CheckedJob, ErrorResponse> {
  const request = checkRequest(withoutNullMembers(body));
  if (!request.ok) return err({ status: 400, error: 'Invalid request body', details: request.error });
  const {
    configuration,
    preFetchedContent = {},
    format = 'adblock',
    explain = false,
    onSourceError = 'fail',
    benchmark = false,
  } = request.value;
  // Checked before the validation, which compiles each pattern, to limit their number first.
  const overLimit = whatIsOverLimit(configuration, limits);
  if (overLimit.length > 0) return err(configurationErrorResponse({ issues: overLimit }));
  const checked = checkConfiguration(configuration);
  if (!checked.ok) return err(configurationErrorResponse({ issues: checked.error }));
  const isPrefetched = Object.keys(preFetchedContent).length > 0;
  return ok({
    configuration: checked.value,
    ...(isPrefetched && { preFetchedContent }),
    format: format as CompileJob['format'],
    explain,
    onSourceError: onSourceError as CompileJob['onSourceError'],
    benchmark,
    warnings: unknownMembers(request.value, alsoKnown),
    // Texts sent by the caller are private: the result is not shared.
    storesResult: !isPrefetched,
  });
}

const knownMembers = Object.keys(CompileJobMembers.properties);
const MAX_WARNINGS = 10;

/** Warns about unknown members (up to a limit), because a mistyped option would have no effect. */
function unknownMembers(request: object, alsoKnown: readonly string[]): string[] {
  const unknown = Object.keys(request).filter((name) => !knownMembers.includes(name) && !alsoKnown.includes(name));
  return unknown.slice(0, MAX_WARNINGS).map((name) => {
    const short = name.length > 60 ? `${name.slice(0, 60)}…` : name;
    const suggestion = didYouMean(short, knownMembers);
    return `The request member "${short}" is not known and was ignored${suggestion ? `; did you mean "${suggestion}"?` : ''}`;
  });
}

type ConfigurationIssue = { readonly path: string; readonly message: string };

function whatIsOverLimit(configuration: unknown, { maxSources, maxPatterns }: JobLimits): ConfigurationIssue[] {
  const { sources } = (configuration ?? {}) as Partial<Configuration>;
  const issues: ConfigurationIssue[] = [];
  const many = lengthOf(sources);
  if (many > maxSources) return [{ path: 'sources', message: `has ${many} sources, the limit is ${maxSources}` }];
  const levels: [string, unknown][] = [
    ['', configuration],
    ...(Array.isArray(sources) ? sources : []).map((source, at): [string, unknown] => [`sources[${at}].`, source]),
  ];
  let patterns = 0;
  let files = 0;
  for (const [at, level] of levels) {
    if (typeof level !== 'object' || level === null) continue;
    const { transformations, exclusions, inclusions, ...rest } = level as Partial<Configuration & Source>;
    files += lengthOf(rest.exclusions_sources) + lengthOf(rest.inclusions_sources) + lengthOf(rest.mirrors);
    if (lengthOf(transformations) > MAX_TRANSFORMATIONS)
      issues.push({ path: `${at}transformations`, message: `has more than ${MAX_TRANSFORMATIONS} entries` });
    patterns += lengthOf(exclusions) + lengthOf(inclusions);
    issues.push(...tooLong(exclusions, `${at}exclusions`), ...tooLong(inclusions, `${at}inclusions`));
  }
  if (files > maxSources)
    issues.push({
      path: 'sources',
      message: `and files of patterns: ${files} files and mirrors are named, and at most ${maxSources} can be`,
    });
  if (patterns > maxPatterns)
    issues.push({
      path: '',
      message: `has ${patterns} exclusions and inclusions, the limit is ${maxPatterns}`,
    });
  return issues;
}

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

const tooLong = (patterns: unknown, path: string): ConfigurationIssue[] =>
  (Array.isArray(patterns) ? patterns : []).flatMap((pattern: unknown, at) =>
    typeof pattern === 'string' && pattern.length > MAX_PATTERN_LENGTH
      ? [{ path: `${path}[${at}]`, message: `is longer than ${MAX_PATTERN_LENGTH} characters` }]
      : [],
  );

const MAX_CACHED_BODY_BYTES = 64 * 1024;
const REQUEST_CACHE_BYTES = 16 * 1024 * 1024;
// The key has two bytes per character; the parsed job takes about three times as much.
const BYTES_PER_CHARACTER = 8;

/** Reads compile requests; identical bodies are parsed and validated once. */
export function compileRequestReader(limits: JobLimits): (request: BodyRequest) => Result<CheckedJob, ErrorResponse> {
  const jobs = new LRUCache<string, CheckedJob>({ maxSize: REQUEST_CACHE_BYTES });
  const read = (request: BodyRequest): Result<CheckedJob, ErrorResponse> =>
    readBody(request, (body) => checkJob(body, limits));
  return (request) => {
    const { body, headers } = request;
    const isCacheable =
      Buffer.isBuffer(body) && body.length <= MAX_CACHED_BODY_BYTES && isJson(headers['content-type']);
    if (!isCacheable) return read(request);
    const key = body.toString('latin1');
    const cached = jobs.get(key);
    if (cached) return ok(cached);
    const job = read(request);
    if (job.ok) jobs.set(key, job.value, { size: key.length * BYTES_PER_CHARACTER });
    return job;
  };
}
