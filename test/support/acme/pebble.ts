import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeSelfSigned } from '../../../src/resolver/transport/make-self-signed.ts';
import { temporaryFolder } from '../app/temporary-folder.ts';
import { freePort } from '../kit/ports.ts';
import { until } from '../kit/until.ts';

type Ending = { after(end: () => unknown): void };

export type Pebble = {
  /** URL of its directory. */
  readonly directory: string;
  /** A file with the certificate of its own HTTPS server, and its content. */
  readonly caFile: string;
  readonly ca: string;
  /** The root of the certificates that it issues. */
  readonly root: string;
};

type Given = {
  /** Its resolver, as ADDRESS:PORT. */
  readonly dns: string;
  /** Ports at which it validates challenges. */
  readonly httpPort: number;
  readonly tlsPort: number;
  /** Required external accounts: keys in base64url by their ids. */
  readonly externalAccounts?: Readonly<Record<string, string>>;
};

/** Pebble, the test server of Let's Encrypt. It rejects a tenth of the valid nonces, and validates every domain again. */
export async function startPebble(t: Ending, { dns, httpPort, tlsPort, externalAccounts }: Given): Promise<Pebble> {
  const folder = await temporaryFolder(t);
  const { cert, key } = await makeSelfSigned(['localhost'], ['127.0.0.1'], Date.now());
  const files = { config: join(folder, 'pebble.json'), cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const [port, management] = [await freePort(), await freePort()];
  await writeFile(files.cert, cert);
  await writeFile(files.key, key);
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: files.cert,
    privateKey: files.key,
    httpPort,
    tlsPort,
    ...(externalAccounts && { externalAccountBindingRequired: true, externalAccountMACKeys: externalAccounts }),
  };
  await writeFile(files.config, JSON.stringify({ pebble }));
  const child = spawn('pebble', ['-config', files.config, '-dnsserver', dns], {
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '10', PEBBLE_AUTHZREUSE: '0' },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let root: string | undefined;
  await until('Pebble answers', async () => {
    root = await read(`https://127.0.0.1:${management}/roots/0`, cert);
    return root !== undefined;
  });
  return { directory: `https://127.0.0.1:${port}/dir`, caFile: files.cert, ca: cert, root: root! };
}

const read = (url: string, ca: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    request(url, { ca, agent: false }, (response) => void text(response).then(resolve))
      .on('error', () => resolve(undefined))
      .end();
  });
