import type { Account, User } from '../../../src/domain/account.ts';
import type { AuditEntry } from '../../../src/domain/audit.ts';
import type { AccessToken, ApiKey, UserSession } from '../../../src/domain/credentials.ts';
import { defaultSettings } from '../../../src/domain/default-settings.ts';
import type { Device } from '../../../src/domain/device.ts';
import type { ForwardRule } from '../../../src/domain/forward-rules.ts';
import type { AccountId, DeviceId, KeyId, ProfileId, UserId } from '../../../src/domain/ids.ts';
import type { Invitation } from '../../../src/domain/invitation.ts';
import type { LocalRecord } from '../../../src/domain/local-records.ts';
import type { Passkey } from '../../../src/domain/passkey.ts';
import type { Profile } from '../../../src/domain/profile.ts';
import type { NewAccount } from '../../../src/domain/repositories.ts';

// Data of an account; a word in all names identifies the account.

export const accountId = (word: string): AccountId => `account-${word}` as AccountId;
export const userId = (word: string): UserId => `user-${word}` as UserId;

/** Eight hexadecimal digits from any number. */
export const hex8 = (number: number): string => number.toString(16).padStart(8, '0');

export const accountNamed = (word: string, changes: Partial<Account> = {}): Account => ({
  id: accountId(word),
  createdAt: 1000,
  plan: 'free',
  limitOverrides: {},
  timeZone: 'Europe/Berlin',
  logRetentionDays: 90,
  logEnabled: true,
  isSuspended: false,
  ...changes,
});

export const userNamed = (word: string, changes: Partial<User> = {}): User => ({
  id: userId(word),
  account: accountId(word),
  email: `${word}@example.org`,
  role: 'owner',
  passwordHash: '$argon2id$…',
  totpSecret: undefined,
  totpLastStep: undefined,
  emailIsClaimed: false,
  recoveryCodeHashes: [],
  createdAt: 1000,
  ...changes,
});

export const profileNumber = (number: number, account: string, changes: Partial<Profile> = {}): Profile => ({
  id: hex8(number) as ProfileId,
  account: accountId(account),
  name: `Server ${number}`,
  isDefault: false,
  settings: defaultSettings(),
  createdAt: 1000 + number,
  ...changes,
});

export const deviceNumber = (number: number, profile: Profile, changes: Partial<Device> = {}): Device => ({
  id: hex8(number) as DeviceId,
  account: profile.account,
  profile: profile.id,
  name: `Phone ${number}`,
  type: 'ANDROID',
  protectionEnabled: true,
  pausedUntil: undefined,
  dohAuthOnly: false,
  dohPassword: 'correct horse',
  humanId: undefined,
  linkedIp: undefined,
  pendingIp: undefined,
  ddnsName: undefined,
  tags: [],
  linkToken: `link ${number}`,
  addressSuffix: undefined,
  createdAt: 1000 + number,
  ...changes,
});

/** An account with its owner and the default profile of this number. */
export const newAccount = (word: string, profile: number): NewAccount & { readonly profile: Profile } => ({
  account: accountNamed(word),
  owner: userNamed(word),
  profile: profileNumber(profile, word, { isDefault: true, name: 'Default' }),
});

export const keyOf = (word: string, changes: Partial<ApiKey> = {}): ApiKey => ({
  id: `key-${word}` as KeyId,
  account: accountId(word),
  user: userId(word),
  name: 'script',
  hash: `key hash ${word}`,
  hint: 'weir_k_ab',
  createdAt: 2000,
  lastUsedAt: undefined,
  ...changes,
});

export const sessionOf = (word: string): UserSession => ({
  id: `family-${word}`,
  account: accountId(word),
  user: userId(word),
  refreshHash: `refresh hash ${word}`,
  createdAt: 2000,
  lastUsedAt: 2000,
  rotates: false,
  userAgent: 'curl/8.5.0',
  address: '192.0.2.1',
});

export const accessTokenOf = (word: string): AccessToken => ({
  hash: `access hash ${word}`,
  session: `family-${word}`,
  account: accountId(word),
  user: userId(word),
  expiresAt: 9000,
});

export const passkeyOf = (word: string): Passkey => ({
  id: `passkey-${word}`,
  user: userId(word),
  name: 'Phone',
  credential: `credential-${word}`,
  publicKey: 'pQECAyYgASFYIA',
  counter: 2 ** 32 - 1,
  transports: ['internal', 'hybrid'],
  rpId: 'dns.example.org',
  createdAt: 2000,
  lastUsedAt: undefined,
});

export const invitationOf = (word: string): Invitation => ({
  id: `invitation-${word}`,
  account: accountId(word),
  email: `friend-of-${word}@example.org`,
  role: 'viewer',
  hash: `invitation hash ${word}`,
  invitedBy: `${word}@example.org`,
  createdAt: 2000,
  expiresAt: 9000,
});

export const auditEntryOf = (word: string, changes: Partial<AuditEntry> = {}): AuditEntry => ({
  id: `entry-${word}`,
  account: accountId(word),
  at: 2000,
  by: `${word}@example.org`,
  from: '192.0.2.1',
  action: 'device.create',
  subject: '00000001',
  before: undefined,
  after: { name: 'Phone' },
  ...changes,
});

export const localRecordOf = (word: string, profile?: ProfileId): LocalRecord => ({
  id: `record-${word}`,
  account: accountId(word),
  profile,
  name: `nas.${word}`,
  type: 'TXT',
  value: `ünï "${word}"`,
  ttlSeconds: profile && 30,
});

export const forwardRuleOf = (word: string, profile?: ProfileId): ForwardRule => ({
  id: `rule-${word}`,
  account: accountId(word),
  profile,
  domain: `lan.${word}`,
  upstreams: ['192.168.1.1', 'tls://dns.example'],
  strategy: profile ? undefined : 'ordered',
});
