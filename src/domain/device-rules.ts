import { err, ok, type Result } from '../kit/result.ts';
import { bytesForLetters, lettersFrom } from './base-encoding.ts';
import { type Device, type DeviceType, deviceTypes } from './device.ts';
import { type FieldFault, invalid, type Problem } from './domain-error.ts';
import type { HumanId } from './human-id.ts';
import {
  type AccountId,
  type DeviceId,
  deviceIdFrom,
  type ProfileId,
  RANDOM_BYTES_OF_DEVICE_ID,
  shortId,
} from './ids.ts';
import { LINK_TOKEN_LETTERS, RANDOM_BYTES_OF_LINK_TOKEN } from './linked-address.ts';
import { parseName, whatNamesAre } from './name.ts';

export type NewDevice = { readonly name: string; readonly type: DeviceType; readonly profile: string };
export type DeviceUpdate = { readonly [K in keyof NewDevice]?: NewDevice[K] | undefined };
export type DeviceSettingsUpdate = {
  readonly protectionEnabled?: boolean | undefined;
  readonly dohAuthOnly?: boolean | undefined;
};

/** The account's own DNS servers: those of others are as good as unknown. */
export type OwnProfiles = { has(id: ProfileId): boolean };
export type DeviceRoom = { readonly used: number; readonly limit: number; readonly profiles: OwnProfiles };

/** `random` holds at least `RANDOM_BYTES_OF_DEVICE` bytes. */
export type DeviceBirth = {
  readonly account: AccountId;
  readonly random: Uint8Array;
  readonly now: number;
};

const DOH_PASSWORD_LETTERS = 16;
const SUFFIX_BYTES = 4;
export const RANDOM_BYTES_OF_DOH_PASSWORD = bytesForLetters(DOH_PASSWORD_LETTERS);
const PASSWORD_AT = RANDOM_BYTES_OF_DEVICE_ID + SUFFIX_BYTES;
const TOKEN_AT = PASSWORD_AT + RANDOM_BYTES_OF_DOH_PASSWORD;
export const RANDOM_BYTES_OF_DEVICE = TOKEN_AT + RANDOM_BYTES_OF_LINK_TOKEN;

export function createDevice(room: DeviceRoom, wanted: NewDevice, birth: DeviceBirth): Result<Device, Problem> {
  const faults = faultsOf(wanted, room.profiles);
  if (faults.length > 0) return err({ kind: 'invalid', faults });
  return born(room, { ...kept(wanted), humanId: undefined }, birth);
}

/** A device that named itself when it connected for the first time, to a server that lets it. */
export const createOwnDevice = (room: DeviceRoom, named: HumanId, birth: DeviceBirth): Result<Device, Problem> =>
  room.profiles.has(named.profile) ? born(room, named, birth) : err({ kind: 'not found', what: 'DNS server' });

type Wanted = Pick<Device, 'name' | 'type' | 'profile' | 'humanId'>;

function born(room: DeviceRoom, wanted: Wanted, { account, random, now }: DeviceBirth): Result<Device, Problem> {
  if (room.used >= room.limit) return err({ kind: 'limit reached', what: 'devices', limit: room.limit });
  const { name, type, profile, humanId } = wanted;
  return ok({
    id: deviceIdFrom(random),
    account,
    profile,
    name,
    type,
    protectionEnabled: true,
    dohAuthOnly: false,
    dohPassword: lettersFrom(random.subarray(PASSWORD_AT, TOKEN_AT), DOH_PASSWORD_LETTERS),
    humanId,
    linkedIp: undefined,
    pendingIp: undefined,
    ddnsName: undefined,
    linkToken: lettersFrom(random.subarray(TOKEN_AT), LINK_TOKEN_LETTERS),
    addressSuffix: shortId(random.subarray(RANDOM_BYTES_OF_DEVICE_ID)),
    createdAt: now,
  });
}

/** Changes only what is given; another profile moves the device. */
export function updateDevice(device: Device, update: DeviceUpdate, profiles: OwnProfiles): Result<Device, Problem> {
  const { name = device.name, type = device.type, profile = device.profile } = update;
  const faults = faultsOf({ name, type, profile }, profiles);
  return faults.length > 0 ? err({ kind: 'invalid', faults }) : ok({ ...device, ...kept({ name, type, profile }) });
}

// Only for what `faultsOf` found nothing wrong with.
const kept = ({ name, type, profile }: NewDevice): Omit<Wanted, 'humanId'> => ({
  name: parseName(name) ?? name,
  type,
  profile: profile as ProfileId,
});

function faultsOf({ name, type, profile }: NewDevice, profiles: OwnProfiles): FieldFault[] {
  const checks: readonly (readonly [field: string, isRight: boolean, message: string])[] = [
    ['name', parseName(name) !== undefined, `must be ${whatNamesAre}`],
    ['device_type', deviceTypes.includes(type), `must be one of ${deviceTypes.join(', ')}`],
    ['dns_server_id', profiles.has(profile as ProfileId), 'there is no such DNS server'],
  ];
  return checks
    .filter(([, isRight]) => !isRight)
    .map(([field, , message]) => ({ field, kind: 'wrong value', message }));
}

export const updateDeviceSettings = (device: Device, update: DeviceSettingsUpdate): Device => ({
  ...device,
  protectionEnabled: update.protectionEnabled ?? device.protectionEnabled,
  dohAuthOnly: update.dohAuthOnly ?? device.dohAuthOnly,
});

export const resetDohPassword = (device: Device, random: Uint8Array): Device => ({
  ...device,
  dohPassword: lettersFrom(random, DOH_PASSWORD_LETTERS),
});

export type DedicatedAddress = { readonly ip: string; readonly device: DeviceId | undefined };
export type LinkRoom = { readonly linked: number; readonly limit: number };

/** Whether an allocated address may be given to a device; undefined stands for one that the account does not have. */
export function linkDedicated(
  device: Device,
  address: DedicatedAddress | undefined,
  { linked, limit }: LinkRoom,
): Result<DedicatedAddress, Problem> {
  if (!address) return err({ kind: 'not found', what: 'address' });
  if (address.device === device.id) return ok(address);
  if (address.device !== undefined) return err(invalid('ip', 'this address is linked to another device'));
  if (linked >= limit) return err({ kind: 'limit reached', what: 'dedicatedIpv4', limit });
  return ok({ ...address, device: device.id });
}
