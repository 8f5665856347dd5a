import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const RESPONDER = 'http://ocsp.example/status';

type Made = { readonly name: string; readonly key: readonly string[]; readonly extensions: readonly string[] };

const ec = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];

/** An authority of openssl, its delegate for OCSP, and their answers. */
export function opensslResponder(folder: string, responder = RESPONDER) {
  const file = (name: string): string => join(folder, name);
  const openssl = (...words: readonly string[]): void => {
    const { status, stderr } = spawnSync('openssl', words);
    assert.equal(status, 0, stderr.toString());
  };
  const entries = new Map<string, string>();
  let serial = 0x1000;

  const newCa = (name: string): void => {
    const names = ['-subj', `/CN=${name}`, '-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)];
    openssl('req', '-x509', '-nodes', '-newkey', ...ec, ...names);
  };
  const issue = ({ name, key, extensions }: Made, ca = 'ca'): void => {
    const request = ['-subj', `/CN=${name}`, '-keyout', file(`${name}.key`), '-out', file(`${name}.csr`)];
    openssl('req', '-nodes', '-newkey', ...key, ...request);
    writeFileSync(file(`${name}.ext`), extensions.join('\n'));
    const number = (serial++).toString(16).toUpperCase();
    entries.set(name, number);
    const signed = ['-CA', file(`${ca}.pem`), '-CAkey', file(`${ca}.key`), '-set_serial', `0x${number}`, '-days', '90'];
    const output = ['-extfile', file(`${name}.ext`), '-out', file(`${name}.crt`)];
    openssl('x509', '-req', '-in', file(`${name}.csr`), ...signed, ...output);
    // The listeners need the chain.
    writeFileSync(
      file(`${name}.pem`),
      readFileSync(file(`${name}.crt`), 'utf8') + readFileSync(file(`${ca}.pem`), 'utf8'),
    );
  };
  const issueDelegate = (name: string, ca = 'ca'): void =>
    issue({ name, key: ec, extensions: ['extendedKeyUsage=OCSPSigning'] }, ca);

  newCa('ca');
  issueDelegate('delegate');
  const index = file('index.txt');
  const byDelegate = [
    '-index',
    index,
    '-CA',
    file('ca.pem'),
    '-rsigner',
    file('delegate.crt'),
    '-rkey',
    file('delegate.key'),
  ];
  return {
    file,
    newCa,
    issue,
    issueDelegate,
    /** A certificate of a server with this responder. */
    issueServer: (name: string, ...more: readonly string[]): void =>
      issue({
        name,
        key: name.includes('rsa') ? ['rsa:2048'] : ec,
        extensions: ['subjectAltName=DNS:localhost', `authorityInfoAccess=OCSP;URI:${responder}`, ...more],
      }),
    /** Writes the status of the certificates that the responder knows. Renamed, because openssl compares inode and time. */
    know(statuses: Readonly<Record<string, 'good' | 'revoked'>>): void {
      const lines = Object.entries(statuses).map(([name, status]) =>
        [
          status === 'good' ? 'V' : 'R',
          '400101000000Z',
          status === 'good' ? '' : '250101000000Z',
          entries.get(name),
          'unknown',
          `/CN=${name}`,
        ].join('\t'),
      );
      writeFileSync(`${index}.new`, `${lines.join('\n')}\n`);
      renameSync(`${index}.new`, index);
    },
    /** Options of `openssl ocsp` as a responder. */
    byDelegate,
    /** The answer of `openssl ocsp` to the request in this URL. */
    answer(
      url: string,
      options: readonly string[] = ['-ndays', '4'],
      signer: readonly string[] = byDelegate,
    ): Uint8Array {
      const [base, request] = [url.slice(0, url.lastIndexOf('/')), url.slice(url.lastIndexOf('/') + 1)];
      assert.equal(base, responder);
      writeFileSync(file('request.der'), Buffer.from(decodeURIComponent(request), 'base64'));
      openssl('ocsp', ...signer, '-reqin', file('request.der'), '-respout', file('response.der'), ...options);
      return readFileSync(file('response.der'));
    },
  };
}
