import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutSecretsOfUrls, withoutUrlSecrets, withoutUrlSecretsIn } from './url-secrets.ts';

test('user names, passwords, queries and fragments of URLs are hidden', () => {
  for (const [url, shown] of [
    ['https://lists.example/list.txt?token=SECRET', 'https://lists.example/list.txt?…'],
    ['https://ann:SECRET@lists.example:8443/list.txt', 'https://lists.example:8443/list.txt'],
    ['HTTPS://a@SECRET@lists.example#SECRET', 'HTTPS://lists.example?…'],
    ['https://lists.example/@path', 'https://lists.example/@path'],
    ['/srv/lists/own.txt?x', '/srv/lists/own.txt?x'],
    ['||ads.example^', '||ads.example^'],
    ['', ''],
  ] as const)
    assert.equal(withoutUrlSecrets(url), shown);
});

test('they are hidden at any position in a configuration', () => {
  const configuration = { name: 'x', sources: [{ source: 'https://a:b@c.example/?d' }], count: 3 };
  assert.deepEqual(withoutUrlSecretsIn(configuration), {
    name: 'x',
    sources: [{ source: 'https://c.example/?…' }],
    count: 3,
  });
});

test('they are hidden in error messages', () => {
  const message = 'https://a:b@c.example/?token=SECRET: HTTP 404: "https://c.example/#SECRET" is invalid';
  assert.equal(withoutSecretsOfUrls(message), 'https://c.example/?… HTTP 404: "https://c.example/?…" is invalid');
});
