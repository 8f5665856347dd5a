import { changed } from '../domain/audit.ts';
import type { Device } from '../domain/device.ts';
import { invalid } from '../domain/domain-error.ts';
import { pauseEnd } from '../domain/pause.ts';
import type { Profile } from '../domain/profile.ts';
import type { Transaction } from '../domain/repositories.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { AuditNote } from '../operations/audit-entry.ts';
import { findAccount } from '../operations/find-account.ts';
import type { Caller } from './authenticate.ts';
import { findDevice } from './devices.ts';
import { findServer } from './dns-servers.ts';
import type { ApiError } from './errors.ts';
import { mutation, type Operation } from './operation.ts';
import { withExtensions } from './temporary-rules.ts';
import { ProtectionPause, ProtectionPaused, ProtectionResume } from './wire/protection.ts';

const group = 'Protection';

type Target = { readonly device_id?: string | undefined; readonly dns_server_id?: string | undefined };
type Targets = { readonly profiles: readonly Profile[]; readonly devices: readonly Device[]; readonly what: string };

/** All DNS servers if no id is given; `devices` are those with a separate pause, which only a resume ends. */
async function targetsOf(
  store: Transaction,
  caller: Caller,
  { device_id, dns_server_id }: Target,
): Promise<Result<Targets, ApiError>> {
  if (device_id !== undefined && dns_server_id !== undefined)
    return err(invalid('device_id', 'give either `device_id` or `dns_server_id`'));
  if (device_id !== undefined) {
    const device = await findDevice(store, { caller, params: { device_id } });
    return device.ok ? ok({ profiles: [], devices: [device.value], what: 'device' }) : device;
  }
  if (dns_server_id !== undefined) {
    const server = await findServer(store, { caller, params: { dns_server_id } });
    return server.ok ? ok({ profiles: [server.value], devices: [], what: 'dns_server' }) : server;
  }
  const devices = (await store.devices.list(caller.account)).filter(({ pausedUntil }) => pausedUntil !== undefined);
  return ok({ profiles: await store.profiles.list(caller.account), devices, what: 'protection' });
}

/** Stores the end of the pause of all targets; undefined ends it. */
async function setPause(
  store: Transaction,
  { profiles, devices }: Pick<Targets, 'profiles' | 'devices'>,
  pausedUntil: number | undefined,
): Promise<Result<Pick<AuditNote, 'before' | 'after'>, ApiError>> {
  for (const profile of profiles)
    if (profile.settings.own.pausedUntil !== pausedUntil)
      await store.profiles.update(withExtensions(profile, { ...profile.settings.own, pausedUntil }));
  for (const device of devices) {
    if (device.pausedUntil === pausedUntil) continue;
    const updated = await store.devices.update({ ...device, pausedUntil });
    if (!updated.ok) return updated;
  }
  const ends = (endOf: (end: number | undefined) => number | undefined) =>
    Object.fromEntries([
      ...profiles.map(({ id, settings }) => [id, { pausedUntil: endOf(settings.own.pausedUntil) }] as const),
      ...devices.map((device) => [device.id, { pausedUntil: endOf(device.pausedUntil) }] as const),
    ]);
  const change = changed(
    ends((end) => end),
    ends(() => pausedUntil),
  );
  return ok(change);
}

const subjectOf = ({ device_id, dns_server_id }: Target): string | undefined => device_id ?? dns_server_id;

export const pauseOperations: readonly Operation[] = [
  mutation({
    method: 'POST',
    path: '/api/v1/protection/pause',
    operationId: 'pauseProtection',
    group,
    summary: 'Pause protection',
    description:
      'Queries are not filtered until the pause ends by itself. It replaces an earlier pause of the same device or DNS server. Switches stay as they are.',
    body: ProtectionPause,
    reply: ProtectionPaused,
    responseDescription: 'Protection is paused from the next query on.',
    errors: [400, 404],
    run: async (store, { caller, body }, deps) => {
      const { timeZone } = await findAccount(store, caller.account);
      const end = pauseEnd(body, deps.now(), timeZone);
      if (!end.ok) return end;
      const targets = await targetsOf(store, caller, body);
      if (!targets.ok) return targets;
      const { profiles, devices, what } = targets.value;
      const change = await setPause(store, { profiles, devices: what === 'device' ? devices : [] }, end.value);
      if (!change.ok) return change;
      const reply = { paused_until: new Date(end.value).toISOString() };
      return ok({ reply, audit: { action: `${what}.pause`, subject: subjectOf(body), ...change.value } });
    },
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/protection/resume',
    operationId: 'resumeProtection',
    group,
    summary: 'End pauses of protection',
    description: 'Ends the pause of a device or DNS server before its time; without an id, all pauses of the account.',
    body: ProtectionResume,
    responseDescription: 'Queries are filtered from the next one on.',
    errors: [400, 404],
    run: async (store, { caller, body }) => {
      const targets = await targetsOf(store, caller, body);
      if (!targets.ok) return targets;
      const change = await setPause(store, targets.value, undefined);
      if (!change.ok) return change;
      const audit = { action: `${targets.value.what}.resume`, subject: subjectOf(body), ...change.value };
      return ok({ reply: undefined, audit });
    },
  }),
];
