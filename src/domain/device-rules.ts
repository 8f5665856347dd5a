import { err, ok, type Result } from '../kit/result.ts';
import { bytesForLetters, lettersFrom } from './base-encoding.ts';
import { type Device, type DeviceType, deviceTypes } from './device.ts';
import { type DomainError, type FieldError, invalid } from './domain-error.ts';
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
import { nameRequirements, parseName } from './name.ts';

export type NewDevice = { readonly name: string; readonly type: DeviceType; readonly profile: string };
export type DeviceUpdate = { readonly [K in keyof NewDevice]?: NewDevice[K] | undefined };
export type DeviceSettingsUpdate = {
  readonly protectionEnabled?: boolean | undefined;
  readonly dohAuthOnly?: boolean | undefined;
};

/** The DNS servers of the account; those of other accounts are unknown. */
export type AccountProfiles = { has(id: ProfileId): boolean };
export type DeviceQuota = { readonly used: number; readonly limit: number; readonly profiles: AccountProfiles };

/** `random` holds at least `RANDOM_BYTES_OF_DEVICE` bytes. */
export type NewDeviceContext = {
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

export function newDevice(
  quota: DeviceQuota,
  wanted: NewDevice,
  context: NewDeviceContext,
): Result<Device, DomainError> {
  const errors = errorsOf(wanted, quota.profiles);
  if (errors.length > 0) return err({ kind: 'invalid', errors });
  return makeDevice(quota, { ...normalized(wanted), humanId: undefined }, context);
}

/** A device that registered itself with its first connection, if the DNS server allows it. */
export const newSelfRegisteredDevice = (
  quota: DeviceQuota,
  named: HumanId,
  context: NewDeviceContext,
): Result<Device, DomainError> =>
  quota.profiles.has(named.profile)
    ? makeDevice(quota, named, context)
    : err({ kind: 'not found', what: 'DNS server' });

type Wanted = Pick<Device, 'name' | 'type' | 'profile' | 'humanId'>;

function makeDevice(
  quota: DeviceQuota,
  wanted: Wanted,
  { account, random, now }: NewDeviceContext,
): Result<Device, DomainError> {
  if (quota.used >= quota.limit) return err({ kind: 'limit reached', what: 'devices', limit: quota.limit });
  const { name, type, profile, humanId } = wanted;
  return ok({
    id: deviceIdFrom(random),
    account,
    profile,
    name,
    type,
    tags: [],
    protectionEnabled: true,
    pausedUntil: undefined,
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

/** Absent fields stay unchanged; a different profile moves the device. */
export function updateDevice(
  device: Device,
  update: DeviceUpdate,
  profiles: AccountProfiles,
): Result<Device, DomainError> {
  const { name = device.name, type = device.type, profile = device.profile } = update;
  const errors = errorsOf({ name, type, profile }, profiles);
  return errors.length > 0
    ? err({ kind: 'invalid', errors })
    : ok({ ...device, ...normalized({ name, type, profile }) });
}

// Call this only if `errorsOf` found no errors.
const normalized = ({ name, type, profile }: NewDevice): Omit<Wanted, 'humanId'> => ({
  name: parseName(name) ?? name,
  type,
  profile: profile as ProfileId,
});

function errorsOf({ name, type, profile }: NewDevice, profiles: AccountProfiles): FieldError[] {
  const checks: readonly (readonly [field: string, isRight: boolean, message: string])[] = [
    ['name', parseName(name) !== undefined, `must be ${nameRequirements}`],
    ['device_type', deviceTypes.includes(type), `must be one of ${deviceTypes.join(', ')}`],
    ['dns_server_id', profiles.has(profile as ProfileId), 'does not exist'],
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
export type LinkQuota = { readonly linked: number; readonly limit: number };

/** Whether an allocated address can be linked to a device; undefined for an address that the account does not have. */
export function linkDedicated(
  device: Device,
  address: DedicatedAddress | undefined,
  { linked, limit }: LinkQuota,
): Result<DedicatedAddress, DomainError> {
  if (!address) return err({ kind: 'not found', what: 'address' });
  if (address.device === device.id) return ok(address);
  if (address.device !== undefined) return err(invalid('ip', 'this address is linked to another device'));
  if (linked >= limit) return err({ kind: 'limit reached', what: 'dedicatedIpv4', limit });
  return ok({ ...address, device: device.id });
}
