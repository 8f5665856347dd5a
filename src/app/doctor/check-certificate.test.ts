import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/app/temporary-folder.ts';
import { opensslResponder } from '../../../test/support/ocsp/openssl-responder.ts';
import { missing } from '../../../test/support/programs.ts';
import { readChain } from '../../ocsp/certificate-chain.ts';
import { requestUrl } from '../../ocsp/read-response.ts';
import { responseFolder, writeStored } from '../../ocsp/response-files.ts';
import type { Settings } from '../../settings/settings.ts';
import { checkCertificate } from './check-certificate.ts';

test('a certificate that requires a stapled OCSP response has a warning until there is one', {
  skip: missing('openssl'),
}, async (t) => {
  const data = await temporaryFolder(t);
  const authority = opensslResponder(await temporaryFolder(t));
  authority.issueServer('server', 'tlsfeature=status_request');
  authority.know({ server: 'good' });
  const [pem, key] = [authority.file('server.pem'), authority.file('server.key')];
  const settings = { dot: 'off', doh: { host: '::', port: 443 }, dnsHost: 'localhost', data };
  const check = async (certFile: string): Promise<readonly string[]> => {
    const given = { ...settings, certificate: [certFile], certificateKey: [key] } as unknown as Settings;
    return (await checkCertificate(given, Date.now())).map(({ state, text }) => `${state} ${text}`);
  };
  assert.match(
    (await check(pem))[1]!,
    /^warning .* requires a stapled OCSP response, which is missing: the service has/,
  );
  assert.match(
    (await check(authority.file('server.crt')))[1]!,
    /^warning .* does not have the certificate of the issuer/,
  );

  const { certificate, issuer } = readChain(await readFile(pem, 'utf8'));
  const issued = { certificate, issuer: issuer! };
  const answer = authority.answer(await requestUrl('http://ocsp.example/status', issued));
  await writeStored(responseFolder(data), issued, answer, []);
  assert.match((await check(pem))[1]!, /^ok .* a response is stored/);
});
