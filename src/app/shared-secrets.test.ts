import assert from 'node:assert/strict';
import pino from 'pino';
import { onBoth, openFor } from '../../test/support/store/stores.ts';
import { currentSecret, TICKET_PERIOD_MS } from '../resolver/transport/ticket-keys.ts';
import { openStore } from '../store/store.ts';
import { openSharedSecrets, readSharedSecrets } from './shared-secrets.ts';

onBoth(
  'nodes on one database have the cookie secret of the first and the same ticket secret',
  async (store, { t, options }) => {
    const other = await openFor(t, 'folder' in options ? { ...options, besideServer: true } : options);
    const now = 1_800_000_000_000;
    const [own, others] = [new Uint8Array(16).fill(1), new Uint8Array(16).fill(2)];
    const first = await readSharedSecrets(store, own, now);
    assert.deepEqual(first.cookieSecret, own);
    assert.deepEqual(await readSharedSecrets(other, others, now), first);
    const next = await readSharedSecrets(other, others, now + TICKET_PERIOD_MS);
    assert.deepEqual(next.ticketSecret, currentSecret(first.ticketSecret, now + TICKET_PERIOD_MS));
    // The earlier secret is overwritten, also for a node whose clock is behind.
    assert.deepEqual(await readSharedSecrets(store, own, now), next);
  },
);

onBoth(
  'a node starts with its own secrets if those of the database cannot be read, and says so',
  async (store, { t, options }) => {
    const closed = await openStore('folder' in options ? { ...options, besideServer: true } : options);
    await closed.close();
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const own = new Uint8Array(16).fill(1);
    const without = await openSharedSecrets(closed, own, log);
    t.after(without.stop);
    assert.equal(without.secrets, undefined);
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
      ['the secrets that nodes share cannot be read'],
    );
    const opened = await openSharedSecrets(store, own, log);
    t.after(opened.stop);
    assert.deepEqual(opened.secrets?.cookieSecret, own);
    assert.equal(lines.length, 1);
  },
);
