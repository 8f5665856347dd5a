import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { makeHome, startDns } from './support/dns.ts';
import { freePort } from './support/kit/ports.ts';
import { until } from './support/kit/until.ts';
import { opensslResponder } from './support/ocsp/openssl-responder.ts';
import { missing, startProgram } from './support/programs.ts';

const skip = missing('openssl');

test('openssl verifies the OCSP response that is stapled over TLS and HTTPS, for ECDSA and RSA', {
  skip,
}, async (t) => {
  const port = await freePort();
  const authority = opensslResponder(await temporaryFolder(t), `http://127.0.0.1:${port}`);
  for (const name of ['ecdsa', 'rsa']) authority.issueServer(name);
  authority.know({ ecdsa: 'good', rsa: 'good' });
  startProgram(t, 'openssl', ['ocsp', '-port', String(port), ...authority.byDelegate, '-ndays', '4', '-timeout', '5']);
  const { file } = authority;
  const service = await startDns(t, '127.0.0.1:9', [
    ...['ecdsa', 'rsa'].flatMap((name) => ['--certificate', file(`${name}.pem`)]),
    ...['ecdsa', 'rsa'].flatMap((name) => ['--certificate-key', file(`${name}.key`)]),
    '--allow-source-address',
    '127.0.0.0/8',
  ]);
  const home = await makeHome(service);
  type Ocsp = { readonly status: string; readonly is_required: boolean; readonly time_ends: string };
  let states: readonly Ocsp[] = [];
  await until('both responses', async () => {
    const { dns } = await home.ask('GET', '/api/v1/system');
    states = dns.certificates.map(({ ocsp }: { ocsp: Ocsp }) => ocsp);
    return states.every(({ status }) => status === 'stapled');
  });
  assert.ok(states.every(({ is_required, time_ends }) => !is_required && Date.parse(time_ends) > Date.now()));

  const connect = (to: number, ...options: readonly string[]): string => {
    const words = ['-connect', `127.0.0.1:${to}`, '-servername', 'localhost', '-CAfile', file('ca.pem'), '-status'];
    const { stdout, stderr } = spawnSync('openssl', ['s_client', ...words, ...options], { input: '', timeout: 10_000 });
    assert.match(String(stdout), /Verify return code: 0 \(ok\)/, String(stderr));
    return String(stdout);
  };
  const types = [
    ['-sigalgs', 'ECDSA+SHA256:RSA-PSS+SHA256', /Peer signature type: ECDSA/],
    ['-sigalgs', 'RSA-PSS+SHA256', /Peer signature type: RSA-PSS/],
  ] as const;
  for (const to of [service.ports.dot, service.ports.doh])
    for (const [option, value, signature] of types) {
      const shown = connect(to, option, value);
      assert.match(shown, signature);
      assert.match(shown, /OCSP Response Status: successful[\s\S]*Cert Status: good/);
    }
  // With two certificates it cannot be foreseen which one a TLS 1.2 client gets.
  assert.match(connect(service.ports.dot, '-tls1_2'), /OCSP response: no response sent/);

  const metrics = await (await fetch(`http://127.0.0.1:${service.adminPort}/metrics`)).text();
  assert.match(metrics, /^weir_ocsp_response_expiry_timestamp_seconds\{key_type="RSA"\} \d{10}$/m);
  assert.match(metrics, /^weir_ocsp_requests_total\{outcome="good"\} 2$/m);
});
