import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aRecord, NOW, temporaryFolder } from '../../../test/support/query-log/logs.ts';
import { encodeBatches } from '../log-engine.ts';
import { LogError } from '../log-store.ts';
import { openEngine } from '../open-log.ts';
import { answerCall, asLogError, logByCalls, problemMessage, problemOf } from './log-calls.ts';

test('every call of the engine and of its statistics reaches the other side', async (t) => {
  const folder = await temporaryFolder(t);
  const engine = await openEngine({ folder }, { now: () => NOW, onProblem: (problem) => assert.fail(String(problem)) });
  const calls: string[] = [];
  const remote = logByCalls((name, args) => {
    calls.push(name);
    return answerCall(engine, structuredClone({ name, args }));
  });
  assert.deepEqual(Object.keys(remote).sort(), Object.keys(engine).sort());
  assert.deepEqual(Object.keys(remote.statistics).sort(), Object.keys(engine.statistics).sort());
  await remote.appendBatches(encodeBatches([aRecord()]));
  const query = { from: 0, to: NOW };
  assert.equal((await remote.page('home', { ...query, limit: 5 })).items.length, 1);
  assert.equal((await remote.statistics.domains('home', query))[0]!.domain, 'example.org');
  await remote.applyRetentionFrom(new Map([['home', NOW]]));
  assert.equal((await remote.page('home', { ...query, limit: 5 })).items.length, 0);
  await remote.close();
  assert.deepEqual(calls.slice(0, 3), ['appendBatches', 'page', 'domains']);
});

test('an error of the log keeps its kind when it is sent; other errors are unchanged', () => {
  const sent = problemOf(structuredClone(problemMessage(new LogError('disk full'))));
  assert.ok(sent instanceof LogError);
  assert.deepEqual([sent.kind, sent.isTemporary], ['disk full', true]);
  const other = problemOf(structuredClone(problemMessage(new TypeError('a defect'))));
  assert.ok(!(other instanceof LogError));
  assert.equal(other.message, 'a defect');
  const plain = new Error('plain');
  assert.equal(asLogError(plain), plain);
});
