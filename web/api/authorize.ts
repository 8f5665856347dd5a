import type { Authorization, AuthorizationCreate } from '../../src/client/operations.ts';
import { request } from './request.ts';

/** Parameters come from the address of the page: the service rejects missing and invalid ones. */
export const authorize = (parameters: Readonly<Record<string, string>>): Promise<Authorization> =>
  request('POST /api/v1/authorizations', { body: parameters as AuthorizationCreate });
