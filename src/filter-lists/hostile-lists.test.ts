import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import {
  downloading,
  fromAccount,
  fromOperator,
  rules,
  statusOf,
  testLists,
  until,
} from '../../test/support/filter-lists/lists.ts';
import { slow } from '../../test/support/kit/slow.ts';
import { httpOrigin, inTurn, rawOrigin, says } from '../../test/support/net/origin.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const good = says(200, {}, rules(100));
const bomb = brotliCompressSync(Buffer.alloc(100 * 2 ** 20), { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });

/** Bad responses to the second check, and the reported problem. */
const badAnswers: Readonly<Record<string, [RequestListener, RegExp]>> = {
  'an empty body': [says(200), /^Empty response received$/],
  'nothing but blanks': [says(200, {}, ' \n\t\r\n'), /^Empty response received$/],
  'no content': [says(204), /^HTTP 204: No Content$/],
  'an HTML page': [says(200, {}, '<!DOCTYPE html><p>Log in</p>'), /is not a list: it is an HTML page/],
  'a page that is called one': [says(200, { 'content-type': 'image/png' }, rules(100)), /is not a list/],
  'zero bytes': [says(200, {}, Buffer.from(`${rules(100)}\0`)), /^it is binary, not text$/],
  'comments only': [says(200, {}, '! nothing\n# at all\n'), /^it has no rules that a DNS filter can use$/],
  'a fault of the server': [says(500), /^HTTP 500: Internal Server Error$/],
  'a page that is gone': [says(404), /^HTTP 404: Not Found$/],
  'part of a body': [says(206, {}, rules(100)), /^HTTP 206: Partial Content$/],
  'no change since never': [says(304), /^HTTP 304: Not Modified$/],
  'less than half of it': [says(200, {}, rules(49)), /^it has shrunk by more than half/],
  'a bomb': [says(200, { 'content-encoding': 'br' }, bomb), /^it is larger than the limit$/],
  'a redirect to a private address': [
    says(302, { location: 'http://169.254.169.254/' }),
    /^its address does not exist or may not be fetched$/,
  ],
  'a condition without an end': [says(200, {}, `!#if true\n${rules(100)}`), /line 1: this !#if is never closed/],
  'an include of another server': [
    says(200, {}, '!#include https://other.example/x'),
    /may only include from its own server/,
  ],
};

const cutOff = /^the connection ended before the whole body had arrived$/;
const brokenAnswers: Readonly<Record<string, string>> = {
  'a body shorter than its length': `${OK}Content-Length: 9999\r\n\r\n${rules(100)}`,
  'chunks without a last one': `${OK}Transfer-Encoding: chunked\r\n\r\n4\r\n||a^\r\n`,
};

test('the last good version stays in use with a reported problem when the source answers', slow, async (t) => {
  const names = [...Object.keys(badAnswers), ...Object.keys(brokenAnswers)];
  const answers = names.map((name) => inTurn(good, badAnswers[name]?.[0] ?? good));
  const origin = await httpOrigin(t, (request, response) => answers[Number(request.url?.slice(1))]!(request, response));
  const wanted = new Map(names.map((name, at) => [name, fromAccount(`${origin.url}${at}`, name)]));
  const setUp = await testLists(t, { wanted: [...wanted.values()] });
  const lists = await setUp.open();
  await until(() => lists.checks().new === names.length, 'all lists');
  for (const [name, text] of Object.entries(brokenAnswers))
    wanted.set(name, fromAccount((await rawOrigin(t, text)).url, name));
  setUp.wanted.lists = [...wanted.values()];
  await lists.review();
  await Promise.all(names.map((name) => lists.check(name)));

  for (const name of names)
    await t.test(name, () => {
      const { rules: count, problem, isLoaded } = statusOf(lists, name);
      assert.deepEqual([count, isLoaded], [100, true]);
      assert.match(problem!.why, badAnswers[name]?.[1] ?? cutOff);
      assert.equal(problem!.times, 1);
      const line = setUp.told.find((each) => each.startsWith('warn') && each.includes(`| ${name} |`));
      assert.match(line!, /^warn \| filter list not updated, keeping the last good version \|/);
    });
  assert.equal(lists.swaps.length, names.length);
});

test('a list that was never downloaded has no table, and its problem is reported', async (t) => {
  const origin = await httpOrigin(t, says(404));
  const setUp = await testLists(t, { wanted: [fromAccount(origin.url)] });
  const lists = await setUp.open();
  await until(() => lists.checks().failed === 1, 'a failure');
  assert.equal(lists.tableOf('custom'), undefined);
  assert.equal(lists.fetchedList('custom'), undefined);
  const { isLoaded, rules: count, problem, ageSeconds } = statusOf(lists, 'custom');
  assert.deepEqual([isLoaded, count, problem?.why, ageSeconds], [false, 0, 'HTTP 404: Not Found', undefined]);
  assert.match(setUp.told.at(-1)!, /^warn \| failed to download a filter list \| custom \| HTTP 404: Not Found$/);
});

test('the same problem is logged once, and its end is logged', async (t) => {
  const answers = inTurn(says(200, { etag: '"1"' }, rules(9)), says(500), says(500), says(503), says(304));
  const origin = await httpOrigin(t, answers);
  const { told, open } = await testLists(t, { wanted: [fromAccount(origin.url)] });
  const lists = await open();
  await until(() => lists.checks().new === 1, 'the list');
  for (let check = 0; check < 4; check++) await lists.check('custom');
  assert.deepEqual(
    told.map((line) => line.split(' | ').slice(0, 2).join(' ')),
    [
      'info filter list updated',
      'warn filter list not updated, keeping the last good version',
      'debug filter list not updated, keeping the last good version',
      'warn filter list not updated, keeping the last good version',
      'info filter list recovered',
    ],
  );
});

test('an account can use neither files nor private addresses, ports of this program or rules as a source', async (t) => {
  const folder = await temporaryFolder(t, { 'secret.txt': rules(10) });
  const own = await httpOrigin(t, good);
  const sources = {
    path: join(folder, 'secret.txt'),
    file: `file://${join(folder, 'secret.txt')}`,
    private: 'http://10.0.0.1/',
    own: own.url,
    rules: '||a.example^\n||b.example^',
    userinfo: 'http://user@lists.example/',
    nothing: '',
  };
  const wanted = Object.entries(sources).map(([id, source]) => fromAccount(source, id));
  const setUp = await testLists(t, { wanted, ownPorts: () => [own.port] });
  const lists = await setUp.open();
  await until(() => lists.checks().failed === wanted.length, 'failures');
  for (const { id } of wanted) assert.equal(lists.tableOf(id), undefined, id);
  assert.equal(own.connections.length, 0);
});

test('a list from the network cannot include a file', async (t) => {
  const folder = await temporaryFolder(t, { 'secret.txt': rules(10) });
  const origin = await httpOrigin(t, (request, response) => {
    if (request.url !== '/') response.writeHead(404);
    response.end(`||a.example^\n!#include file://${folder}/secret.txt\n`);
  });
  const setUp = await testLists(t, { wanted: [fromOperator(origin.url)] });
  const lists = await setUp.open();
  await until(() => lists.checks().failed === 1, 'a failure');
  assert.match(statusOf(lists, 'own').problem!.why, /own server/);
});

test('private addresses are forbidden unless the operator allows them', async (t) => {
  const origin = await httpOrigin(t, good);
  const setUp = await testLists(t, { wanted: [fromOperator(origin.url)] });
  const lists = await setUp.open({ downloading: { ...downloading, allowNetworks: [], sourcePorts: [origin.port] } });
  await until(() => lists.checks().failed === 1, 'a failure');
  assert.equal(origin.connections.length, 0);
});
