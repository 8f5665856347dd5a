const GATEWAY_FLAG = 0x2;

/** The IPv4 gateway with the lowest metric in `/proc/net/route`. */
export function parseDefaultGateway(text: string): string | undefined {
  const routes = text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, destination, gateway = '', flags = '0', , , metric, mask] = line.trim().split(/\s+/);
      const isDefault = destination === '00000000' && mask === '00000000';
      const isGateway = (Number.parseInt(flags, 16) & GATEWAY_FLAG) !== 0 && /^[0-9A-F]{8}$/i.test(gateway);
      return isDefault && isGateway ? [{ gateway, metric: Number(metric) }] : [];
    });
  const [best] = routes.sort((one, other) => one.metric - other.metric);
  if (!best) return undefined;
  // In native byte order, which is little-endian on all Linux platforms of Node.js except s390x.
  const address = Number.parseInt(best.gateway, 16);
  return [0, 8, 16, 24].map((shift) => (address >>> shift) & 0xff).join('.');
}
