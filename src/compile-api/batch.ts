import { isObject } from '../kit/is-object.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { checkOrder, type OrderLimits } from './check-job.ts';
import type { Asking, Compilations, Delivery } from './compilations.ts';
import { member, type Part, resultMembers } from './response-body.ts';

const MAX_REQUESTS = 10;

type Item = { readonly id: string; readonly body: unknown };

/** The requests of a batch, or what is wrong with it, in the words that clients know. */
export function checkBatch(body: unknown): Result<readonly Item[], string> {
  const requests = isObject(body) ? body['requests'] : undefined;
  if (!Array.isArray(requests)) return err('Invalid batch request format. Expected { requests: [...] }');
  if (requests.length === 0) return err('Batch request must contain at least one request');
  if (requests.length > MAX_REQUESTS) return err(`Batch request limited to ${MAX_REQUESTS} requests maximum`);
  const items: Item[] = [];
  for (const request of requests as readonly unknown[]) {
    const id = isObject(request) ? request['id'] : undefined;
    if (typeof id !== 'string' || id === '') return err('Each request must have an "id" field');
    if (items.some((item) => item.id === id)) return err(`Duplicate request ID: ${id}`);
    items.push({ id, body: request });
  }
  return ok(items);
}

/** Compiles all of a batch side by side and answers in its order: one that fails fails alone. */
export async function runBatch(
  items: readonly Item[],
  compilations: Compilations,
  asking: Asking,
  limits: OrderLimits,
): Promise<Part[]> {
  const results = await Promise.all(items.map((item) => runItem(item, compilations, asking, limits)));
  return ['{"success":true,"results":[', ...results.flatMap((parts, at) => (at === 0 ? parts : [',', ...parts])), ']}'];
}

async function runItem(
  { id, body }: Item,
  { compile }: Compilations,
  asking: Asking,
  limits: OrderLimits,
): Promise<Part[]> {
  const order = checkOrder(body, limits);
  const delivery: Delivery = order.ok ? await compile(order.value, asking) : { kind: 'failed', ...order.error };
  const name = `{"id":${JSON.stringify(id)},`;
  if (delivery.kind === 'failed') {
    const { error, details } = delivery;
    return [`${name}"success":false,"error":${JSON.stringify(error)}${member('details', details)}}`];
  }
  const { result, how } = delivery;
  const benchmark = order.ok && order.value.benchmark;
  const remarks = { benchmark, cached: how === 'cached', deduplicated: how === 'shared' };
  return [`${name}"success":true,`, ...resultMembers(result, remarks), '}'];
}
