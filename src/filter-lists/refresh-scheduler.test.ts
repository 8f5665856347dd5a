import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromAccount, rules, statusOf, testLists, until } from '../../test/support/filter-lists/lists.ts';
import { slow } from '../../test/support/kit/slow.ts';
import { httpOrigin, inTurn, says } from '../../test/support/net/origin.ts';

/** Long enough for an unwanted request to arrive. */
const aMoment = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 100));

test('no more than two lists of one account are downloaded at a time', slow, async (t) => {
  let open = 0;
  let most = 0;
  const origin = await httpOrigin(t, ({ url = '' }, response) => {
    most = Math.max(most, ++open);
    setTimeout(() => {
      open--;
      response.end(rules(5, url.slice(1)));
    }, 50);
  });
  const wanted = ['a', 'b', 'c', 'd', 'e'].map((id) => fromAccount(origin.url + id, id));
  const setUp = await testLists(t, { wanted });
  const lists = await setUp.open();
  await until(() => lists.checks().new === wanted.length, 'all lists');
  assert.ok(most <= 2, `${most} at a time`);
});

test('lists are checked periodically, at an interval that can be changed', async (t) => {
  const answers = inTurn(says(200, { etag: '"1"' }, rules(5)), says(304));
  const origin = await httpOrigin(t, answers);
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)], everySeconds: 3600 });
  const lists = await setUp.open();
  await until(() => lists.checks().new === 1, 'the list');
  await lists.useInterval(0.1);
  await until(() => lists.checks().unchanged >= 3, 'checks');
  assert.equal(lists.checks().new, 1);
});

test('Retry-After of a server is respected', async (t) => {
  const answers = inTurn(says(503, { 'retry-after': '3600' }), says(200, {}, rules(5)));
  const origin = await httpOrigin(t, answers);
  const clock = { ticks: 0 };
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)], ticks: () => clock.ticks });
  const lists = await setUp.open();
  await until(() => lists.checks().failed === 1, 'a failure');
  clock.ticks += 3599_000;
  await lists.review();
  await aMoment();
  assert.equal(answers.asked.length, 1);
  clock.ticks += 2_000;
  await lists.review();
  await until(() => statusOf(lists, 'custom').isLoaded, 'the list');
});

test(
  'after a failure a list is requested again in a minute, and with growing intervals after further ones',
  slow,
  async (t) => {
    const answers = inTurn(says(500));
    const origin = await httpOrigin(t, answers);
    const clock = { ticks: 0 };
    const setUp = await testLists(t, {
      wanted: [fromAccount(origin.url)],
      ticks: () => clock.ticks,
      random: () => 0.5,
    });
    const lists = await setUp.open();
    for (const [failures, minutes] of [1, 2, 4, 8].entries()) {
      await until(() => lists.checks().failed === failures + 1, 'a failure');
      clock.ticks += minutes * 60_000 - 1;
      await lists.review();
      await aMoment();
      assert.equal(answers.asked.length, failures + 1);
      clock.ticks += 1;
      await lists.review();
    }
    await until(() => lists.checks().failed === 5, 'a failure');
    assert.equal(statusOf(lists, 'custom').problem?.times, 5);
  },
);

test('a listener that fails at a swap is logged, and the other listeners are called', async (t) => {
  const origin = await httpOrigin(t, inTurn(says(200, {}, rules(5)), says(200, {}, rules(6))));
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)] });
  const lists = await setUp.open();
  await until(() => lists.checks().new === 1, 'the list');
  const end = lists.onSwap(() => {
    throw new Error('on purpose');
  });
  const heard: string[] = [];
  lists.onSwap(({ id }) => void heard.push(id));
  await lists.check('custom');
  assert.deepEqual(heard, ['custom']);
  assert.match(setUp.told.join('\n'), /a listener failed to apply a filter list \| custom \| on purpose/);
  end();
});

test('closing does not wait for a check that is slow to stop', async (t) => {
  const origin = await httpOrigin(t, () => {});
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)] });
  const lists = await setUp.open();
  await until(() => origin.connections.length === 1, 'a connection');
  const began = performance.now();
  await lists.close();
  // The timeout of the download is much longer.
  assert.ok(performance.now() - began < 10_000);
  await origin.allClosed();
});

test('a list that is given another source while it is checked is checked again at once', slow, async (t) => {
  const reviewed = Promise.withResolvers<void>();
  const answers = inTurn(
    (_request, response) => void reviewed.promise.then(() => response.end(rules(5))),
    says(200, {}, rules(6)),
  );
  const origin = await httpOrigin(t, answers);
  const setUp = await testLists(t, { wanted: [fromAccount(`${origin.url}one`)] });
  const lists = await setUp.open();
  await until(() => answers.asked.length === 1, 'a request');
  setUp.wanted.lists = [fromAccount(`${origin.url}two`)];
  await lists.review();
  reviewed.resolve();
  await until(() => statusOf(lists, 'custom').rules === 6, 'the other list');
  assert.deepEqual(
    answers.asked.map(({ url }) => url),
    ['/one', '/two'],
  );
});

test('a request for a review joins the waiting one, and a review that fails ends nothing', async (t) => {
  let looks = 0;
  const setUp = await testLists(t);
  const lists = await setUp.open();
  Object.defineProperty(setUp.wanted, 'lists', {
    get: () => {
      looks++;
      if (looks === 1) throw new Error('the store is away');
      return [];
    },
  });
  await Promise.all(Array.from({ length: 100 }, () => lists.review()));
  await lists.review();
  assert.ok(looks >= 2 && looks <= 4, `${looks} looks`);
});

test('the status shows the progress of a download while it lasts', async (t) => {
  const body = '||one.example^\n||two.example^\n';
  let finish = (): void => {};
  const origin = await httpOrigin(t, (_request, response) => {
    response.setHeader('content-length', body.length);
    response.write(body.slice(0, 15));
    finish = () => response.end(body.slice(15));
  });
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)] });
  const lists = await setUp.open();
  await until(() => statusOf(lists, 'custom').download !== undefined, 'progress');
  assert.deepEqual(statusOf(lists, 'custom').download, { receivedBytes: 15, totalBytes: body.length });
  finish();
  await until(() => lists.tableOf('custom') !== undefined, 'a table');
  assert.equal(statusOf(lists, 'custom').download, undefined);
});
