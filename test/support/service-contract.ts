import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { Compile } from 'typebox/schema';
import { until } from './kit/until.ts';
import { post as plainPost, type Service } from './service.ts';

type Answers = Record<string, { content?: Record<string, { schema: object }> }>;
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Answers;
};

export type OpenApiDocument = {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
};

const documents = new Map<string, Promise<OpenApiDocument>>();

/** The OpenAPI document of the service, fetched once. */
export function documentOf({ url }: Pick<Service, 'url'>): Promise<OpenApiDocument> {
  const found =
    documents.get(url) ??
    fetch(`${url}/api/openapi.json`).then((response) => response.json() as Promise<OpenApiDocument>);
  documents.set(url, found);
  return found;
}

type Said = { readonly status: number; readonly type: string | null; readonly body: string };

/** An answer is one that the service's own document promises, with no member that it does not name. */
export async function assertDocumented(service: Pick<Service, 'url'>, method: string, path: string, said: Said) {
  const { paths } = await documentOf(service);
  const template = templateOf(path);
  const answers = paths[template]?.[method.toLowerCase()]?.responses;
  assert(answers, `${method} ${template} is not in the document`);
  const answer = answers[said.status];
  assert(answer, `${method} ${template} answers ${said.status}, which is not in the document`);
  const type = said.type?.split(';', 1)[0] ?? '';
  if (!answer.content) return;
  const schema = answer.content[type]?.schema;
  assert(schema, `${method} ${template} answers ${said.status} as "${type}", which is not in the document`);
  const value: unknown = type === 'application/json' ? JSON.parse(said.body) : said.body;
  const [isValid, faults] = Compile(closed(schema) as object).Errors(value);
  assert(isValid, `${method} ${template} ${said.status}: ${JSON.stringify(faults.slice(0, 3))}`);
}

const templateOf = (path: string): string =>
  path
    .replace(/\?.*$/, '')
    .replace(/^\/lists\/[^/]+$/, '/lists/{id}')
    .replace(/^\/api(?=\/(compile|diff|validate|metrics|lists)\b)/, '')
    .replace(/^\/(api\/)?health$/, '/health/ready')
    .replace(/^\/$/, '/api/docs');

/** The same schema, with only the members that it names. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in parts ? { ...parts, additionalProperties: false } : parts;
}

/** Posts, and holds the answer against the service's document. */
export const post: typeof plainPost = async (service, path, body, headers) => {
  const answer = await plainPost(service, path, body, headers);
  const { status, text } = answer;
  await assertDocumented(service, 'POST', path, { status, type: answer.headers.get('content-type'), body: text });
  return answer;
};

/** As soon as so many requests wait for compilations, and no others. */
export async function untilAwaited({ adminPort }: Pick<Service, 'adminPort'>, requests: number): Promise<void> {
  await until(`${requests} who wait for a compilation`, async () => {
    const figures = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
    return figures.includes(`\nweir_compilations_awaited ${requests}\n`);
  });
}

/** Posts until the answer is one that was kept: keeping it may take a moment longer than telling it. */
export async function postUntilHit(service: Pick<Service, 'url'>, body: unknown) {
  for (let tries = 0; tries < 1000; tries++) {
    const answer = await post(service, '/compile', body);
    if (answer.headers.get('x-cache') === 'HIT') return answer;
    await setTimeout(20);
  }
  return assert.fail('the answer was never kept');
}
