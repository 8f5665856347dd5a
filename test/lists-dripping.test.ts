import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDrippingServer } from './support/attacks/dripping-sources.ts';
import { downloading, fromAccount, fromOperator, rules, statusOf, testLists } from './support/filter-lists/lists.ts';
import { until } from './support/kit/until.ts';
import { httpOrigin, says } from './support/net/origin.ts';

const BAR_MS = 30_000;

test("another account's list is there within 30 s beside 60 dripping lists of three accounts", async (t) => {
  const dripping = await startDrippingServer();
  t.after(dripping.stop);
  const origin = await httpOrigin(t, says(200, {}, rules(10)));
  const drips = ['a', 'b', 'c'].flatMap((account) =>
    Array.from({ length: 20 }, (_, at) => fromAccount(dripping.urlOf(`${account}${at}`), `${account}${at}`, account)),
  );
  // As in service: 30 s for one attempt.
  const { timeoutMs: _, maxRetries: __, ...usual } = downloading;
  const setUp = await testLists(t, { wanted: drips, downloading: usual });
  const lists = await setUp.open();
  await until('dripping downloads', () => dripping.open() >= 2);

  const startedAt = performance.now();
  setUp.wanted.lists = [...drips, fromAccount(origin.url, 'honest', 'd'), fromOperator(origin.url, 'catalogue')];
  await lists.review();
  const msUntil = async (id: string): Promise<number> => {
    await until(`the list ${id}`, () => statusOf(lists, id).isLoaded);
    return performance.now() - startedAt;
  };
  const [honest, catalogue] = await Promise.all([msUntil('honest'), msUntil('catalogue')]);
  t.diagnostic(
    `beside 60 dripping lists: another account's list after ${Math.round(honest)} ms, a list of the catalogue after ${Math.round(catalogue)} ms`,
  );
  assert.ok(Math.max(honest, catalogue) <= BAR_MS);
});
