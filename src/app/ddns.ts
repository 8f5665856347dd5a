import { Resolver } from 'node:dns/promises';
import { auditEntry } from '../api/write.ts';
import { changed } from '../domain/audit.ts';
import type { Device } from '../domain/device.ts';
import {
  followName,
  type LinkPrivateAddress,
  parseDdnsName,
  privateRule,
  sameSpelling,
} from '../domain/linked-address.ts';
import { publicEndpoints } from '../net/endpoint-policy.ts';
import type { Store } from '../store/store.ts';

const EVERY_MS = 5 * 60_000;
const TIMEOUT_MS = 3_000;
const TRIES = 2;
const AT_ONCE = 20;

export type AddressBehind = (name: string) => Promise<string | undefined>;

export type DdnsLookup = {
  /** Networks that are not public, and whose addresses may be linked all the same. */
  readonly allowNetworks: readonly string[];
  /** Instead of the resolvers of the system. */
  readonly servers?: readonly string[];
};

/** The first address behind a name that may be linked, IPv4 before IPv6; undefined also when nobody answers in time. */
export function ddnsLookup({ allowNetworks, servers }: DdnsLookup): AddressBehind {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  // Nobody is called there: the port only has to be one that the policy knows.
  const port = 53;
  const mayBeLinked = publicEndpoints({ ports: [port], allowNetworks });
  return async (text) => {
    const name = parseDdnsName(text);
    if (name === undefined) return undefined;
    for (const find of [() => resolver.resolve4(name), () => resolver.resolve6(name)]) {
      const addresses = await find().catch((): string[] => []);
      const found = addresses.find((address) => mayBeLinked({ host: name, address, port }));
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

export type FollowDeps = {
  readonly store: Store;
  readonly addressBehind: AddressBehind;
  readonly linkPrivateAddress: LinkPrivateAddress;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
};

/** Looks up all names once. A name behind which nothing is found keeps its last address: most of the time it is the way there that failed. */
export async function followNames(deps: FollowDeps): Promise<void> {
  for (let after = ''; ; ) {
    const devices = await deps.store.read.devices.withNames({ after, limit: AT_ONCE });
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
    // Its owner may have changed it while the name was looked up.
    if (before?.ddnsName !== name || !before) return;
    const rule = privateRule(deps.linkPrivateAddress, await tx.accounts.count());
    const takenBy = await tx.devices.linkedTo(ip);
    const after = followName(before, { ip, isProven: false, takenBy, privateRule: rule });
    const isSame = after.linkedIp === before.linkedIp && after.pendingIp === before.pendingIp;
    if (isSame || !(await tx.devices.update(after)).ok) return;
    const note = { action: 'device.link', subject: id, ...changed(before, after) };
    await tx.audit.add({ ...auditEntry(deps, { account, by: `the name ${name}`, from: '' }, note), from: undefined });
  });
}

/** The same every five minutes, until it is stopped. */
export function followNamesRegularly(deps: FollowDeps, onProblem: (problem: unknown) => void, everyMs = EVERY_MS) {
  let underway: Promise<void> = Promise.resolve();
  let isUnderway = false;
  const work = (): void => {
    // A round that takes longer than the time between two is not begun twice.
    if (isUnderway) return;
    isUnderway = true;
    underway = followNames(deps)
      .catch(onProblem)
      .finally(() => {
        isUnderway = false;
      });
  };
  const timer = setInterval(work, everyMs).unref();
  return {
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await underway;
    },
  };
}
