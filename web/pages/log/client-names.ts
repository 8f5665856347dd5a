import type { NetworkClient } from '../../api/wire.ts';

/** Names of network clients by address. */
export const clientNames = (clients: readonly NetworkClient[]): ReadonlyMap<string, string> =>
  new Map(
    clients.flatMap(({ name, addresses }) =>
      name === undefined ? [] : addresses.map((address) => [address, name] as const),
    ),
  );
