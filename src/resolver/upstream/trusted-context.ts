import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/**
 * The trusted certificate authorities: those of Node, of the system, and the given ones. Created on first use and
 * shared, because reading hundreds of certificates takes about 100 ms.
 */
export function trustedContext(ca: readonly (string | Buffer)[] = []): () => SecureContext {
  let context: SecureContext | undefined;
  return () => {
    context ??= createSecureContext({
      ca: [...new Set([...getCACertificates('default'), ...getCACertificates('system')]), ...ca],
      minVersion: 'TLSv1.2',
    });
    return context;
  };
}
