import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { selfSignedCertificate } from '../../test/support/net/certificate.ts';
import { parseSigner, signProfile } from './sign-profile.ts';

const now = new Date('2026-11-15T08:00:00Z');
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

test('another program finds the signature good, and the profile in it', {
  skip: !hasOpenssl && 'no openssl here',
}, async (t) => {
  const folder = await temporaryFolder(t);
  const pem = selfSignedCertificate('dns.example.org');
  const profile = `<?xml version="1.0"?><plist>${'é'.repeat(5000)}</plist>`;
  writeFileSync(join(folder, 'cert.pem'), pem.cert);
  const verify = (signed: Buffer) => {
    writeFileSync(join(folder, 'signed'), signed);
    const words = [
      'cms',
      '-verify',
      '-inform',
      'DER',
      '-in',
      'signed',
      '-CAfile',
      'cert.pem',
      '-purpose',
      'any',
      '-binary',
    ];
    return spawnSync('openssl', [...words, '-attime', '1794000000'], { cwd: folder, encoding: 'utf8' });
  };
  const signed = signProfile(profile, parseSigner(pem.cert, pem.key), now);
  const good = verify(signed);
  assert.equal(good.status, 0, good.stderr);
  assert.equal(good.stdout, profile);

  const changed = Buffer.from(signed);
  changed[changed.indexOf('plist')]! ^= 1;
  assert.notEqual(verify(changed).status, 0);
});

test('a key of another certificate is refused', () => {
  const [one, other] = [selfSignedCertificate('a.example'), selfSignedCertificate('b.example')];
  assert.throws(() => parseSigner(one.cert, other.key), /not that of the first certificate/);
  assert.throws(() => parseSigner('', one.key), /not that of the first certificate/);
});
