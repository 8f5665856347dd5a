import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { bin, start } from './support/weir.ts';

test('weir node creates, lists and revokes keys', async (t) => {
  const data = await temporaryFolder(t);
  const weir = (...words: string[]) => start(`${bin}weir`, ['node', ...words, '--data', data], { cwd: data }).ended;
  const json = async (...words: string[]) => JSON.parse((await weir(...words, '--json')).stdout);
  const { id, name, key } = await json('create', '--name', 'edge');
  assert.equal(name, 'edge');
  assert.match(key, /^weir_node_/);
  const again = await weir('create', '--name', 'edge');
  assert.deepEqual([again.code, again.stderr], [1, 'weir: name is the name of another node\n']);
  const [listed] = await json('list');
  assert.deepEqual([listed.id, listed.name, listed.hint], [id, 'edge', key.slice(0, 14)]);
  assert.deepEqual(await json('revoke', '--name', 'edge'), { id, name });
  assert.match((await weir('revoke', '--name', 'edge')).stderr, /there is no node "edge"/);
});
