import {
  createClient,
  type Exchange,
  type OperationName,
  type OptionsOf,
  type Reply,
} from '../../src/client/client.ts';
import { WeirError } from '../../src/client/weir-error.ts';
import { ApiError, problemFrom } from './api-error.ts';
import { setSessionExpired } from './auth-state.ts';
import { setReachable, setUnreachable } from './connectivity.ts';

// Session tokens are stored in an HttpOnly cookie, out of reach of scripts.
const client = createClient({ headers: { 'session-in': 'cookie' } });

/** Sends a request and returns the response body; throws an ApiError if the request fails. */
export async function request<Name extends OperationName>(
  name: Name,
  ...options: OptionsOf<Name>
): Promise<Reply<Name>> {
  return (await exchange(name, ...options)).reply;
}

/** The same with the ETag. */
export async function exchange<Name extends OperationName>(
  name: Name,
  ...options: OptionsOf<Name>
): Promise<Exchange<Name>> {
  try {
    const exchanged = await client.exchange(name, ...options);
    setReachable();
    return exchanged;
  } catch (error) {
    // An aborted request does not mean that the service is unreachable.
    if (!(error instanceof WeirError)) throw error;
    const problem = problemFrom(error);
    if (problem.kind === 'unreachable') setUnreachable();
    else setReachable();
    if (problem.kind === 'signedOut') setSessionExpired();
    throw new ApiError(problem);
  }
}
