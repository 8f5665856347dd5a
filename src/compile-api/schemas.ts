import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import { formatNames } from '../compiler/index.ts';
import { COMPONENT } from '../http/openapi.ts';
import type { Answer } from '../http/route.ts';
import { onSourceErrors } from './compile-job.ts';

// Each schema is used for validation, types and documentation.

/** Works without downloads: the rules are in the request. */
export const exampleRequest = {
  configuration: {
    name: 'My Filter List',
    sources: [{ name: 'Example Source', source: '||ads.example.com^\n||ads.example.com^' }],
    transformations: ['Deduplicate', 'RemoveEmptyLines'],
  },
  benchmark: true,
};

/** Validated by the compiler, whose member table also generates the schema. */
const Configuration = Type.Unknown({ [COMPONENT]: 'Configuration' });

const Format = Type.Enum([...formatNames], { description: 'Format of the list. Default: adblock.' });

const jobMembers = {
  configuration: Configuration,
  preFetchedContent: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Content by source; these sources are not downloaded.',
    }),
  ),
  benchmark: Type.Optional(Type.Boolean({ description: 'Include the duration of each stage.' })),
  explain: Type.Optional(Type.Boolean({ description: 'Include each dropped rule with the reason.' })),
  format: Type.Optional(Format),
  onSourceError: Type.Optional(
    Type.Enum([...onSourceErrors], {
      description:
        'For a source that cannot be read: fail the compilation (default), leave the source out, or use its earlier copy. `warnings` and the header of the list name such sources.',
    }),
  ),
};

/** Type without null, which is treated as absent. */
export const CompileJobMembers = Type.Object(jobMembers);

/** The members with null, as clients of typed languages send optional members that are not set. */
const nullableMembers = Object.fromEntries(
  Object.entries(jobMembers).map(([name, schema]): [string, TSchema] => [
    name,
    Type.IsOptional(schema) ? Type.Optional(Type.Union([schema, Type.Null()])) : schema,
  ]),
);

export const CompileRequest = Type.Object(nullableMembers, { examples: [exampleRequest] });

const Id = Type.Union([Type.String({ minLength: 1 }), Type.Number()]);

export const BatchRequest = Type.Object({
  requests: Type.Array(Type.Object({ id: Id, ...nullableMembers }), { minItems: 1, maxItems: 10 }),
});

const Stage = Type.Object({
  name: Type.String(),
  durationMs: Type.Integer(),
  itemCount: Type.Integer(),
  itemsPerSecond: Type.Integer(),
});

const Metrics = Type.Object({
  totalDurationMs: Type.Integer(),
  stages: Type.Array(Stage),
  sourceCount: Type.Integer(),
  ruleCount: Type.Integer(),
  outputRuleCount: Type.Integer(),
  sources: Type.Array(Type.Object({ source: Type.String(), format: Type.String(), lines: Type.Integer() })),
});

const rules = Type.Array(Type.String(), { description: 'All lines of the list, header and comments included.' });

const UnsupportedRule = Type.Object({
  rule: Type.String(),
  source: Type.String(),
  line: Type.Integer(),
  reason: Type.String(),
});

const warnings = Type.Optional(
  Type.Array(Type.String(), {
    description: 'Unknown members of the request, which were ignored, and sources that could not be read.',
  }),
);

const resultMembers = {
  rules,
  ruleCount: Type.Integer({ description: 'Number of lines in `rules`.' }),
  metrics: Type.Optional(Metrics),
  compiledAt: Type.String({ format: 'date-time' }),
  dropped: Type.Optional(
    Type.Array(
      Type.Object({
        rule: Type.String(),
        source: Type.String(),
        line: Type.Integer(),
        step: Type.String(),
        reason: Type.String(),
      }),
      { description: 'With `explain`: dropped rules, at most 10,000.' },
    ),
  ),
  unsupported: Type.Optional(
    Type.Array(UnsupportedRule, {
      description: 'With a `format` other than adblock: rules that the format does not support, at most 10,000.',
    }),
  ),
  unsaid: Type.Optional(
    Type.Array(UnsupportedRule, { description: 'Deprecated: use `unsupported`.', deprecated: true }),
  ),
  cached: Type.Optional(Type.Literal(true)),
  deduplicated: Type.Optional(Type.Literal(true)),
  warnings,
};

export const CompileAnswer = Type.Object({
  success: Type.Literal(true),
  ...resultMembers,
  previousVersion: Type.Optional(
    Type.Object({ rules, ruleCount: Type.Integer(), compiledAt: Type.String({ format: 'date-time' }) }),
  ),
});

export const Failure = Type.Object({
  success: Type.Literal(false),
  error: Type.String(),
  details: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
      description: 'Errors of the request, each with its location; of several sources the one that failed.',
    }),
  ),
});

export const BatchAnswer = Type.Object({
  success: Type.Literal(true),
  results: Type.Array(
    Type.Union([
      Type.Object({ id: Id, success: Type.Literal(true), ...resultMembers }),
      Type.Object({ id: Id, ...Failure.properties, warnings }),
    ]),
  ),
});

export const EventStream = Type.String({
  description:
    'Server-sent events: log, source:start, source:complete, source:error, transformation:start, transformation:complete, progress, compilation:complete, then result and done, or error.',
});

const List = Type.Union([Type.String(), Type.Array(Type.String())], {
  description: 'A list as text or as an array of lines.',
});

export const DiffRequest = Type.Object({ before: List, after: List });
export type DiffRequest = Static<typeof DiffRequest>;
/** With the names of the published service. */
export const PublishedDiffRequest = Type.Object({ original: List, current: List });

export const DiffAnswer = Type.Object({
  success: Type.Literal(true),
  added: Type.Array(Type.String()),
  removed: Type.Array(Type.String()),
  addedCount: Type.Integer(),
  removedCount: Type.Integer(),
  unchangedCount: Type.Integer(),
});

const Mode = Type.Enum(['Validate', 'ValidateAllowIp', 'ValidateAllowPublicSuffix', 'ValidateAllowIpAndPublicSuffix'], {
  description: 'Validation to apply. Default: Validate.',
});

export const ValidateRequest = Type.Object({ rules: List, mode: Type.Optional(Mode) });
export type ValidateRequest = Static<typeof ValidateRequest>;

export const ValidateAnswer = Type.Object({
  success: Type.Literal(true),
  valid: Type.Boolean({ description: 'Whether all rules are valid.' }),
  invalidCount: Type.Integer(),
  results: Type.Array(
    Type.Object({
      line: Type.Integer(),
      rule: Type.String(),
      kind: Type.Enum(['valid', 'invalid', 'comment', 'empty']),
      reason: Type.Optional(Type.String()),
      position: Type.Optional(Type.Object({ start: Type.Integer(), end: Type.Integer() })),
      warning: Type.Optional(Type.String()),
    }),
  ),
});

export const Info = Type.Object({
  name: Type.String(),
  version: Type.String(),
  endpoints: Type.Record(Type.String(), Type.String()),
  example: Type.Object({ method: Type.String(), url: Type.String(), body: Type.Unknown() }),
});

export const Access = Type.Object({
  page: Type.Boolean({ description: 'Whether this client may use the compiler page without signing in.' }),
});

export const EndpointFigures = Type.Object({
  window: Type.String(),
  timestamp: Type.String({ format: 'date-time' }),
  endpoints: Type.Record(
    Type.String(),
    Type.Object({
      count: Type.Integer(),
      success: Type.Integer(),
      failed: Type.Integer(),
      avgDuration: Type.Number(),
      errors: Type.Record(Type.String(), Type.Integer()),
    }),
  ),
});

export const json = (description: string, schema: TSchema): Answer => ({
  description,
  content: { 'application/json': schema },
});

/** Error responses of every request with a body. */
export const failureAnswers: Readonly<Record<number, Answer>> = {
  400: json('Invalid request; `details` lists the errors.', Failure),
  403: json('This address may not compile without credentials.', Failure),
  413: json('The body is larger than the limit.', Failure),
  415: json('The Content-Type is not JSON.', Failure),
  429: json('Rate limit or work limit exceeded; retry after the time in `Retry-After`.', Failure),
  500: json('A source could not be downloaded, or the compilation failed.', Failure),
  503: json('Too many compilations are waiting.', Failure),
};
