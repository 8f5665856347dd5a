import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { opensslResponder } from '../../test/support/ocsp/openssl-responder.ts';
import { missing } from '../../test/support/programs.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/durations.ts';
import { readChain } from './certificate-chain.ts';
import { openStapling } from './open-stapling.ts';
import { type Issued, readResponse, requestUrl } from './read-response.ts';

const skip = missing('openssl');

async function responder(t: TestContext) {
  const authority = opensslResponder(await temporaryFolder(t));
  authority.issueServer('server');
  authority.know({ server: 'good' });
  return authority;
}

async function issuedIn(file: string): Promise<Issued> {
  const { certificate, issuer } = readChain(await readFile(file, 'utf8'));
  return { certificate, issuer: issuer! };
}

/** Stapling with a clock and a responder of the test. */
async function stapling(t: TestContext, authority: ReturnType<typeof opensslResponder>) {
  const world = {
    now: Date.now(),
    asked: 0,
    answer: (url: string): Uint8Array => authority.answer(url),
    stapled: [] as readonly { readonly fingerprint: string; readonly endsAt: number }[],
    log: [] as string[],
  };
  const folder = await temporaryFolder(t);
  const open = () => {
    const opened = openStapling({
      folder,
      files: [authority.file('server.pem')],
      download: async (url) => {
        world.asked++;
        return world.answer(url);
      },
      use: async (staples) => {
        world.stapled = staples;
      },
      report: (level, text) => void world.log.push(`${level} ${text}`),
      now: () => world.now,
    });
    t.after(opened.stop);
    return opened;
  };
  return { world, folder, open };
}

test('a response is stored, survives a restart, is renewed at half of its life and kept while the responder fails', {
  skip,
}, async (t) => {
  const { world, folder, open } = await stapling(t, await responder(t));
  const first = open();
  await first.check();
  assert.deepEqual([world.asked, world.stapled.length, readdirSync(folder).length], [1, 1, 1]);
  const [state] = first.state();
  assert.deepEqual([state!.status, state!.isRequired, state!.problem], ['stapled', false, undefined]);
  assert.ok(Math.abs(state!.nextAttemptAt! - (world.now + 2 * DAY_MS)) < MINUTE_MS);
  await first.check();
  await first.stop();

  world.stapled = [];
  const second = open();
  await second.check();
  assert.deepEqual([world.asked, world.stapled.length], [1, 1], 'the stored response is used without a request');
  world.now += 2 * DAY_MS + MINUTE_MS;
  world.answer = () => {
    throw new Error('unreachable');
  };
  await second.check();
  await second.check();
  assert.deepEqual([world.asked, world.stapled.length], [2, 1], 'the next attempt waits');
  assert.deepEqual([second.state()[0]!.status, second.state()[0]!.problem], ['stapled', 'unreachable']);
  world.now += 2 * DAY_MS;
  assert.equal(second.state()[0]!.status, 'missing', 'after its end');
  assert.deepEqual(second.requests(), { good: 0, revoked: 0, failed: 1 });
  assert.deepEqual(world.log, ['info an OCSP response was received', 'warn no OCSP response was received']);
});

test('a revoked certificate is not stapled, and its stored response is deleted', { skip }, async (t) => {
  const authority = await responder(t);
  const { world, folder, open } = await stapling(t, authority);
  const opened = open();
  await opened.check();
  authority.know({ server: 'revoked' });
  world.now += 2 * DAY_MS + HOUR_MS;
  world.answer = (url) => authority.answer(url, ['-ndays', '9']);
  await opened.check();
  assert.deepEqual([world.stapled, readdirSync(folder)], [[], []]);
  assert.equal(opened.state()[0]!.status, 'revoked');
  assert.match(world.log.at(-1)!, /^error the authority has revoked the certificate/);
});

test('the status of a new certificate is requested at once, and the response of the old one is deleted', {
  skip,
}, async (t) => {
  const authority = await responder(t);
  const { world, folder, open } = await stapling(t, authority);
  const opened = open();
  await opened.check();
  const [before] = world.stapled;
  authority.issueServer('other');
  authority.know({ server: 'good', other: 'good' });
  copyFileSync(authority.file('other.pem'), authority.file('server.pem'));
  await opened.check();
  assert.equal(world.asked, 2);
  assert.notEqual(world.stapled[0]!.fingerprint, before!.fingerprint);
  assert.equal(readdirSync(folder).length, 1);
  // A file that is written at this moment changes nothing.
  writeFileSync(authority.file('server.pem'), '');
  await opened.check();
  rmSync(authority.file('server.pem'));
  await opened.check();
  assert.equal(world.stapled.length, 1);
});

test('"must staple" without a response is reported with the reason', { skip }, async (t) => {
  const authority = await responder(t);
  authority.issueServer('server', 'tlsfeature=status_request');
  const { world, open } = await stapling(t, authority);
  const opened = open();
  await opened.check();
  assert.match(world.log.join(), /^warn the certificate requires a stapled OCSP response/);
  const [state] = opened.state();
  assert.deepEqual([state!.isRequired, state!.status], [true, 'missing']);
  assert.match(state!.problem!, /does not know the certificate/);
});

test('responses are refused that are expired, early, without an end, for another certificate or by another signer', {
  skip,
}, async (t) => {
  const authority = await responder(t);
  authority.issueServer('other');
  authority.newCa('stranger');
  authority.issueDelegate('false-delegate', 'stranger');
  authority.know({ server: 'good', other: 'good' });
  const issued = await issuedIn(authority.file('server.pem'));
  const url = await requestUrl('http://ocsp.example/status/', issued);
  const ofOther = await requestUrl('http://ocsp.example/status', await issuedIn(authority.file('other.pem')));
  const signedBy = (name: string, certificate = `${name}.crt`): readonly string[] => [
    ...authority.byDelegate.slice(0, 4),
    '-rsigner',
    authority.file(certificate),
    '-rkey',
    authority.file(`${name}.key`),
  ];
  const good = authority.answer(url);
  const damaged = Buffer.from(good);
  damaged[damaged.indexOf(Buffer.from('180f', 'hex')) + 5]! ^= 1;
  const now = Date.now();
  const read = async (bytes: Uint8Array, at = now): Promise<string> => {
    const result = await readResponse(bytes, issued, at);
    return result.ok ? result.value.status : result.error;
  };
  assert.equal(await read(good), 'good');
  const byIssuer = authority.answer(url, ['-ndays', '4'], signedBy('ca', 'ca.pem'));
  assert.equal(await read(byIssuer), 'good');
  assert.match(await read(good, now + 5 * DAY_MS), /has expired/);
  assert.match(await read(byIssuer, now - DAY_MS), /not valid yet/);
  assert.match(await read(authority.answer(url, [])), /no time of its next update/);
  assert.match(await read(authority.answer(ofOther)), /another certificate/);
  assert.match(
    await read(authority.answer(url, ['-ndays', '4'], signedBy('false-delegate'))),
    /not signed by the issuer/,
  );
  // A certificate of the same authority that is not for this purpose.
  assert.match(await read(authority.answer(url, ['-ndays', '4'], signedBy('other'))), /not signed by the issuer/);
  assert.match(await read(damaged), /not signed by the issuer/);
  assert.match(await read(good.subarray(0, 100)), /cannot be read/);
  assert.match(await read(Buffer.from('30030a0103', 'hex')), /refuses: try later/);
});
