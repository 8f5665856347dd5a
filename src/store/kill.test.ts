import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountId, newAccount } from '../../test/support/store/accounts.ts';
import { otherProcess } from '../../test/support/store/processes.ts';
import { databases } from '../../test/support/store/stores.ts';
import { openStore } from './store.ts';

const ROUNDS = Number(process.env['WEIR_KILLS'] ?? 8);

// Adds two devices in one transaction and prints their number after the commit.
const writer = (options: object, first: number): string => `
  import { openStore } from './store.ts';
  import { deviceNumber, newAccount } from '../../test/support/store/accounts.ts';
  const store = await openStore(${JSON.stringify(options)});
  const { profile } = newAccount('anna', 0xa0);
  for (let number = ${first}; ; number += 2) {
    await store.inTransaction(async (tx) => {
      await tx.devices.add(deviceNumber(number, profile));
      await tx.devices.add(deviceNumber(number + 1, profile));
    });
    console.log(number);
  }
`;

for (const [name, newDatabase] of Object.entries(databases)) {
  test(`${name}: a process that is killed while it writes loses nothing it has acknowledged and leaves nothing half`, async (t) => {
    const options = await newDatabase(t);
    if (!options) return t.skip('there is no PostgreSQL here');
    const first = await openStore(options);
    await first.inTransaction((tx) => tx.accounts.create(newAccount('anna', 0xa0)));
    await first.close();
    const acknowledged: number[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const { child, lines, ended } = otherProcess(t, writer(options, round * 1_000_000));
      // Kills the process at another point each time.
      const enough = 1 + ((round * 7) % 23);
      let seen = 0;
      for await (const line of lines) {
        acknowledged.push(Number(line));
        if (++seen === enough) setTimeout(() => child.kill('SIGKILL'), round % 5);
      }
      assert.equal(await ended, 'SIGKILL');
    }
    const store = await openStore(options);
    const numbers = new Set(
      (await store.read.devices.list(accountId('anna'))).map(({ id }) => Number.parseInt(id, 16)),
    );
    await store.close();
    assert.deepEqual(
      acknowledged.filter((number) => !numbers.has(number)),
      [],
    );
    const halves = [...numbers].filter((number) => !numbers.has(number % 2 === 0 ? number + 1 : number - 1));
    assert.deepEqual(halves, []);
    assert.ok(acknowledged.length >= ROUNDS);
    t.diagnostic(
      `P6 ${name}: 0 of ${acknowledged.length} acknowledged transactions lost in ${ROUNDS} kills (200 with WEIR_KILLS=200)`,
    );
  });
}
