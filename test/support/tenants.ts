import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type DnsService, type Home, homeOf } from '../dns-for-tests.ts';

const weir = fileURLToPath(new URL('../../bin/weir', import.meta.url));

async function account(service: DnsService, words: readonly string[], input = ''): Promise<Record<string, string>> {
  const child = spawn(weir, ['account', ...words, '--data', service.data, '--json'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  assert.equal(child.exitCode, 0, errors);
  return JSON.parse(output);
}

/** Another account of the service, made by the command line. It has no filter lists. */
export async function addTenant(service: DnsService, name: string): Promise<Home> {
  const email = `${name}@example.org`;
  await account(service, ['create', '--email', email, '--password-stdin'], 'correct horse battery staple');
  const { key } = await account(service, ['key', '--email', email, '--name', 'test']);
  const home = await homeOf(service, `ApiKey ${key}`);
  await home.set({ filter_lists_settings: { enabled: false, filter_list: [] } });
  return home;
}
