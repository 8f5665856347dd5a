import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import {
  DAY_MS,
  fromAccount,
  fromOperator,
  rules,
  statusOf,
  testLists,
  until,
} from '../../test/support/filter-lists/lists.ts';
import { slow } from '../../test/support/kit/slow.ts';
import { httpOrigin, inTurn, says } from '../../test/support/net/origin.ts';
import { tablePath, textPath } from './list-folder.ts';
import type { WantedList } from './list-request.ts';

const SECOND_MS = 1000;
const fresh = (body: string, etag?: string) => says(200, { 'content-type': 'text/plain', ...(etag && { etag }) }, body);

test('a list in use is downloaded at once, built into a table and announced', async (t) => {
  const origin = await httpOrigin(t, fresh(rules(10)));
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)] });
  const lists = await setUp.open();
  await until(() => lists.tableOf('custom') !== undefined, 'a table');
  assert.deepEqual(
    lists.swaps.map(({ id, table }) => [id, table?.buffer instanceof SharedArrayBuffer]),
    [['custom', true]],
  );
  const { rules: count, fetchedAt, checkedAt, ageSeconds, problem, isLoaded } = statusOf(lists, 'custom');
  assert.deepEqual(
    [count, fetchedAt, checkedAt, ageSeconds, problem, isLoaded],
    [10, setUp.clock.now, setUp.clock.now, 0, undefined, true],
  );
  assert.deepEqual(lists.fetchedList('custom'), { rules: 10, updatedAt: setUp.clock.now });
  assert.deepEqual(lists.checks(), { new: 1, unchanged: 0, 'not used': 0, failed: 0 });
});

test('unused lists are not downloaded; a list that becomes used is', async (t) => {
  const origin = await httpOrigin(t, fresh(rules(10)));
  const setUp = await testLists(t);
  const lists = await setUp.open();
  assert.deepEqual(lists.status(), []);
  assert.equal(lists.fetchedList('late'), undefined);
  setUp.wanted.lists = [fromAccount(origin.url, 'late')];
  await lists.review();
  await until(() => lists.tableOf('late') !== undefined, 'a table');
  assert.equal(origin.connections.length, 1);
});

test('includes and conditions of a list are resolved; its rules are left to the engine', async (t) => {
  const origin = await httpOrigin(t, (request, response) => {
    const body =
      request.url === '/more.txt'
        ? '||included.example^\n'
        : '! Title: x\n||a.example^\r\n!#include more.txt\n!#if false\n||not.example^\n!#endif\n||a.example^';
    response.end(body);
  });
  const setUp = await testLists(t, { wanted: [fromAccount(`${origin.url}list.txt`)] });
  const lists = await setUp.open();
  await until(() => lists.tableOf('custom') !== undefined, 'a table');
  const text = await readFile(lists.tableOf('custom')!.lines.text, 'utf8');
  assert.deepEqual(
    text.split('\n').filter((line) => !line.startsWith('!')),
    ['||a.example^', '||included.example^', '||a.example^'],
  );
});

test('the line of a slot can be read, also from the old table after a swap', async (t) => {
  const origin = await httpOrigin(t, inTurn(fresh('||one.example^\n'), fresh('||two.example^\n')));
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)] });
  const lists = await setUp.open();
  await until(() => lists.tableOf('custom') !== undefined, 'a table');
  const linesOf = () => {
    const reader = lists.lineReader('custom')!;
    return Array.from({ length: 64 }, (_, slot) => reader.line(slot)).filter((line) => line?.startsWith('||'));
  };
  assert.deepEqual([...new Set(linesOf())], ['||one.example^']);
  const old = lists.tableOf('custom')!;
  assert.equal(await lists.changedRules('custom'), undefined);
  await lists.check('custom');
  assert.deepEqual([...new Set(linesOf())], ['||two.example^']);
  assert.deepEqual(statusOf(lists, 'custom').changes, { added: 1, removed: 1 });
  assert.deepEqual(await lists.changedRules('custom'), { added: ['||two.example^'], removed: ['||one.example^'] });
  assert.match(await readFile(old.lines.text, 'utf8'), /one\.example/);
  assert.equal(lists.lineReader('nobody'), undefined);
});

test('the next check is a conditional request', async (t) => {
  const answers = inTurn(fresh(rules(10), '"v1"'), says(304), fresh(rules(11), '"v2"'), says(304));
  const origin = await httpOrigin(t, answers);
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)] });
  const lists = await setUp.open();
  await until(() => lists.tableOf('custom') !== undefined, 'a table');
  const first = lists.tableOf('custom')!;
  setUp.clock.now += 3600 * SECOND_MS;
  await lists.check('custom');
  assert.equal(lists.tableOf('custom'), first);
  assert.equal(lists.swaps.length, 1);
  const { fetchedAt, checkedAt } = statusOf(lists, 'custom');
  assert.deepEqual([fetchedAt, checkedAt], [setUp.clock.now - 3600 * SECOND_MS, setUp.clock.now]);
  await lists.check('custom');
  assert.notEqual(lists.tableOf('custom'), first);
  await lists.check('custom');
  assert.deepEqual(
    answers.asked.map(({ headers }) => headers['if-none-match']),
    [undefined, '"v1"', '"v1"', '"v2"'],
  );
  assert.deepEqual(lists.checks(), { new: 2, unchanged: 2, 'not used': 0, failed: 0 });
});

test('a list of several files is read again when one of them has changed, and only then', async (t) => {
  const asked: string[] = [];
  const tags: Record<string, string> = { '/list.txt': '"1"', '/more.txt': '"1"' };
  const origin = await httpOrigin(t, ({ url = '', headers }, response) => {
    const isKnown = headers['if-none-match'] === tags[url];
    asked.push(`${url} ${isKnown ? 304 : 200}`);
    if (isKnown) return void response.writeHead(304).end();
    const body =
      url === '/list.txt' ? '||a.example^\n!#include more.txt\n' : `||b.example^\n${rules(Number(tags[url]?.[1]))}`;
    response.writeHead(200, { etag: tags[url]! }).end(body);
  });
  const setUp = await testLists(t, { wanted: [fromAccount(`${origin.url}list.txt`)] });
  const lists = await setUp.open();
  await until(() => lists.tableOf('custom') !== undefined, 'a table');
  await lists.check('custom');
  assert.deepEqual(asked.splice(0), ['/list.txt 200', '/more.txt 200', '/list.txt 304', '/more.txt 304']);
  tags['/more.txt'] = '"2"';
  await lists.check('custom');
  assert.equal(statusOf(lists, 'custom').rules, 4);
  assert.deepEqual(asked.splice(0).toSorted(), ['/list.txt 200', '/list.txt 304', '/more.txt 200']);
  await lists.check('custom');
  assert.deepEqual(asked.toSorted(), ['/list.txt 304', '/more.txt 304']);
});

test('an unchanged list that is sent completely is not a new version', async (t) => {
  const origin = await httpOrigin(t, fresh(rules(10)));
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)] });
  const lists = await setUp.open();
  await until(() => lists.tableOf('custom') !== undefined, 'a table');
  await lists.check('custom');
  assert.deepEqual(lists.checks(), { new: 1, unchanged: 1, 'not used': 0, failed: 0 });
  assert.equal(lists.swaps.length, 1);
});

test('after a start, saved tables are in use before any network request', slow, async (t) => {
  const answers = inTurn(fresh(rules(10), '"v1"'), says(304));
  const origin = await httpOrigin(t, answers);
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)] });
  const lists = await setUp.open();
  await until(() => lists.tableOf('custom') !== undefined, 'a table');
  await lists.close();
  setUp.clock.now += 600 * SECOND_MS;
  const again = await setUp.open();
  assert.deepEqual(Buffer.from(again.tableOf('custom')!.buffer), Buffer.from(lists.tableOf('custom')!.buffer));
  assert.equal(statusOf(again, 'custom').ageSeconds, 600);
  assert.equal(answers.asked.length, 1);
  // The validator is restored as well.
  await again.check('custom');
  assert.equal(answers.asked[1]?.headers['if-none-match'], '"v1"');
});

test('when the lists in use are unknown, those used before are loaded', async (t) => {
  const origin = await httpOrigin(t, fresh(rules(10)));
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url), fromAccount(origin.url, 'other')] });
  const lists = await setUp.open();
  await until(() => !!lists.tableOf('custom') && !!lists.tableOf('other'), 'tables');
  setUp.wanted.lists = [fromAccount(origin.url)];
  await lists.review();
  await lists.close();
  setUp.wanted.lists = new Error('the store is away');
  const again = await setUp.open();
  assert.ok(again.tableOf('custom'));
  assert.equal(again.tableOf('other'), undefined);
  assert.match(setUp.told.join('\n'), /failed to read which filter lists are in use \| the store is away/);
});

test('a damaged saved table is logged and built again from the text', slow, async (t) => {
  const origin = await httpOrigin(t, fresh(rules(10)));
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)] });
  const lists = await setUp.open();
  await until(() => lists.tableOf('custom') !== undefined, 'a table');
  const { version, buffer } = lists.tableOf('custom')!;
  await lists.close();
  const path = tablePath(setUp.folder, 'custom', version);
  const file = await readFile(path);
  const damaged = Buffer.from(file);
  damaged[60]! ^= 4;
  await writeFile(path, damaged);
  const again = await setUp.open();
  assert.deepEqual(Buffer.from(again.tableOf('custom')!.buffer), Buffer.from(buffer));
  assert.match(setUp.told.join('\n'), /saved table rejected, rebuilt from its text \| custom/);
  assert.deepEqual(await readFile(path), file);
  assert.equal(origin.connections.length, 1);
});

test('a damaged saved text is not used either: the list is downloaded again', slow, async (t) => {
  const origin = await httpOrigin(t, fresh(rules(10), '"v1"'));
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)] });
  const lists = await setUp.open();
  await until(() => lists.tableOf('custom') !== undefined, 'a table');
  const { version } = lists.tableOf('custom')!;
  await lists.close();
  await writeFile(tablePath(setUp.folder, 'custom', version), 'no table');
  await writeFile(textPath(setUp.folder, 'custom', version), '||evil.example^');
  const again = await setUp.open();
  await until(() => again.tableOf('custom') !== undefined, 'a table');
  assert.equal(statusOf(again, 'custom').rules, 10);
  assert.match(setUp.told.join('\n'), /a saved filter list is not usable and is downloaded again/);
});

test('tables with the secret of another installation are rebuilt', slow, async (t) => {
  const origin = await httpOrigin(t, fresh(rules(10)));
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)] });
  const lists = await setUp.open();
  await until(() => lists.tableOf('custom') !== undefined, 'a table');
  await lists.close();
  const again = await setUp.open({ secret: Uint8Array.from([9, 9, 9, 9, 9, 9, 9, 9]) });
  assert.ok(again.tableOf('custom'));
  assert.match(setUp.told.join('\n'), /rebuilt from its text/);
});

test(
  'a list that shrinks by more than half is not updated until three checks over a day confirm it',
  slow,
  async (t) => {
    const origin = await httpOrigin(t, inTurn(fresh(rules(100)), fresh(rules(49))));
    const setUp = await testLists(t, { wanted: [fromAccount(origin.url)] });
    const lists = await setUp.open();
    await until(() => lists.tableOf('custom') !== undefined, 'a table');
    await lists.check('custom');
    const { rules: inUse, problem } = statusOf(lists, 'custom');
    assert.equal(inUse, 100);
    assert.deepEqual(problem, {
      kind: 'not used',
      why: 'it has shrunk by more than half, to 49 rules where 100 are in use',
      since: setUp.clock.now,
      times: 1,
    });
    assert.match(
      setUp.told.at(-1)!,
      /^warn \| filter list not updated, keeping the last good version \| custom \| it has shrunk/,
    );
    setUp.clock.now += DAY_MS / 2;
    await lists.check('custom');
    assert.equal(statusOf(lists, 'custom').rules, 100);
    // Also after a restart.
    await lists.close();
    setUp.clock.now += DAY_MS / 2;
    const again = await setUp.open();
    assert.equal(statusOf(again, 'custom').rules, 100);
    await again.check('custom');
    assert.equal(statusOf(again, 'custom').rules, 49);
    assert.equal(statusOf(again, 'custom').problem, undefined);
  },
);

test('a small list can be accepted at once', async (t) => {
  const origin = await httpOrigin(t, inTurn(fresh(rules(100)), fresh(rules(2))));
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)] });
  const lists = await setUp.open();
  await until(() => lists.tableOf('custom') !== undefined, 'a table');
  assert.equal(statusOf(lists, 'custom').isHeldBack, false);
  await lists.check('custom');
  assert.deepEqual([statusOf(lists, 'custom').rules, statusOf(lists, 'custom').isHeldBack], [100, true]);
  await lists.accept('unknown');
  await lists.accept('custom');
  const { rules: count, problem, isHeldBack } = statusOf(lists, 'custom');
  assert.deepEqual([count, problem, isHeldBack], [2, undefined, false]);
});

test('accepting a list that is not held back does not download it', async (t) => {
  const answers = inTurn(fresh(rules(100)), fresh(rules(2)));
  const origin = await httpOrigin(t, answers);
  const lists = await (await testLists(t, { wanted: [fromAccount(origin.url)] })).open();
  await until(() => lists.tableOf('custom') !== undefined, 'a table');
  await lists.accept('custom');
  assert.equal(answers.asked.length, 1);
  await lists.check('custom');
  assert.equal(statusOf(lists, 'custom').isHeldBack, true);
});

test('an accepted version whose download fails is used by the next check', async (t) => {
  const answers = inTurn(fresh(rules(100)), fresh(rules(2)), says(500), fresh(rules(2)));
  const origin = await httpOrigin(t, answers);
  const lists = await (await testLists(t, { wanted: [fromAccount(origin.url)] })).open();
  await until(() => lists.tableOf('custom') !== undefined, 'a table');
  await lists.check('custom');
  await lists.accept('custom');
  assert.deepEqual([statusOf(lists, 'custom').rules, statusOf(lists, 'custom').isHeldBack], [100, true]);
  await lists.check('custom');
  assert.equal(statusOf(lists, 'custom').rules, 2);
});

test('a list with a new source is fetched at once; until then the old one stays in use, and the sizes are not compared', async (t) => {
  const answers = inTurn(fresh(rules(100), '"v1"'), says(500), fresh(rules(3), '"v1"'));
  const origin = await httpOrigin(t, answers);
  const setUp = await testLists(t, { wanted: [fromAccount(`${origin.url}one`)] });
  const lists = await setUp.open();
  await until(() => lists.tableOf('custom') !== undefined, 'a table');
  setUp.wanted.lists = [fromAccount(`${origin.url}two`)];
  await lists.review();
  await until(() => lists.checks().failed === 1, 'a failure');
  assert.equal(statusOf(lists, 'custom').rules, 100);
  await lists.check('custom');
  assert.equal(statusOf(lists, 'custom').rules, 3);
  assert.deepEqual(
    answers.asked.map(({ url, headers }) => [url, headers['if-none-match']]),
    [
      ['/one', undefined],
      ['/two', undefined],
      ['/two', undefined],
    ],
  );
});

test('an unused list stays loaded for another hour, and its files for seven days', async (t) => {
  const origin = await httpOrigin(t, fresh(rules(10)));
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)] });
  const lists = await setUp.open();
  await until(() => lists.tableOf('custom') !== undefined, 'a table');
  const review = async (wanted: readonly WantedList[], hoursLater: number): Promise<void> => {
    setUp.clock.now += hoursLater * 3600 * SECOND_MS;
    setUp.wanted.lists = wanted;
    await lists.review();
  };
  await review([], 0);
  await review([], 0.9);
  assert.ok(lists.tableOf('custom'));
  await review([fromAccount(origin.url)], 0);
  await review([], 0);
  await review([], 0.9);
  assert.ok(lists.tableOf('custom'));
  await review([], 0.2);
  assert.equal(lists.tableOf('custom'), undefined);
  assert.deepEqual(lists.swaps.at(-1), { id: 'custom', table: undefined });
  assert.deepEqual(lists.status(), []);

  await review([fromAccount(origin.url)], 6 * 24);
  await until(() => lists.tableOf('custom') !== undefined, 'the saved table');
  assert.match(setUp.told.join('\n'), /^info \| filter list updated \| custom$/);
  await until(() => lists.checks().unchanged === 1, 'the end of the check, which keeps the files');
  for (const hours of [0, 7 * 24 + 1]) await review([], hours);
  await until(() => readdirSync(setUp.folder).length === 0, 'an empty folder');
});

test('files and table of a deleted list are removed at once; those of an unused list are kept', async (t) => {
  const origin = await httpOrigin(t, fresh(rules(10)));
  const wanted = [fromAccount(origin.url, 'deleted'), fromAccount(origin.url, 'unused')];
  const setUp = await testLists(t, { wanted, isDeleted: (id) => id === 'deleted' });
  const lists = await setUp.open();
  await until(() => lists.tableOf('deleted') !== undefined && lists.tableOf('unused') !== undefined, 'tables');
  setUp.wanted.lists = [];
  await lists.review();
  assert.equal(lists.tableOf('deleted'), undefined);
  assert.ok(lists.tableOf('unused'));
  await until(() => readdirSync(setUp.folder).length === 1, 'the files of one list');
});

test('files of the operator are read again when they have changed', async (t) => {
  const files = await temporaryFolder(t, { 'list.txt': '||a.example^\n!#include more.txt\n', 'more.txt': rules(3) });
  const source = join(files, 'list.txt');
  const setUp = await testLists(t, { wanted: [fromOperator(source), fromOperator(`file://${source}`, 'url')] });
  const lists = await setUp.open();
  await until(() => !!lists.tableOf('own') && !!lists.tableOf('url'), 'tables');
  assert.equal(statusOf(lists, 'own').rules, 4);
  assert.equal(statusOf(lists, 'url').rules, 4);
  await lists.check('own');
  await writeFile(join(files, 'more.txt'), rules(5));
  await lists.check('own');
  assert.equal(statusOf(lists, 'own').rules, 6);
  assert.deepEqual(lists.checks(), { new: 3, unchanged: 1, 'not used': 0, failed: 0 });
});

test('the built-in list is used until the first download, and is replaced by it', async (t) => {
  const answers = { isReachable: false };
  const origin = await httpOrigin(t, (request, response) =>
    answers.isReachable ? fresh(rules(10))(request, response) : response.writeHead(500).end(),
  );
  const wanted = { ...fromOperator(origin.url, 'default'), builtIn: '||ads.example^\n||track.example^' };
  const setUp = await testLists(t, { wanted: [wanted] });
  const lists = await setUp.open();
  assert.ok(lists.tableOf('default'), 'in use when the start ends');
  const { rules: count, isBuiltIn, isLoaded, fetchedAt } = statusOf(lists, 'default');
  assert.deepEqual([count, isBuiltIn, isLoaded, fetchedAt], [2, true, true, undefined]);
  assert.equal(lists.fetchedList('default'), undefined);
  await until(() => statusOf(lists, 'default').problem !== undefined, 'a failed download');
  assert.equal(statusOf(lists, 'default').isBuiltIn, true);

  answers.isReachable = true;
  // The first call may join the failed check, which is about to end.
  await lists.check('default');
  await lists.check('default');
  assert.deepEqual([statusOf(lists, 'default').rules, statusOf(lists, 'default').isBuiltIn], [10, false]);
  assert.equal(lists.fetchedList('default')?.rules, 10);
});
