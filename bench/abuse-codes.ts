import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openAccounts } from '../src/app/open-accounts.ts';
import { fromBase32 } from '../src/domain/base-encoding.ts';
import { totpCode } from '../src/domain/totp.ts';
import { guessCodes } from '../test/support/attacks/second-factor-guessing.ts';
import type { Attack } from './abuse-measures.ts';
import { callApi, type Stage } from './abuse-stage.ts';

const EMAIL = 'second-factor@example.org';
const PASSWORD = 'a password that is known';
const EVERY_MS = 1000;
// Five, and one after each wait of 1, 2, 4 … s.
const MOST_CHECKED = 12;

/** The attacker knows the password of an account with a second factor. */
export async function guessSecondFactor(stage: Stage): Promise<Attack> {
  const { url } = stage;
  await createAccount(stage);
  const statuses: number[] = [];
  let isStopped = false;
  const guessing = (async () => {
    while (!isStopped) {
      const target = { url, email: EMAIL, password: PASSWORD, addressHeader: 'x-forwarded-for', guesses: 10 };
      statuses.push(...(await guessCodes(target)));
      await sleep(EVERY_MS);
    }
  })();
  return {
    bars: () => {
      const checked = statuses.filter((status) => status !== 429).length;
      return [{ what: 'codes checked', figure: `${checked} of ${statuses.length}`, met: checked <= MOST_CHECKED }];
    },
    async stop() {
      isStopped = true;
      await guessing;
    },
  };
}

async function createAccount({ url, data }: Stage): Promise<void> {
  const accounts = await openAccounts({ data, database: undefined }, Date.now);
  try {
    await accounts.create({ email: EMAIL, password: PASSWORD });
  } finally {
    await accounts.close();
  }
  const { access_token } = await callApi(url, '', 'POST', '/api/v1/session', { email: EMAIL, password: PASSWORD });
  const post = (path: string, json: object) => callApi(url, `Bearer ${access_token}`, 'POST', path, json);
  const { secret } = await post('/api/v1/second_factor', { password: PASSWORD });
  const code = totpCode(fromBase32(secret)!, Math.floor(Date.now() / 30_000), (key, message) =>
    createHmac('sha1', key).update(message).digest(),
  );
  await post('/api/v1/second_factor/confirm', { code });
}
