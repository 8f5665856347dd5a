import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './app/temporary-folder.ts';

type Ending = { after(end: () => unknown): void };

/** Addresses of this machine that act as clients of a local network. */
export const leased = {
  tv: { address: '127.0.0.31', mac: '00:03:93:00:00:31', name: 'living-room-tv' },
  phone: { address: '127.0.0.32', mac: 'da:a1:19:00:00:32', name: 'annas-phone' },
  laptop: { address: '127.0.0.33', mac: 'b8:27:eb:00:00:33', name: 'laptop' },
} as const;

/** A lease file of dnsmasq, readable for the user that the service runs as. */
export async function leaseFile(t: Ending): Promise<string> {
  const folder = await temporaryFolder(t);
  await chmod(folder, 0o755);
  const file = join(folder, 'dnsmasq.leases');
  const lines = Object.values(leased).map(({ address, mac, name }) => `0 ${mac} ${address} ${name} *\n`);
  await writeFile(file, lines.join(''));
  return file;
}
