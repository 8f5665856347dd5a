import type { Result } from '../kit/result.ts';

const MAX_ATTEMPTS = 3;

/** Ids are random. If an id exists already, the attempt is repeated with another one. */
export async function retryOnIdCollision<T, E extends { readonly kind: string }>(
  attempt: () => Promise<Result<T, E>>,
): Promise<Result<T, E>> {
  for (let attempts = 1; ; attempts++) {
    const result = await attempt();
    if (attempts === MAX_ATTEMPTS || result.ok || !isIdCollision(result.error)) return result;
  }
}

const isIdCollision = (error: { readonly kind: string; readonly what?: unknown }): boolean =>
  error.kind === 'conflict' && error.what === 'id';
