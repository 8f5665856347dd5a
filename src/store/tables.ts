// Columns in both databases: ids and JSON as text, times in milliseconds since the Unix epoch, booleans as 0 and 1.

export type AccountRow = {
  id: string;
  created_at: number;
  plan: string;
  limit_overrides: string;
  time_zone: string;
  log_retention_days: number;
  log_enabled: number;
  is_suspended: number;
};

export type UserRow = {
  id: string;
  account: string;
  email: string;
  role: string;
  password_hash: string;
  totp_secret: string | null;
  totp_last_step: number | null;
  recovery_code_hashes: string;
  created_at: number;
  email_claimed: number;
};

export type PasskeyRow = {
  id: string;
  user_id: string;
  name: string;
  credential: string;
  public_key: string;
  counter: number;
  transports: string;
  rp_id: string;
  created_at: number;
  last_used_at: number | null;
};

export type MembershipRow = {
  id: string;
  account: string;
  user_id: string;
  role: string;
  created_at: number;
};

export type NodeRow = {
  id: string;
  name: string;
  hash: string;
  hint: string;
  created_at: number;
  reported_at: number | null;
  version: string | null;
  revision: number | null;
  lag_ms: number | null;
  address: string | null;
};

type SharedListRow = {
  id: string;
  account: string | null;
  source: string;
  version: string;
  text: Uint8Array;
  seen: string | null;
  checks: number;
};

export type KeyRow = {
  id: string;
  account: string;
  user_id: string;
  name: string;
  hash: string;
  hint: string;
  created_at: number;
  last_used_at: number | null;
};

export type FamilyRow = {
  id: string;
  account: string;
  user_id: string;
  refresh_hash: string;
  created_at: number;
  last_used_at: number;
  rotates: number;
  user_agent: string | null;
  address: string | null;
};

type ReplacedRefreshTokenRow = {
  hash: string;
  family: string;
  account: string;
  next_hash: string;
  seed: string;
  replaced_at: number;
};

/** `setting` is a value of the setting `operator`: `first` or an e-mail address. */
type OperatorRow = { setting: string; user_id: string; recorded_at: number };

type AccessTokenRow = { hash: string; family: string; account: string; user_id: string; expires_at: number };

export type InvitationRow = {
  id: string;
  account: string;
  email: string;
  role: string;
  hash: string;
  invited_by: string;
  created_at: number;
  expires_at: number;
};

type TicketRow = { hash: string; kind: string; content: string; expires_at: number };

type BrakeRow = { id: string; failures: number; last_failure_at: number };

export type ProfileRow = {
  id: string;
  account: string;
  name: string;
  /** Lower case by JavaScript, because the databases fold case differently. */
  name_folded: string;
  is_default: number;
  settings: string;
  user_rules: number;
  access_rules: number;
  created_at: number;
};

export type DeviceRow = {
  id: string;
  account: string;
  profile: string;
  name: string;
  name_folded: string;
  type: string;
  tags: string;
  protection_enabled: number;
  paused_until: number | null;
  doh_auth_only: number;
  doh_password: string;
  human_id: string | null;
  linked_ip: string | null;
  pending_ip: string | null;
  link_token: string;
  ddns_name: string | null;
  address_suffix: string | null;
  created_at: number;
};

export type DedicatedAddressRow = { ip: string; account: string; device: string | null; allocated_at: number };

export type CustomListRow = { id: string; account: string; name: string; source: string; created_at: number };

export type ClientNetworkRow = { network: string; account: string; profile: string };

export type LocalRecordRow = {
  id: string;
  account: string;
  profile: string | null;
  name: string;
  type: string;
  value: string;
  ttl: number | null;
};

export type ForwardRuleRow = {
  id: string;
  account: string;
  profile: string | null;
  domain: string;
  upstreams: string;
  strategy: string | null;
};

export type DeviceIdentifierRow = { value: string; kind: string; account: string; device: string };
export type NetworkClientRow = {
  id: string;
  account: string;
  mac: string | null;
  addresses: string;
  names: string;
  profile: string | null;
  device: string | null;
  first_seen: number;
  last_seen: number;
  queries: number;
  hours: string;
};

export type StoredReplyRow = {
  id: string;
  account: string;
  request: string;
  body: string | null;
  created_at: number;
};

export type AuditRow = {
  id: string;
  account: string;
  at: number;
  actor: string;
  origin: string | null;
  action: string;
  subject: string | null;
  before: string | null;
  after: string | null;
};

type ChangeRow = {
  revision: number;
  account: string | null;
  at: number;
};

export type Tables = {
  accounts: AccountRow;
  users: UserRow;
  memberships: MembershipRow;
  passkeys: PasskeyRow;
  api_keys: KeyRow;
  token_families: FamilyRow;
  access_tokens: AccessTokenRow;
  replaced_refresh_tokens: ReplacedRefreshTokenRow;
  operators: OperatorRow;
  invitations: InvitationRow;
  tickets: TicketRow;
  brakes: BrakeRow;
  short_ids: { id: string };
  profiles: ProfileRow;
  devices: DeviceRow;
  dedicated_addresses: DedicatedAddressRow;
  custom_lists: CustomListRow;
  client_networks: ClientNetworkRow;
  local_records: LocalRecordRow;
  forward_rules: ForwardRuleRow;
  device_identifiers: DeviceIdentifierRow;
  network_clients: NetworkClientRow;
  stored_replies: StoredReplyRow;
  nodes: NodeRow;
  received_batches: { id: string; stored_at: number };
  shared_secrets: { name: string; value: string; period: number };
  shared_lists: SharedListRow;
  audit: AuditRow;
  changes: ChangeRow;
};

/** Tables that a backup does not have: revisions are those of the database, and lists are downloaded again. */
export const tablesNotInBackups = ['changes', 'shared_lists'] as const satisfies readonly (keyof Tables)[];

/** The tables of a backup, in order of references: filled in this order, emptied in reverse. The value is the key column. */
export const keyOfTable = {
  accounts: 'id',
  users: 'id',
  memberships: 'id',
  passkeys: 'id',
  api_keys: 'id',
  token_families: 'id',
  access_tokens: 'hash',
  replaced_refresh_tokens: 'hash',
  operators: 'setting',
  invitations: 'id',
  tickets: 'hash',
  brakes: 'id',
  short_ids: 'id',
  profiles: 'id',
  devices: 'id',
  dedicated_addresses: 'ip',
  custom_lists: 'id',
  client_networks: 'network',
  local_records: 'id',
  forward_rules: 'id',
  device_identifiers: 'value',
  network_clients: 'id',
  stored_replies: 'id',
  nodes: 'id',
  received_batches: 'id',
  shared_secrets: 'name',
  audit: 'id',
} as const satisfies { readonly [T in Exclude<keyof Tables, (typeof tablesNotInBackups)[number]>]: keyof Tables[T] };

export const tableNames = Object.keys(keyOfTable) as (keyof typeof keyOfTable)[];

/** Tables whose rows are deleted with the account. */
export const tablesOfAccount = [
  'users',
  'memberships',
  'api_keys',
  'token_families',
  'access_tokens',
  'replaced_refresh_tokens',
  'invitations',
  'profiles',
  'devices',
  'dedicated_addresses',
  'custom_lists',
  'client_networks',
  'local_records',
  'forward_rules',
  'device_identifiers',
  'network_clients',
  'stored_replies',
  'audit',
] as const satisfies readonly (keyof Tables)[];
