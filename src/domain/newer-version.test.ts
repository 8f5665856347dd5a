import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNewerVersion, versionIn } from './newer-version.ts';

test('the version is read from the forms of release APIs and from text', () => {
  assert.equal(versionIn('{"name":"weir-dns","version":"1.2.3"}'), '1.2.3');
  assert.equal(versionIn('{"tag_name":"v1.2.3","draft":false}'), '1.2.3');
  assert.equal(versionIn('v1.10.0-rc.1\n'), '1.10.0-rc.1');
  for (const other of ['', '{', '{"version":3}', '[]', '1.2', '<html>1.2.3</html>', '1.2.3 and more'])
    assert.equal(versionIn(other), undefined, other);
});

test('versions are compared by their numbers, and one before a release is older than it', () => {
  const inOrder = ['0.9.10', '0.10.0-rc.1', '0.10.0', '0.10.1', '1.0.0', '10.0.0'];
  for (const [index, version] of inOrder.entries())
    assert.deepEqual(
      inOrder.filter((other) => isNewerVersion(other, version)),
      inOrder.slice(index + 1),
    );
  assert.equal(isNewerVersion('next', '1.0.0'), false);
});
