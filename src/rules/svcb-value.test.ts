import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readParameter } from './svcb-value.ts';

const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));

const parameters: readonly (readonly [written: string, key: number, bytes: readonly number[]])[] = [
  ['alpn=h3', 1, [2, ...ascii('h3')]],
  ['alpn="h2,h3"', 1, [2, ...ascii('h2'), 2, ...ascii('h3')]],
  ['no-default-alpn', 2, []],
  ['port=8443', 3, [0x20, 0xfb]],
  ['ipv4hint=192.0.2.1,192.0.2.2', 4, [192, 0, 2, 1, 192, 0, 2, 2]],
  ['ech=AQID/w==', 5, [1, 2, 3, 255]],
  ['ipv6hint=::1', 6, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
  ['dohpath=/q{?dns}', 7, ascii('/q{?dns}')],
  ['ohttp', 8, []],
  ['key65400=a=b', 65400, ascii('a=b')],
  ['key667', 667, []],
];
for (const [written, key, bytes] of parameters) {
  test(`${written} is parameter ${key}`, () => {
    assert.deepEqual(readParameter(written), { ok: true, value: { key, value: Uint8Array.from(bytes) } });
  });
}

const refusals: readonly (readonly [written: string, reason: RegExp])[] = [
  ['alpn', /^write the parameter like alpn=h2,h3$/],
  ['alpn=h2,', /like alpn=h2,h3$/],
  ['no-default-alpn=1', /like no-default-alpn without a value$/],
  ['port=65536', /like port=8443$/],
  ['port=', /like port=8443$/],
  ['ipv4hint=::1', /like ipv4hint=192\.0\.2\.1$/],
  ['ipv6hint=192.0.2.1', /like ipv6hint=2001:db8::1$/],
  ['ech=A', /like ech= and base64$/],
  ['ech=A_==', /like ech= and base64$/],
  ['dohpath', /like dohpath=/],
  ['mandatory=alpn', /^"mandatory" is not a parameter/],
  ['key1=x', /^"key1" is not a parameter/],
  ['key65535=x', /^"key65535" is not a parameter/],
  ['toString', /^"toString" is not a parameter/],
];
for (const [written, reason] of refusals) {
  test(`${written} is refused`, () => {
    const parameter = readParameter(written);
    assert.ok(!parameter.ok);
    assert.match(parameter.error, reason);
  });
}
