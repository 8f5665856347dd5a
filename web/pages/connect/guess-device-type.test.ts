import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessDeviceType } from './guess-device-type.ts';

test('the device type is guessed from the user agent', () => {
  const cases = {
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140': 'ANDROID',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari': 'IOS',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140': 'WINDOWS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari': 'MAC',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140': 'LINUX',
    'a browser of its own': 'UNKNOWN',
  };
  for (const [agent, type] of Object.entries(cases)) assert.equal(guessDeviceType(agent), type, agent);
});
