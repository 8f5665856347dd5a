import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseUpstream } from './upstream-address.ts';

const parsed = (text: string) => {
  const result = parseUpstream(text);
  assert.ok(result.ok, `${text}: ${result.ok || result.error}`);
  return result.value;
};

const read: readonly [string, Partial<ReturnType<typeof parsed>>][] = [
  ['1.1.1.1', { kind: 'udp', host: '1.1.1.1', port: 53, path: '', text: '1.1.1.1' }],
  ['1.1.1.1:53', { kind: 'udp', host: '1.1.1.1', port: 53, text: '1.1.1.1' }],
  ['127.0.0.1:5300', { kind: 'udp', host: '127.0.0.1', port: 5300, text: '127.0.0.1:5300' }],
  ['2606:4700::1111', { kind: 'udp', host: '2606:4700::1111', port: 53, text: '2606:4700::1111' }],
  ['[2606::1]:53', { kind: 'udp', host: '2606::1', port: 53, text: '2606::1' }],
  ['[2606:0:0::1]:5353', { kind: 'udp', host: '2606::1', port: 5353, text: '[2606::1]:5353' }],
  ['fe80::1%eth0', { kind: 'udp', host: 'fe80::1%eth0', port: 53 }],
  ['udp://9.9.9.9', { kind: 'udp', host: '9.9.9.9', port: 53, text: '9.9.9.9' }],
  ['TCP://9.9.9.9:5353', { kind: 'tcp', host: '9.9.9.9', port: 5353, text: 'tcp://9.9.9.9:5353' }],
  ['dns.example:5353', { kind: 'udp', host: 'dns.example', port: 5353, text: 'dns.example:5353' }],
  ['localhost:5300', { kind: 'udp', host: 'localhost', port: 5300 }],
  ['tls://dns.example', { kind: 'tls', host: 'dns.example', port: 853, text: 'tls://dns.example' }],
  ['tls://DNS.Example.:8853', { kind: 'tls', host: 'dns.example', port: 8853, text: 'tls://dns.example:8853' }],
  [
    'tls://dns.example#1.2.3.4',
    { host: 'dns.example', address: '1.2.3.4', port: 853, text: 'tls://dns.example#1.2.3.4' },
  ],
  ['tls://dns.example:853#2606::1', { host: 'dns.example', address: '2606::1', port: 853 }],
  ['tls://1.1.1.1#one.example', { host: 'one.example', address: '1.1.1.1', text: 'tls://one.example#1.1.1.1' }],
  ['tls://[2606::1]:853#one.example', { host: 'one.example', address: '2606::1' }],
  ['tls://1.1.1.1', { host: '1.1.1.1', port: 853 }],
  ['https://dns.example/dns-query', { kind: 'https', host: 'dns.example', port: 443, path: '/dns-query' }],
  ['https://dns.example', { path: '/dns-query', text: 'https://dns.example/dns-query' }],
  ['https://dns.example:8443/a/b?c=d', { port: 8443, path: '/a/b?c=d', text: 'https://dns.example:8443/a/b?c=d' }],
  ['https://dns.example/dns-query{?dns}', { path: '/dns-query' }],
  ['https://1.1.1.1/dns-query', { host: '1.1.1.1', path: '/dns-query' }],
  ['https://dns.example/dns-query#1.2.3.4', { host: 'dns.example', address: '1.2.3.4' }],
  ['  1.1.1.1 ', { host: '1.1.1.1' }],
];

for (const [text, expected] of read)
  test(`"${text}" is read`, () => {
    const found = parsed(text);
    assert.deepEqual({ ...found, ...expected }, found);
  });

const refused: readonly [string, RegExp][] = [
  ['', /the address is missing/],
  ['tls://', /the address is missing/],
  ['h3://dns.example', /HTTP\/3 to upstreams is not supported; write https/],
  ['quic://dns.example', /QUIC/],
  ['sdns://AQIAAAA', /stamps/],
  ['http://dns.example', /https:/],
  ['ftp://dns.example', /ftp:\/\/ is not supported/],
  ['1.2.3', /must be an IP address or a host name/],
  ['1.2.3.256', /must be an IP address or a host name/],
  ['01.2.3.4', /must be an IP address or a host name/],
  ['1.1.1.1:0', /port must be a number/],
  ['1.1.1.1:65536', /port must be a number/],
  ['1.1.1.1:', /must be an IP address or a host name/],
  ['1.1.1.1/24', /must be an IP address or a host name/],
  ['[1.1.1.1', /must be an IP address or a host name/],
  ['[dns.example]:53', /must be an IP address or a host name/],
  ['2606::1:53:', /must be an IP address or a host name/],
  ['-a.example', /must be an IP address or a host name/],
  ['tls://a@b.example', /must not contain spaces or a user name/],
  ['tls://b.example c', /must not contain spaces/],
  ['tls://dns.example#other.example', /second name/],
  ['tls://1.1.1.1#2.2.2.2', /second IP address/],
  ['tls://dns.example#', /after # must follow an IP address/],
  ['tls://dns.example#1.1.1.1#2.2.2.2', /more than one #/],
  ['1.1.1.1#dns.example', /only tls/],
  ['https://dns.example/"', /path/],
  ['tls://dns.example/dns-query', /must be an IP address or a host name/],
];

for (const [text, why] of refused)
  test(`"${text}" is rejected with a message`, () => {
    const result = parseUpstream(text);
    assert.ok(!result.ok);
    assert.match(result.error, why);
    assert.ok(result.error.startsWith(`upstream "${text}"`));
  });

test('the normalised text of an upstream is the same upstream', () => {
  for (const [text] of read) assert.deepEqual(parsed(parsed(text).text), parsed(text));
});

test('any text is accepted or rejected with one printable line', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^(tls|https|udp):\/\/[a-z0-9:.[\]#/%]{0,30}$/)), (text) => {
      const result = parseUpstream(text);
      if (result.ok) assert.deepEqual(parsed(result.value.text), result.value);
      else assert.match(result.error, /^[\x20-\x7e\u{FFFD}]+$/u);
    }),
    { numRuns: 2000 },
  );
});
