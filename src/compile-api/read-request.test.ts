import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileRequestReader } from './read-request.ts';

const limits = { maxSources: 2, maxPatterns: 2 };
const json = { 'content-type': 'application/json' };
const bodyOf = (name: string, source = '||a^'): Buffer =>
  Buffer.from(JSON.stringify({ configuration: { name, sources: [{ source }] } }));

test('identical requests share one parsed job, different ones do not', () => {
  const read = compileRequestReader(limits);
  const jobOf = (body: Buffer, headers: Record<string, string> = json) => {
    const job = read({ body, headers });
    assert.ok(job.ok);
    return job.value;
  };
  const first = jobOf(bodyOf('a'));
  assert.equal(jobOf(bodyOf('a')), first);
  assert.notEqual(jobOf(bodyOf('b')), first);
  assert.equal(jobOf(bodyOf('a'), { 'content-type': 'text/plain' }), first);
  assert.notEqual(jobOf(bodyOf('large', '||a^\n'.repeat(20_000))), jobOf(bodyOf('large', '||a^\n'.repeat(20_000))));
});

test('the content type of an accepted body does not excuse another one', () => {
  const read = compileRequestReader(limits);
  assert.equal(read({ body: bodyOf('a'), headers: json }).ok, true);
  const refused = read({ body: bodyOf('a'), headers: { 'content-type': 'text/html' } });
  assert.equal(!refused.ok && refused.error.status, 415);
});
