import type { FastifyRequest } from 'fastify';
import { authenticate } from './authenticate.ts';
import type { Deps } from './deps.ts';
import { credentialsOf } from './session-cookie.ts';

/** Whether a request outside the management API has a valid API key, access token or session cookie from our own page. */
export async function isAuthenticated(deps: Deps, request: FastifyRequest): Promise<boolean> {
  const credentials = credentialsOf(deps, request);
  return credentials.length > 0 && (await authenticate(deps, credentials)).ok;
}
