import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTags, tagsOf } from './device-tags.ts';

test('the tags of a device are those of its type and its own, each once', () => {
  assert.deepEqual(tagsOf('ANDROID', ['user_child', 'os_android']), ['device_phone', 'os_android', 'user_child']);
  assert.deepEqual(tagsOf('UNKNOWN', ['device_nas']), ['device_nas']);
  assert.deepEqual(tagsOf(undefined, undefined), []);
});

test('tags are sorted and unique; an unknown name is refused with its path', () => {
  assert.deepEqual(parseTags(['user_child', ' Device_TV', 'user_child']), {
    ok: true,
    value: ['device_tv', 'user_child'],
  });
  const wrong = parseTags(['user_child', 'user_alien']);
  assert.ok(!wrong.ok && wrong.error.kind === 'invalid');
  assert.equal(wrong.error.errors[0]!.field, 'tags[1]');
});
