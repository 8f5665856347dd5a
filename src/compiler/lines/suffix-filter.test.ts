import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suffixesBelow } from '../../rules/public-suffixes.ts';
import { utf8 } from './lines-for-tests.ts';
import { maySuffix } from './suffix-filter.ts';

/** Asked once only: the filter learns from what it is asked. */
function isSuspected(name: string): boolean {
  const bytes = utf8(`.co.${name}.uk`);
  return maySuffix(bytes, 4, bytes.length - 3);
}

/** Every suffix of two labels or more in ASCII, with a name in the place of an asterisk. */
const suffixes = Object.entries(suffixesBelow)
  .flatMap(([domain, names]) =>
    names
      .split(' ')
      .filter((name) => name !== '.' && !name.startsWith('!'))
      .map((name) => `${name.replaceAll('*', 'any')}.${domain}`),
  )
  .filter((suffix) => /^[\x00-\x7f]+$/.test(suffix));

const everySuffixIsSuspected = (): void => {
  for (const suffix of suffixes) assert.ok(isSuspected(suffix), suffix);
};

// The order of these tests is their sense: a filter that has met few names knows less.
test('no public suffix is missed at first', () => {
  assert.ok(suffixes.length > 5000);
  everySuffixIsSuspected();
});

test('no public suffix is missed once its domain has been met often', () => {
  for (const domain of Object.keys(suffixesBelow)) for (let time = 0; time < 300; time++) isSuspected(`a.${domain}`);
  everySuffixIsSuspected();
});

test('then most other names are known for none', () => {
  const names = ['jp', 'uk', 'br', 'no', 'tr'].flatMap((domain) =>
    Array.from({ length: 200 }, (_, at) => [`shop-${at}.${domain}`, `www.shop-${at}.co.${domain}`]).flat(),
  );
  const suspected = names.filter(isSuspected);
  assert.ok(suspected.length < names.length / 10, `${suspected.length} of ${names.length}`);
});

test('under domains without suffixes below them nothing is suspected', () => {
  for (const name of ['a.com', 'co.com', 'a.b.net', 'co.de', 'a.xn--p1ai', 'a.b1', 'a.x', 'uk.info']) {
    assert.equal(isSuspected(name), false, name);
  }
});

test('a domain is the whole last label', () => {
  const longer = Object.keys(suffixesBelow).find((domain) => /^[a-z]{4,}$/.test(domain));
  assert.ok(longer);
  assert.equal(isSuspected(`a.${longer}`), true);
  assert.equal(isSuspected(`a.x${longer}`), false);
});
