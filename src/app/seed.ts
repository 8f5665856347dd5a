import { randomBytes } from 'node:crypto';
import { knownDomains } from '../domain/catalogue/company.ts';
import type { Device } from '../domain/device.ts';
import { newDevice, RANDOM_BYTES_OF_DEVICE } from '../domain/device-rules.ts';
import type { QueryRecord } from '../domain/query-record.ts';
import { openLog } from '../query-log/index.ts';
import { openStore, type Store } from '../store/store.ts';
import { generateTraffic } from './seed-traffic.ts';
import { logOptions, type StoreSettings, storeOptions } from './store-options.ts';

export type Seeding = {
  readonly email: string;
  readonly days: number;
  readonly queries: number;
  readonly now: number;
  readonly random: () => number;
  readonly onProgress: (done: number, of: number) => void;
};

const BATCH = 5000;
const household = [
  ['Phone', 'ANDROID'],
  ['Tablet', 'IOS'],
  ['Laptop', 'MAC'],
  ['Office computer', 'WINDOWS'],
  ['Television', 'SMART_TV'],
  ['Router', 'ROUTER'],
] as const;

/** Fills the query log of an account with generated traffic; creates devices if it has none. */
export async function seed(settings: StoreSettings, seeding: Seeding): Promise<number> {
  await using stack = new AsyncDisposableStack();
  const store = await openStore({ ...storeOptions(settings), besideServer: true });
  stack.defer(() => store.close());
  const onProblem = (problem: unknown): void => process.emitWarning(problem as Error);
  const log = await openLog(logOptions(settings), { onProblem, inThread: true });
  stack.defer(() => log.close());

  const devices = await devicesOf(store, seeding);
  const { days, queries, now, random, onProgress } = seeding;
  const traffic = { devices, domains: [...knownDomains()], from: now - days * 86_400_000, to: now, queries, random };
  let done = 0;
  let batch: QueryRecord[] = [];
  const flush = async (): Promise<void> => {
    await log.append(batch);
    done += batch.length;
    batch = [];
    onProgress(done, queries);
  };
  for (const record of generateTraffic(traffic)) {
    batch.push(record);
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return done;
}

async function devicesOf(store: Store, { email, now }: Seeding): Promise<readonly Device[]> {
  const user = await store.read.users.byEmail(email);
  if (!user) throw new Error(`no user has the address ${email}; create one: weir account create`);
  const found = await store.read.devices.list(user.account);
  if (found.length > 0) return found;
  const profile = (await store.read.profiles.list(user.account)).find(({ isDefault }) => isDefault)!;
  return store.inTransaction(async (tx) => {
    const made: Device[] = [];
    for (const [name, type] of household) {
      const quota = { used: 0, limit: household.length, profiles: { has: () => true } };
      const context = { account: user.account, random: randomBytes(RANDOM_BYTES_OF_DEVICE), now };
      const device = newDevice(quota, { name, type, profile: profile.id }, context);
      if (!device.ok || !(await tx.devices.add(device.value)).ok) throw new Error(`cannot create the device ${name}`);
      made.push(device.value);
    }
    return made;
  });
}
