import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiTryPage } from '../src/http/openapi-try.ts';
import { tryScript } from '../src/http/openapi-try-script.ts';
import { startManagement } from './support/management.ts';

test('the page to try the operations is served under its policy, and its script beside it', async (t) => {
  const { ask, document } = await startManagement(t);
  const { html, policy } = openApiTryPage(document);
  const page = await ask('GET', '/swagger/try');
  assert.deepEqual([page.status, page.type, page.text], [200, 'text/html; charset=utf-8', html]);
  assert.equal(page.headers.get('content-security-policy'), policy);
  const script = await ask('GET', '/swagger/try.js');
  assert.deepEqual([script.status, script.type, script.text], [200, 'text/javascript; charset=utf-8', tryScript]);
  assert.equal(script.headers.get('x-content-type-options'), 'nosniff');
});
