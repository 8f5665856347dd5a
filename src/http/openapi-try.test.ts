import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { openApiTryPage } from './openapi-try.ts';
import { tryScript } from './openapi-try-script.ts';

const about = (title: string): object => ({ openapi: '3.1.0', info: { title, version: '1.2.3' } });
const { html, policy } = openApiTryPage(about('Sluice'));
const idsOf = (page: string): string[] => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);

test('the policy allows the style of the page, scripts and requests of this server, and nothing else', () => {
  const [, style] = /<style>([^<]*)<\/style>/.exec(html)!;
  const hash = createHash('sha256').update(style!).digest('base64');
  assert.equal(
    policy,
    `default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  assert.doesNotMatch(html, / style=| on[a-z]+=|<link|<img|@import|url\(/);
  assert.deepEqual(html.match(/<script.*/g), ['<script type="module" src="try.js"></script>']);
});

test('every field of the page has a label, and none a name that would send it', () => {
  const fields = [...html.matchAll(/<(?:input|select|textarea) id="([^"]+)"([^>]*)>/g)];
  assert.deepEqual(
    fields.map(([, id]) => id),
    ['credentials', 'operation', 'body'],
  );
  for (const [, id, attributes] of fields) {
    assert.ok(html.includes(`<label for="${id}">`), id);
    assert.doesNotMatch(attributes!, / name=/);
  }
});

test('ids are single, and the script asks for none that the page has not', () => {
  const ids = idsOf(html);
  assert.deepEqual(ids, [...new Set(ids)]);
  const asked = [...tryScript.matchAll(/\bat\('([^']+)'\)/g)].map(([, id]) => id!);
  assert.ok(asked.length > 0);
  assert.deepEqual(
    asked.filter((id) => !ids.includes(id)),
    [],
  );
});

test('a hostile title stays text', () => {
  const page = openApiTryPage(about('</title><script>alert(1)</script>'));
  assert.deepEqual(page.html.match(/<script.*/g), html.match(/<script.*/g));
  assert.equal(page.policy, policy);
});

test('the script makes no markup or code of texts, and keeps nothing', () => {
  assert.doesNotMatch(tryScript, /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\(|srcdoc/);
  assert.doesNotMatch(tryScript, /localStorage|sessionStorage|indexedDB|cookie/);
});
