import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAuthorization } from './authorization.ts';

const headers: readonly (readonly [header: string | undefined, read: string | undefined])[] = [
  ['Bearer abc', 'Bearer abc'],
  ['bearer abc', 'Bearer abc'],
  ['ApiKey abc', 'ApiKey abc'],
  ['APIKEY abc-_~.+/==', 'ApiKey abc-_~.+/=='],
  ['ApiKey  abc', 'ApiKey abc'],
  [undefined, undefined],
  ['', undefined],
  ['abc', 'none abc'],
  ['abc-_~.+/==', 'none abc-_~.+/=='],
  ['Bearer', 'none Bearer'],
  ['Bearer ', undefined],
  ['Bearerabc', 'none Bearerabc'],
  [`Bearer${' '.repeat(9)}abc`, undefined],
  ['Bearer\tabc', undefined],
  ['abc ', undefined],
  [' abc', undefined],
  ['abc, def', undefined],
  ['a'.repeat(513), undefined],
  ['Bearer abc ', undefined],
  [' Bearer abc', undefined],
  ['Bearer abc def', undefined],
  ['Bearer abc, ApiKey def', undefined],
  ['Bearer a,b', undefined],
  ['Bearer a\nb', undefined],
  ['Bearer abc\n', undefined],
  ['Basic YTpi', undefined],
  ['constructor abc', undefined],
  [`Bearer ${'a'.repeat(512)}`, `Bearer ${'a'.repeat(512)}`],
  [`Bearer ${'a'.repeat(513)}`, undefined],
  [`Bearer ${'a'.repeat(65_536)}`, undefined],
];
for (const [header, read] of headers) {
  const shown = header === undefined ? 'no header' : JSON.stringify(header.slice(0, 30));
  test(`${shown} is ${read?.slice(0, 20) ?? 'no credential'}`, () => {
    const found = parseAuthorization(header);
    assert.equal(found && `${found.scheme} ${found.secret}`, read);
  });
}
