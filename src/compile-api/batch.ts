import { isObject } from '../kit/is-object.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { Caller, Compilations, CompileResult } from './compilations.ts';
import { checkJob, type JobLimits } from './read-request.ts';
import { member, type Part, resultMembers, warningsMember } from './response-body.ts';

const MAX_REQUESTS = 10;

type Item = { readonly id: string | number; readonly body: unknown };

/** The requests of a batch, or an error in the published wording. */
export function checkBatch(body: unknown): Result<readonly Item[], string> {
  const requests = isObject(body) ? body['requests'] : undefined;
  if (!Array.isArray(requests)) return err('Invalid batch request format. Expected { requests: [...] }');
  if (requests.length === 0) return err('Batch request must contain at least one request');
  if (requests.length > MAX_REQUESTS) return err(`Batch request limited to ${MAX_REQUESTS} requests maximum`);
  const items: Item[] = [];
  for (const request of requests as readonly unknown[]) {
    const id = isObject(request) ? request['id'] : undefined;
    if (!isId(id)) return err('Each request must have an "id" field');
    if (items.some((item) => item.id === id)) return err(`Duplicate request ID: ${id}`);
    items.push({ id, body: request });
  }
  return ok(items);
}

const isId = (id: unknown): id is Item['id'] => (typeof id === 'string' && id !== '') || typeof id === 'number';

/** Compiles the requests of a batch concurrently and responds in their order; failures are independent. */
export async function runBatch(
  items: readonly Item[],
  compilations: Compilations,
  caller: Caller,
  limits: JobLimits,
): Promise<Part[]> {
  const results = await Promise.all(items.map((item) => runItem(item, compilations, caller, limits)));
  return ['{"success":true,"results":[', ...results.flatMap((parts, at) => (at === 0 ? parts : [',', ...parts])), ']}'];
}

async function runItem(
  { id, body }: Item,
  { compile }: Compilations,
  caller: Caller,
  limits: JobLimits,
): Promise<Part[]> {
  const job = checkJob(body, limits, ['id']);
  const compiled: CompileResult = job.ok ? await compile(job.value, caller) : { kind: 'failed', ...job.error };
  const name = `{"id":${JSON.stringify(id)},`;
  if (compiled.kind === 'failed') {
    const { error, details } = compiled;
    const warnings = warningsMember(job.ok ? job.value.warnings : []);
    return [`${name}"success":false,"error":${JSON.stringify(error)}${member('details', details)}${warnings}}`];
  }
  const { result, how } = compiled;
  const { benchmark, warnings } = job.ok ? job.value : { benchmark: false, warnings: [] };
  const remarks = { benchmark, warnings, cached: how === 'cached', deduplicated: how === 'shared' };
  return [`${name}"success":true,`, ...resultMembers(result, remarks), '}'];
}
