import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { findUser, firstUnreadable } from './system-user.ts';

const files = {
  passwd: 'root:x:0:0:root:/root:/bin/sh\nweir:x:990:991::/:/usr/sbin/nologin\n',
  group: 'root:x:0:\nssl-cert:x:104:weir,other\n',
};

test('a user is found by its name with its groups, and by numbers without an entry', () => {
  assert.deepEqual(findUser('weir', files), { name: 'weir', uid: 990, gid: 991, groups: [991, 104] });
  assert.deepEqual(findUser('990', files), { name: 'weir', uid: 990, gid: 991, groups: [991, 104] });
  assert.deepEqual(findUser('65532', files), { name: undefined, uid: 65532, gid: 65532, groups: [65532] });
  assert.deepEqual(findUser('65532:7', files), { name: undefined, uid: 65532, gid: 7, groups: [7] });
});

test('root is not a user to run as, nor is a name that does not exist', () => {
  for (const wanted of ['root', '0', '5:0', 'somebody']) assert.equal(findUser(wanted, files), undefined, wanted);
});

test('a file in a folder that only its owner may search cannot be read', async (t) => {
  const folder = await temporaryFolder(t);
  const inner = join(folder, 'inner');
  mkdirSync(inner);
  const file = join(inner, 'key');
  writeFileSync(file, '');
  const user = { name: undefined, uid: 65532, gid: 65532, groups: [65532] };
  chmodSync(folder, 0o755);
  chmodSync(inner, 0o755);
  chmodSync(file, 0o644);
  assert.equal(firstUnreadable([file], user), undefined);
  chmodSync(file, 0o600);
  assert.equal(firstUnreadable([file], user), file);
  chmodSync(file, 0o644);
  chmodSync(inner, 0o700);
  assert.equal(firstUnreadable([file], user), inner);
});
