import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect, createServer } from 'node:tls';
import { until } from '../../../test/support/kit/until.ts';
import { answersForTests } from '../../../test/support/resolver/transport/answers.ts';
import { DAY_MS } from '../../kit/durations.ts';
import { type Certificates, openCertificates } from './certificates.ts';
import { makeSelfSigned } from './make-self-signed.ts';
import { ensureSelfSigned } from './self-signed.ts';
import { listenDot } from './stream.ts';

const NOW = Date.UTC(2026, 10, 15);

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'certificates-'));
  t.after(() => rm(path, { recursive: true }));
  return path;
}

async function pair(t: TestContext) {
  const path = await folder(t);
  const files = { certFile: join(path, 'cert.pem'), keyFile: join(path, 'key.pem') };
  const write = async ({ cert, key }: { cert?: string; key?: string }): Promise<void> => {
    if (key !== undefined) await writeFile(files.keyFile, key);
    if (cert !== undefined) await writeFile(files.certFile, cert);
  };
  return { ...files, path, write };
}

async function opened(t: TestContext, files: { certFile: string; keyFile: string }, told: string[], pollMs = 60_000) {
  const certificates = await openCertificates({
    files: [files],
    pollMs,
    now: () => NOW,
    report: (problem) => void told.push(problem),
  });
  assert.ok(certificates.ok);
  t.after(() => certificates.value.stop());
  return certificates.value;
}

const made = (name: string) => makeSelfSigned([name], [], NOW);
const nameOf = (certificates: Certificates): string | undefined =>
  new X509Certificate([certificates.current().cert].flat()[0]!).subjectAltName;

test('changed files are read again, by polling or on demand, and listeners are called', async (t) => {
  const files = await pair(t);
  await files.write(await made('one.example'));
  const told: string[] = [];
  const certificates = await opened(t, files, told, 20);
  assert.equal(nameOf(certificates), 'DNS:one.example');
  assert.deepEqual(await certificates.reload(), { ok: true, value: 'same' });
  const heard = new Promise<void>((resolve) => void certificates.onChange(resolve));
  await files.write(await made('two.example'));
  await heard;
  // The key is written before the certificate; in between the pair does not match, and the old one stays in use.
  assert.equal(nameOf(certificates), 'DNS:two.example');
  certificates.stop();
  await files.write(await made('three.example'));
  assert.deepEqual(await certificates.reload(), { ok: true, value: 'changed' });
  assert.equal(nameOf(certificates), 'DNS:three.example');
});

test('a link that points elsewhere is another file', async (t) => {
  const files = await pair(t);
  const [one, two] = [await made('one.example'), await made('two.example')];
  for (const [name, { cert, key }] of Object.entries({ one, two })) {
    await writeFile(join(files.path, `${name}.crt`), cert);
    await writeFile(join(files.path, `${name}.key`), key);
  }
  const point = async (to: string): Promise<void> => {
    for (const [file, kind] of [
      [files.certFile, 'crt'],
      [files.keyFile, 'key'],
    ] as const) {
      await symlink(`${to}.${kind}`, `${file}.new`);
      await rename(`${file}.new`, file);
    }
  };
  await point('one');
  const certificates = await opened(t, files, []);
  await point('two');
  assert.deepEqual(await certificates.reload(), { ok: true, value: 'changed' });
  assert.equal(nameOf(certificates), 'DNS:two.example');
});

const spoilt: Readonly<Record<string, { cert?: string; key?: string }>> = {
  'an empty certificate': { cert: '' },
  'half a certificate': { cert: (await made('two.example')).cert.slice(0, 300) },
  'the key of another certificate': { key: (await made('two.example')).key },
  'no key': { key: 'no key' },
};

for (const [name, change] of Object.entries(spoilt))
  test(`an unusable file keeps the old certificate and is logged once: ${name}`, async (t) => {
    const files = await pair(t);
    await files.write(await made('one.example'));
    const told: string[] = [];
    const certificates = await opened(t, files, told);
    await files.write(change);
    assert.equal((await certificates.reload()).ok, false);
    assert.deepEqual(await certificates.reload(), { ok: true, value: 'same' });
    assert.equal(nameOf(certificates), 'DNS:one.example');
    assert.equal(told.length, 1);
    assert.match(told[0]!, /^the old TLS certificate stays in use: /);
  });

test('a missing file is logged, and its return is noticed', async (t) => {
  const files = await pair(t);
  const material = await made('one.example');
  await files.write(material);
  const told: string[] = [];
  const certificates = await opened(t, files, told);
  await rm(files.certFile);
  await certificates.reload();
  assert.match(told[0]!, /ENOENT/);
  await files.write(material);
  assert.deepEqual(await certificates.reload(), { ok: true, value: 'changed' });
});

test('without usable files the start fails with the reason', async (t) => {
  const files = await pair(t);
  const result = await openCertificates({ files: [files], report: () => undefined });
  assert.ok(!result.ok && result.error.includes(files.certFile));
});

test('it is known when the certificate ends', async (t) => {
  const files = await pair(t);
  await files.write(await made('one.example'));
  const certificates = await opened(t, files, []);
  assert.equal(certificates.state()[0]!.expiresAt, NOW + 800 * DAY_MS);
  assert.equal(certificates.state()[0]!.isSelfSigned, true);
});

const names = ['dns.example', '*.d.example', 'localhost'];
const wish = { names, addresses: ['127.0.0.1', '::1', '192.0.2.1'], now: Date.now() };

test('a self-signed pair serves all its names and addresses to a client that trusts it', async (t) => {
  const { cert, key } = await makeSelfSigned(names, wish.addresses, Date.now());
  const server = createServer({ cert, key }, (socket) => socket.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  const reach = async (servername: string): Promise<boolean> => {
    const socket = connect({ port, host: '127.0.0.1', ca: cert, servername });
    // A rejected certificate causes an error event, then the end.
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.on('close', resolve));
    return socket.authorized;
  };
  assert.equal(await reach('dns.example'), true);
  assert.equal(await reach('abcdefgh.d.example'), true);
  assert.equal(await reach('localhost'), true);
  assert.equal(await reach('a.b.d.example'), false);
  const certificate = new X509Certificate(cert);
  for (const address of wish.addresses) assert.equal(certificate.checkIP(address), address);
  assert.equal(certificate.ca, false);
});

test('openssl finds the certificate in order', {
  skip: spawnSync('openssl', ['version']).error !== undefined,
}, async (t) => {
  const path = await folder(t);
  const { certFile, keyFile } = await ensureSelfSigned({ ...wish, folder: path });
  const text = spawnSync('openssl', ['x509', '-in', certFile, '-noout', '-text']).stdout.toString();
  assert.match(text, /Version: 3/);
  assert.match(text, /ecdsa-with-SHA256/);
  assert.match(text, /DNS:dns.example, DNS:\*\.d\.example, DNS:localhost, IP Address:127\.0\.0\.1/);
  assert.match(text, /TLS Web Server Authentication/);
  const verified = spawnSync('openssl', ['verify', '-x509_strict', '-CAfile', certFile, certFile]);
  assert.match(verified.stdout.toString() + verified.stderr.toString(), /OK|missing.*key identifier/i);
  assert.equal(spawnSync('openssl', ['ec', '-in', keyFile, '-check', '-noout']).status, 0);
});

test('a pair is created once, readable by its owner only, and again when it expires soon or lacks a name', async (t) => {
  const path = join(await folder(t), 'tls');
  const ask = (change: Partial<typeof wish> = {}) => ensureSelfSigned({ ...wish, ...change, folder: path });
  const first = await ask();
  assert.equal(first.made, true);
  for (const file of [first.certFile, first.keyFile]) assert.equal((await stat(file)).mode & 0o777, 0o600);
  const before = await readFile(first.certFile, 'utf8');
  assert.equal((await ask()).made, false);
  assert.equal((await ask({ names: ['dns.example'] })).made, false);
  assert.equal(await readFile(first.certFile, 'utf8'), before);
  assert.equal((await ask({ names: [...names, 'new.example'] })).made, true);
  assert.equal((await ask({ addresses: ['198.51.100.1'] })).made, true);
  assert.equal((await ask({ now: wish.now + 780 * DAY_MS })).made, true);
  await writeFile(first.keyFile, 'spoilt');
  assert.equal((await ask({ now: wish.now + 780 * DAY_MS })).made, true);
});

test('a certificate is logged three weeks, a week and a day before it expires, and when it has expired', async (t) => {
  const files = await pair(t);
  await files.write(await made('one.example'));
  const told: string[] = [];
  const clock = { now: NOW };
  const options = {
    files: [files],
    pollMs: 5,
    now: () => clock.now,
    report: (problem: string) => void told.push(problem),
  };
  const certificates = await openCertificates(options);
  assert.ok(certificates.ok);
  t.after(() => certificates.value.stop());
  const end = certificates.value.state()[0]!.expiresAt;
  for (const [daysLeft, times] of [
    [22, 0],
    [20, 1],
    [19, 1],
    [6, 2],
    [0.5, 3],
    [-1, 4],
    [-300, 4],
  ] as const) {
    clock.now = end - daysLeft * DAY_MS;
    await until(`${times} words ${daysLeft} days before`, () => told.length >= times);
    // Several more polls: nothing else may be logged.
    await new Promise((resolve) => void setTimeout(resolve, 30));
    assert.equal(told.length, times, `${daysLeft} days before`);
  }
  assert.match(told[0]!, /cert\.pem expires soon: 20/);
  assert.match(told[3]!, /cert\.pem has expired: 20/);
});

function opensslPair(type: string, options: readonly string[], path: string, name: string) {
  const files = { certFile: join(path, `${name}.pem`), keyFile: join(path, `${name}.key`) };
  const names = ['-subj', `/O=Test/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost'];
  const paths = ['-keyout', files.keyFile, '-out', files.certFile];
  const made = spawnSync('openssl', ['req', '-x509', '-nodes', '-newkey', type, ...options, ...names, ...paths]);
  assert.equal(made.status, 0, made.stderr.toString());
  return files;
}
const ecdsa = ['-pkeyopt', 'ec_paramgen_curve:P-256'];

/** The common name of the certificate that a client with these ciphers of TLS 1.2 gets. */
async function presented(port: number, ciphers: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', ciphers, maxVersion: 'TLSv1.2', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return String(subject.CN);
}

test('of an RSA and an ECDSA certificate each client gets the one that it can use, also after a reload', async (t) => {
  const path = await folder(t);
  const files = [opensslPair('ec', ecdsa, path, 'first'), opensslPair('rsa:2048', [], path, 'second')];
  const certificates = await openCertificates({ files, report: () => undefined });
  assert.ok(certificates.ok);
  t.after(() => certificates.value.stop());
  assert.deepEqual(
    certificates.value.state().map(({ keyType, issuer, domains }) => [keyType, issuer, ...domains]),
    [
      ['ECDSA', 'Test, first', 'localhost'],
      ['RSA', 'Test, second', 'localhost'],
    ],
  );
  const options = { host: '127.0.0.1', port: 0, report: () => undefined, tls: certificates.value };
  const { address, stop } = await listenDot(options, answersForTests);
  t.after(stop);
  const both = async (): Promise<readonly string[]> => [
    await presented(address.port, 'ECDHE-ECDSA-AES128-GCM-SHA256'),
    await presented(address.port, 'ECDHE-RSA-AES128-GCM-SHA256'),
  ];
  assert.deepEqual(await both(), ['first', 'second']);

  const renewed = opensslPair('rsa:2048', [], path, 'third');
  await rename(renewed.keyFile, files[1]!.keyFile);
  await rename(renewed.certFile, files[1]!.certFile);
  assert.deepEqual(await certificates.value.reload(), { ok: true, value: 'changed' });
  assert.deepEqual(await both(), ['first', 'third']);
});

test('two certificates with keys of one type are rejected', async (t) => {
  const path = await folder(t);
  const files = [opensslPair('ec', ecdsa, path, 'first'), opensslPair('ec', ecdsa, path, 'second')];
  const certificates = await openCertificates({ files, report: () => undefined });
  assert.ok(!certificates.ok && /same type/.test(certificates.error));
});
