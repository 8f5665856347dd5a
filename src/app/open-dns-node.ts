import { type NodeParts, openNode } from './open-node.ts';

/** Opens a node that answers DNS only: certificates and the listener for operators. `opened` closes them in reverse. */
export async function openDnsNode(opened: AsyncDisposableStack, parts: NodeParts) {
  const { settings, dns, log } = parts;
  const node = openNode(opened, parts);
  const acme = dns && settings.acmeDomains.length > 0 && (await import('./certificate-service.ts'));
  const certificates = acme
    ? await acme.openCertificateService({ settings, dns: dns.dns, server: undefined, log })
    : undefined;
  if (certificates) opened.defer(certificates.stop);
  const where = await node.openAdmin();
  return {
    where,
    offerSetUp: async (): Promise<void> => undefined,
    requestCertificates: (): void => certificates?.start(),
    withdraw: node.withdraw,
    stop: async (): Promise<boolean> => true,
  };
}
