import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startDns } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { freePort } from './support/kit/ports.ts';
import { run } from './support/programs.ts';

type Finding = { readonly check: string; readonly state: string; readonly text: string; readonly advice?: string };

const world = await startWorld({ after });
const off = ['--dot', 'off', '--doh', 'off'];

async function doctor(words: readonly string[]): Promise<{ code: unknown; findings: readonly Finding[] }> {
  const { code, stdout, stderr } = await run('bin/weir', ['doctor', '--json', ...words]);
  assert.equal(stderr, '');
  return { code, findings: JSON.parse(stdout) as readonly Finding[] };
}

const problems = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ state }) => state === 'problem').map(({ text }) => text);

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'weir-doctor-'));
  after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const elsewhere = async (): Promise<readonly string[]> => [
  '--http',
  `127.0.0.1:${await freePort()}`,
  '--dns',
  `127.0.0.1:${await freePort()}`,
];

test('a machine without problems', async () => {
  const words = ['--data', folder(), '--upstream', world.address, ...off, ...(await elsewhere())];
  const { code, findings } = await doctor(words);
  assert.deepEqual(problems(findings), []);
  assert.equal(code, 0);
  assert.deepEqual(
    [...new Set(findings.map(({ check }) => check))],
    ['program', 'batches', 'permissions', 'disk', 'ports', 'upstreams', 'clock'],
  );
});

test('each problem says what to do', async (t) => {
  const data = folder();
  chmodSync(data, 0o755);
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const words = ['--data', data, '--upstream', `127.0.0.1:${await freePort()}`, ...off];
  const where = ['--dns', `127.0.0.1:${port}`, '--http', `127.0.0.1:${await freePort()}`];
  const { code, findings } = await doctor([...words, ...where]);
  assert.equal(code, 1);
  const found = problems(findings).join('\n');
  assert.match(found, /can be read by other users \(mode 0755\)/);
  assert.match(found, /plain DNS \(tcp port \d+\): another program uses it/);
  assert.match(found, /127\.0\.0\.1:\d+ does not answer: /);
  for (const { state, advice } of findings) if (state !== 'ok') assert.ok(advice);
});

test('an upstream that is this program itself is a loop', async () => {
  const port = await freePort();
  const http = `127.0.0.1:${await freePort()}`;
  const where = ['--dns', `127.0.0.1:${port}`, '--upstream', `127.0.0.1:${port}`, '--http', http];
  const { findings } = await doctor(['--data', folder(), ...where, ...off]);
  assert.match(problems(findings).join('\n'), /queries would loop/);
});

test('the running service is queried at its listeners', async (t) => {
  const service = await startDns(t, world.address);
  const { port } = new URL(service.url);
  const words = [
    '--dns',
    `127.0.0.1:${service.ports.dns}`,
    '--http',
    `127.0.0.1:${port}`,
    '--upstream',
    world.address,
    ...off,
  ];
  const { code, findings } = await doctor([...words, '--data', folder()]);
  assert.deepEqual(problems(findings), []);
  assert.equal(code, 0);
  assert.ok(findings.some(({ text }) => text.endsWith('in use, and the service runs')));
});
