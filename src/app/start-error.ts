const messages: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use by another program',
  EADDRNOTAVAIL: 'this machine does not have this address',
  EACCES: 'permission denied',
};

/** The reason why the service could not start, with the address if it is about one. */
export function startError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  const where = address === undefined ? '' : `${address}:${port ?? ''}: `;
  return `${where}${messages[code] ?? error.message}`;
}
