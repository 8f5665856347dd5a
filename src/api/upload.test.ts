import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import Fastify from 'fastify';
import { acceptUploads, readUpload, UPLOAD_TYPE } from './upload.ts';

const openServer = () => {
  const server = Fastify({ bodyLimit: 10 });
  acceptUploads(server);
  server.post('/', async (request) => {
    const body = readUpload(request);
    if (!body.ok) return body.error;
    return { text: Buffer.concat(await body.value.toArray()).toString() };
  });
  return server;
};

test('an upload is a stream without the size limit of other bodies', async () => {
  const payload = Readable.from([Buffer.from('a backup of more than 10 bytes')]);
  const reply = await openServer().inject({
    method: 'POST',
    url: '/',
    payload,
    headers: { 'content-type': UPLOAD_TYPE },
  });
  assert.deepEqual(reply.json(), { text: 'a backup of more than 10 bytes' });
});

test('a body of another type is refused with the type that is wanted', async () => {
  const refused = { kind: 'wrong content type', wanted: 'application/x-weir-backup' };
  const reply = await openServer().inject({ method: 'POST', url: '/', payload: { a: 1 } });
  assert.deepEqual(reply.json(), refused);
  assert.deepEqual((await openServer().inject({ method: 'POST', url: '/' })).json(), refused);
});
