import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { makeSelfSigned } from '../resolver/transport/make-self-signed.ts';
import { parseSigner, signProfile } from './sign-profile.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

type Pem = { readonly cert: string; readonly key: string };

function rsaPair(folder: string): Pem {
  const subject = ['-subj', '/CN=dns.example.org', '-days', '800'];
  const files = ['-keyout', 'rsa.key', '-out', 'rsa.crt'];
  const made = spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(made.status, 0, made.stderr);
  return {
    cert: readFileSync(join(folder, 'rsa.crt'), 'utf8'),
    key: readFileSync(join(folder, 'rsa.key'), 'utf8'),
  };
}

const pairs: Readonly<Record<string, (folder: string) => Pem | Promise<Pem>>> = {
  EC: () => makeSelfSigned(['dns.example.org'], [], Date.now()),
  RSA: rsaPair,
};

for (const [kind, makePair] of Object.entries(pairs))
  test(`openssl verifies a profile signed with an ${kind} key and rejects a modified one`, {
    skip: !hasOpenssl && 'no openssl here',
  }, async (t) => {
    const folder = await temporaryFolder(t);
    const pem = await makePair(folder);
    const profile = `<?xml version="1.0"?><plist>${'é'.repeat(5000)}</plist>`;
    writeFileSync(join(folder, 'cert.pem'), pem.cert);
    const verify = (signed: Buffer) => {
      writeFileSync(join(folder, 'signed'), signed);
      const input = ['-inform', 'DER', '-in', 'signed', '-CAfile', 'cert.pem', '-purpose', 'any', '-binary'];
      return spawnSync('openssl', ['cms', '-verify', ...input], { cwd: folder, encoding: 'utf8' });
    };
    const signed = await signProfile(profile, parseSigner(pem.cert, pem.key), new Date());
    const good = verify(signed);
    assert.equal(good.status, 0, good.stderr);
    assert.equal(good.stdout, profile);

    const changed = Buffer.from(signed);
    changed[changed.indexOf('plist')]! ^= 1;
    assert.notEqual(verify(changed).status, 0);
  });

test('a key of another certificate is refused', async () => {
  const [one, other] = [await makeSelfSigned(['a.example'], [], 0), await makeSelfSigned(['b.example'], [], 0)];
  assert.throws(() => parseSigner(one.cert, other.key), /not that of the first certificate/);
  assert.throws(() => parseSigner('', one.key), /not that of the first certificate/);
});
