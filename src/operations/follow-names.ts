import { changed } from '../domain/audit.ts';
import type { Device } from '../domain/device.ts';
import { followName, type LinkPrivateAddress, privateRule, sameSpelling } from '../domain/linked-address.ts';
import type { StoreReader } from '../domain/repositories.ts';
import { singleFlight } from '../kit/single-flight.ts';
import { auditEntry } from './audit-entry.ts';
import type { Clock, Random, Transactions } from './deps.ts';

const EVERY_MS = 5 * 60_000;
const BATCH = 20;

export type AddressBehind = (name: string) => Promise<string | undefined>;

export type FollowDeps = Clock &
  Random & {
    readonly store: Transactions['store'] & {
      readonly isLeader: () => Promise<boolean>;
      readonly read: { readonly devices: Pick<StoreReader['devices'], 'withNames'> };
    };
    readonly addressBehind: AddressBehind;
    readonly linkPrivateAddress: LinkPrivateAddress;
  };

/**
 * Looks up all dynamic DNS names once, on one of the nodes. After a failed lookup, the last address is kept, because most failures are
 * temporary.
 */
export async function followNames(deps: FollowDeps): Promise<void> {
  if (!(await deps.store.isLeader())) return;
  for (let after = ''; ; ) {
    const devices = await deps.store.read.devices.withNames({ after, limit: BATCH });
    const last = devices.at(-1);
    if (!last) return;
    await Promise.all(devices.map((device) => follow(deps, device)));
    after = last.id;
  }
}

async function follow(deps: FollowDeps, { account, id, ddnsName: name, linkedIp, pendingIp }: Device): Promise<void> {
  const found = name === undefined ? undefined : await deps.addressBehind(name);
  const ip = found === undefined ? undefined : sameSpelling(found);
  if (ip === undefined || ip === linkedIp || ip === pendingIp) return;
  await deps.store.inTransaction(async (tx) => {
    const before = await tx.devices.find(account, id);
    // The device may have been changed during the lookup.
    if (before?.ddnsName !== name || !before) return;
    const rule = privateRule(deps.linkPrivateAddress, await tx.accounts.count());
    const takenBy = await tx.devices.linkedTo(ip);
    const after = followName(before, { ip, isProven: false, takenBy, privateRule: rule });
    const isSame = after.linkedIp === before.linkedIp && after.pendingIp === before.pendingIp;
    if (isSame || !(await tx.devices.update(after)).ok) return;
    const author = { account, by: `the name ${name}`, from: undefined };
    await tx.audit.add(auditEntry(deps, author, { action: 'device.link', subject: id, ...changed(before, after) }));
  });
}

/** Repeats the lookup every five minutes until it is stopped. */
export function followNamesRegularly(deps: FollowDeps, onProblem: (problem: unknown) => void, everyMs = EVERY_MS) {
  // Skips a round if the previous one is still running.
  const rounds = singleFlight<void>();
  const timer = setInterval(() => void rounds.run(() => followNames(deps).catch(onProblem)), everyMs).unref();
  return {
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await rounds.running();
    },
  };
}
