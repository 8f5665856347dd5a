import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { fromBase32 } from '../src/domain/base-encoding.ts';
import { totpCode } from '../src/domain/totp.ts';
import { type Home, makeHome, OWNER, PASSWORD, startDns } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';

const TOKEN_BITS = 256;
const NEW_PASSWORD = 'another horse battery staple';
const WRONG_PASSWORD = 'a guess that is wrong 4711';

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** The service replaces files while it runs, so a file may disappear. */
async function readUnlessReplaced(file: string): Promise<Buffer> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
}

/** Uses every kind of secret once, also in requests that fail. */
async function useSecrets(home: Home): Promise<Readonly<Record<string, string>>> {
  const { service } = home;
  const setUp = String(service.log.find((entry) => entry['setUpUrl'] !== undefined)?.['setUpUrl']).split('#')[1]!;
  const tokensFor = async (fields: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> => {
    const answer = await fetch(`${service.url}/oapi/v1/oauth_token`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
    return (await answer.json()) as Readonly<Record<string, string>>;
  };
  const signIn = { username: OWNER, password: PASSWORD };
  const tokens = await tokensFor(signIn);
  await tokensFor({ username: OWNER, password: WRONG_PASSWORD });
  const other = await tokensFor(signIn);
  const revoke = `/oapi/v1/revoke_token?refresh_token=${other['refresh_token']}`;
  assert.equal((await fetch(service.url + revoke, { method: 'POST' })).status, 200);
  const { api_key } = await home.ask('POST', '/api/v1/api_keys', { name: 'script' });
  const invited = { email: 'friend@example.org', role: 'viewer' };
  const { token: invitation } = await home.ask('POST', '/api/v1/invitations', invited);
  const { secret } = await home.ask('POST', '/api/v1/second_factor', { password: PASSWORD });
  const hmac = (key: Uint8Array, message: Uint8Array) => createHmac('sha1', key).update(message).digest();
  const code = totpCode(fromBase32(secret)!, Math.floor(Date.now() / 30_000), hmac);
  const { recovery_codes } = await home.ask('POST', '/api/v1/second_factor/confirm', { code });
  const { id: device } = await home.device('asker');
  const { link_url } = await home.ask('GET', `/api/v1/devices/${device}/linked_address`);
  const linkToken = String(link_url).split('/').at(-1)!;
  await fetch(`${service.url}/linkip/${device}/${linkToken}/status`);
  // Secrets in places where they do not belong must not reach the log either.
  for (const path of [`/oapi/v1/devices/${api_key}`, `/nowhere?api_key=${api_key}`])
    await fetch(service.url + path, { headers: { authorization: `ApiKey ${api_key}x` } });
  return {
    'set-up token': setUp,
    password: PASSWORD,
    'wrong password': WRONG_PASSWORD,
    'access token': tokens['access_token']!,
    'refresh token': tokens['refresh_token']!,
    'revoked refresh token': other['refresh_token']!,
    'api key': api_key,
    invitation,
    'recovery code': recovery_codes[0],
    'second factor': secret,
    'link token': linkToken,
  };
}

// The server computes codes from the first and shows the second again, so both are stored; neither may be in the log.
const storedInPlain = ['second factor', 'link token'];
// The link to create the first account is printed for the operator, and works once.
const printedOnce = ['set-up token'];

test('no secret is found in the files of the service, in its log or in the text of an error', async (t) => {
  const world = await startWorld(t);
  const home = await makeHome(await startDns(t, world.address, ['--log-level', 'trace']));
  const { service } = home;
  const secrets = await useSecrets(home);

  for (const kind of ['access token', 'refresh token', 'api key', 'invitation']) {
    const body = secrets[kind]!.split('_').slice(2).join('_');
    assert.ok(Buffer.from(body, 'base64url').length * 8 >= TOKEN_BITS, `${kind} is shorter than ${TOKEN_BITS} bits`);
  }

  // Changes reach the main file when the write-ahead log is copied; both are searched.
  const files = await filesBelow(service.data);
  const found: string[] = [];
  let bytes = 0;
  for (const file of files) {
    const content = await readUnlessReplaced(file);
    bytes += content.length;
    for (const [kind, secret] of Object.entries(secrets))
      if (!storedInPlain.includes(kind) && content.includes(secret)) found.push(`${kind} in ${file}`);
  }
  assert.deepEqual(found, []);
  const settings = Buffer.concat(
    await Promise.all(files.filter((file) => file.includes('settings.sqlite')).map((file) => readUnlessReplaced(file))),
  );
  assert.ok(settings.includes('$argon2id$v=19$m=19456,t=2,p=1$'), 'passwords are stored as argon2id');
  const hash = createHash('sha256').update(secrets['api key']!).digest();
  assert.ok(
    [hash, hash.toString('hex'), hash.toString('base64url')].some((form) => settings.includes(form)),
    'the search would find what is stored: the SHA-256 of the key is there',
  );

  // Another program locks the settings: changes fail with 503, and neither answers nor log lines may hold a secret.
  const locked = new DatabaseSync(join(service.data, 'settings.sqlite'));
  t.after(() => locked.close());
  locked.exec('begin immediate');
  const json = { 'content-type': 'application/json' };
  const refused = await Promise.all([
    fetch(`${service.url}/api/v1/password`, {
      method: 'PUT',
      headers: { ...json, authorization: `Bearer ${secrets['access token']}` },
      body: JSON.stringify({ current_password: PASSWORD, new_password: NEW_PASSWORD }),
    }),
    fetch(`${service.url}/oapi/v1/oauth_token`, {
      method: 'POST',
      body: new URLSearchParams({ username: OWNER, password: PASSWORD, mfa_token: secrets['recovery code']! }),
    }),
    fetch(`${service.url}/api/v1/invitations/accept`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ token: secrets['invitation'], password: NEW_PASSWORD }),
    }),
  ]);
  const texts = await Promise.all(refused.map((answer) => answer.text()));
  assert.ok(
    refused.some(({ status }) => status === 503),
    refused.map(({ status }) => status).join(),
  );
  const all = { ...secrets, 'new password': NEW_PASSWORD };
  const log = service.log.filter((entry) => entry['setUpUrl'] === undefined).map((entry) => JSON.stringify(entry));
  for (const [kind, secret] of Object.entries(all)) {
    const lines = [...texts, ...log].filter((line) => line.includes(secret));
    assert.deepEqual(lines, [], `${kind} in ${lines[0]}`);
  }
  t.diagnostic(
    `P16 secrets: 0 of ${Object.keys(all).length} in ${log.length} log lines and ${texts.length} answers to failed requests; 0 of ${Object.keys(secrets).length - storedInPlain.length} in ${files.length} files (${Math.round(bytes / 1024)} KiB); stored in plain: ${storedInPlain.join(', ')}; printed once: ${printedOnce.join(', ')}`,
  );
});
