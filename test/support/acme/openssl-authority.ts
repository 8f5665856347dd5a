import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate of localhost by an authority of openssl, and the parts of its id for renewal information. */
export function opensslAuthority(folder: string) {
  const file = (name: string): string => join(folder, name);
  const openssl = (...words: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync('openssl', words);
    assert.equal(status, 0, stderr.toString());
    return stdout.toString();
  };
  const newKey = ['-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  openssl('req', '-x509', ...newKey, '-subj', '/CN=Root', '-keyout', file('ca.key'), '-out', file('ca.pem'));
  openssl('req', ...newKey, '-subj', '/CN=localhost', '-keyout', file('a.key'), '-out', file('a.csr'));
  writeFileSync(file('a.ext'), 'subjectAltName=DNS:localhost\nauthorityKeyIdentifier=keyid\n');
  // DER prefixes a first byte of 0x80 or more with a zero.
  const authority = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-set_serial', '0x8765432112345678'];
  openssl('x509', '-req', '-in', file('a.csr'), ...authority, '-extfile', file('a.ext'), '-out', file('a.pem'));
  const shown = openssl('x509', '-in', file('a.pem'), '-noout', '-ext', 'authorityKeyIdentifier');
  const keyId = Buffer.from(/([0-9A-F]{2}(?::[0-9A-F]{2}){19})/.exec(shown)![1]!.replaceAll(':', ''), 'hex');
  const read = (name: string): string => readFileSync(file(name), 'utf8');
  return {
    ca: read('ca.pem'),
    cert: read('a.pem'),
    key: read('a.key'),
    keyId: keyId.toString('base64url'),
    serial: Buffer.from('008765432112345678', 'hex').toString('base64url'),
  };
}
