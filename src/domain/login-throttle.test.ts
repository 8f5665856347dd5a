import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterFailure, checkThrottle, expiresAt, type LoginThrottle, refund, throttleKeys } from './login-throttle.ts';

const failed = (times: number, now = 0): LoginThrottle | undefined =>
  Array.from({ length: times }).reduce<LoginThrottle | undefined>((throttle) => afterFailure(throttle, now), undefined);

const waits: readonly (readonly [failures: number, waitSeconds: number])[] = [
  [0, 0],
  [4, 0],
  [5, 1],
  [6, 2],
  [7, 4],
  [14, 512],
  [15, 900],
  [1000, 900],
];
for (const [failures, seconds] of waits) {
  test(`after ${failures} failures the next try waits ${seconds} s`, () => {
    const next = checkThrottle(failed(failures), 0);
    assert.deepEqual(next, seconds === 0 ? { kind: 'yes' } : { kind: 'wait', ms: seconds * 1000 });
    assert.deepEqual(checkThrottle(failed(failures), seconds * 1000), { kind: 'yes' });
  });
}

test('of ten thousand tries in a day less than a hundred and ten get through', () => {
  let throttle: LoginThrottle | undefined;
  let through = 0;
  for (let now = 0; now < 86_400_000; now += 8640) {
    if (checkThrottle(throttle, now).kind === 'wait') continue;
    throttle = afterFailure(throttle, now);
    through++;
  }
  assert.ok(through <= 110, String(through));
});

test('a day without failures forgets them', () => {
  const throttle = failed(50)!;
  assert.deepEqual(checkThrottle(throttle, expiresAt(throttle)), { kind: 'yes' });
  assert.equal(afterFailure(throttle, expiresAt(throttle)).failures, 1);
  assert.equal(afterFailure(throttle, expiresAt(throttle) - 1).failures, 51);
});

test('a clock that was set back does not lengthen the wait', () => {
  assert.deepEqual(checkThrottle(failed(5, 1_000_000), 0), { kind: 'wait', ms: 1000 });
});

test('a successful sign-in refunds its own attempt', () => {
  assert.equal(refund(failed(3)!)?.failures, 2);
  assert.equal(refund(failed(1)!), undefined);
});

test('tries are counted by account and address, and by address; of IPv6 by the half that a customer has', () => {
  assert.deepEqual(throttleKeys(' Ann@Example.org ', '::ffff:192.0.2.1'), {
    accountFromAddress: 'account ann@example.org from 192.0.2.1',
    address: 'address 192.0.2.1',
  });
  assert.equal(throttleKeys('a', '2001:db8:1:2:3:4:5:6').address, throttleKeys('a', '2001:db8:1:2::9').address);
  assert.notEqual(throttleKeys('a', '2001:db8:1:2::1').address, throttleKeys('a', '2001:db8:1:3::1').address);
});
