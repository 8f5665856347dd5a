import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outlineKeys, outlineOf, pageChunkOf } from './outline-view.ts';

const texts = Object.fromEntries(outlineKeys.map((key) => [key, `<${key}>`]));

test('a page of the navigation has its title, and its entry is active', () => {
  const view = outlineOf('/log', true, texts);
  assert.equal(view?.kind, 'page');
  assert.equal(view.title, '<shell:nav.log>');
  assert.deepEqual(
    view.groups.flat().filter(({ isActive }) => isActive),
    [{ text: '<shell:nav.log>', isActive: true }],
  );
});

test('a page below an entry has no title before its data is loaded', () => {
  const view = outlineOf('/devices/0123abcd', true, texts);
  assert.equal(view?.kind, 'page');
  assert.equal(view.title, undefined);
  assert.ok(view.groups.flat().some(({ text, isActive }) => isActive && text === '<shell:nav.devices>'));
});

test('without a session every page is the sign-in page, except for those that are open', () => {
  const titleOf = (path: string): string | undefined => outlineOf(path, false, texts)?.title;
  assert.equal(titleOf('/log'), '<signIn:title>');
  assert.equal(titleOf('/join'), '<join:title>');
  assert.equal(titleOf('/set-up'), '<setUp:title>');
  assert.equal(titleOf('/compiler'), undefined);
});

test('the chunk of a page is named after its path', () => {
  assert.deepEqual(['/', '/log', '/devices/0123abcd'].map(pageChunkOf), ['dashboard-page', 'log-page', undefined]);
});
