import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/**
 * The authorities that may vouch for upstreams: those of Node, of the system, and the ones given. Made when first needed and
 * then shared, because reading hundreds of certificates takes a tenth of a second.
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
