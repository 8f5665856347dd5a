// Made by scripts/generate.ts from the OpenAPI document; do not edit.

/** Token request. */
export type AccessTokenCredentials = {
  /** `password`, `refresh_token` or `authorization_code`. If absent, it is derived from the other fields. */
  grant_type?: string;
  /** E-mail address. */
  username?: string;
  /** Password. */
  password?: string;
  /** Two-factor code or recovery code; required if two-factor authentication is enabled. */
  mfa_token?: string;
  /** Account to sign in to, if the user belongs to several. Default: the first one. */
  account_id?: string;
  /** Refresh token. */
  refresh_token?: string;
  /** `true`: each use of the refresh token replaces it; reuse of a replaced token ends the session. */
  rotate_refresh_token?: string;
  /** Authorization code. */
  code?: string;
  /** Client id that the code was issued to. */
  client_id?: string;
  /** Redirect URI that the code was sent to. */
  redirect_uri?: string;
  /** PKCE code verifier. */
  code_verifier?: string;
};

/** Tokens. */
export type AccessTokenResponse = {
  access_token?: string;
  /** Lifetime of the access token in seconds. */
  expires_in: number;
  /** Refresh token; expires after 90 days without use. Differs from the one sent if it rotates. */
  refresh_token?: string;
  /** `bearer`. */
  token_type?: string;
};

export type ErrorCodes = 'BAD_REQUEST' | 'FIELD_REQUIRED' | 'FIELD_WRONG_VALUE' | 'FIELD_REACHED_LIMIT' | 'UNKNOWN';

/** An invalid field. */
export type FieldError = {
  error_code: ErrorCodes;
  /** Path of the field, for example `user_rules_settings.rules[3]`. */
  field: string;
  message?: string;
};

/** Error response. */
export type ErrorResponse = {
  error_code: ErrorCodes;
  fields: FieldError[];
  message?: string;
  /** Token requests only: the error code of OAuth 2.0 (RFC 6749 section 5.2). */
  error?: string;
  /** Token requests only: the reason as text. */
  error_description?: string;
};

/** Authentication error. */
export type AccessTokenErrorResponse = {
  error?: string;
  /** `2fa_required` if the two-factor code is missing. */
  error_code?: string;
  error_description?: string;
};

/** Authorization request. */
export type AuthorizationCreate = {
  /** Client id registered by the operator. */
  client_id: string;
  /** A redirect URI registered for the client. */
  redirect_uri: string;
  /** `code`, or `token` for legacy clients. */
  response_type: string;
  /** Returned unchanged in the redirect. */
  state?: string;
  /** PKCE challenge (S256); required with `code`. */
  code_challenge?: string;
  /** Only `S256`. */
  code_challenge_method?: string;
};

/** Redirect target. */
export type Authorization = {
  location: string;
};

/** A limit and its current usage. */
export type Limit = {
  /** 2147483647 means unlimited. */
  limit: number;
  used: number;
};

/** Account limits. */
export type AccountLimits = {
  access_rules: Limit;
  dedicated_ipv4: Limit;
  devices: Limit;
  dns_servers: Limit;
  requests: Limit;
  user_rules: Limit;
};

/** The account with its plan and settings. */
export type Account = {
  id: string;
  /** Milliseconds since 1970. */
  created_millis: number;
  plan: string;
  /** For example `Europe/Berlin`. Applies to schedules and monthly limits. */
  time_zone: string;
  log_retention_days: number;
  /** Whether queries are logged. Statistics are also disabled without it. */
  log_enabled: boolean;
  limits: AccountLimits;
};

/** Account update. */
export type AccountUpdate = {
  /** For example `Europe/Berlin`. Applies to schedules and monthly limits. */
  time_zone?: string;
  log_retention_days?: number;
  /** Whether queries are logged. Statistics are also disabled without it. */
  log_enabled?: boolean;
};

/** One change. */
export type AuditEntry = {
  id: string;
  /** Milliseconds since 1970. */
  time_millis: number;
  /** E-mail address, `key` followed by the key name, or `operator`. */
  by: string;
  /** IP address of the client. */
  from?: string;
  /** For example `device.create`. */
  action: string;
  /** Id of the changed resource. */
  subject?: string;
  before?: unknown;
  after?: unknown;
};

/** An adjacent page. */
export type NavigationPage = {
  page_cursor: string;
  page_number: number;
};

/** The previous and next page, if present. */
export type Navigation = {
  next?: NavigationPage;
  prev?: NavigationPage;
};

/** Audit log entries, newest first. */
export type AuditPage = {
  items: AuditEntry[];
  /** The same as `navigation.next.page_cursor`. */
  next_cursor?: string;
  navigation: Navigation;
};

export type ConnectDeviceType = 'WINDOWS' | 'ANDROID' | 'MAC' | 'IOS' | 'LINUX' | 'ROUTER' | 'SMART_TV' | 'GAME_CONSOLE' | 'UNKNOWN';

export type IpType = 'V4' | 'V6';

/** An IP address and its family. */
export type IpAddress = {
  ip_address: string;
  type: IpType;
};

/** DNS server addresses that identify this device. */
export type DNSAddresses = {
  adguard_dns_over_https_url: string;
  adguard_dns_over_https_with_auth_url?: string;
  adguard_dns_over_quic_url: string;
  adguard_dns_over_tls_url: string;
  adguard_vpn_dns_over_https_url: string;
  adguard_vpn_dns_over_https_with_auth_url?: string;
  adguard_vpn_dns_over_quic_url: string;
  adguard_vpn_dns_over_tls_url: string;
  dns_over_https_url: string;
  /** Contains the password of the device. Absent for viewers. */
  dns_over_https_with_auth_url?: string;
  dns_over_quic_url: string;
  dns_over_tls_url: string;
  /** Plain DNS addresses. */
  ip_addresses?: IpAddress[];
};

/** Device settings. */
export type DeviceSettings = {
  /** The device is identified only by DNS over HTTPS with its password. */
  detect_doh_auth_only: boolean;
  protection_enabled: boolean;
};

/** A device. */
export type Device = {
  device_type: ConnectDeviceType;
  dns_addresses: DNSAddresses;
  dns_server_id: string;
  id: string;
  name: string;
  settings: DeviceSettings;
};

/** A new device. */
export type DeviceCreate = {
  device_type: ConnectDeviceType;
  dns_server_id: string;
  name: string;
};

/** Device update. */
export type DeviceUpdate = {
  device_type?: ConnectDeviceType;
  dns_server_id?: string;
  name?: string;
};

/** Device settings update. */
export type DeviceSettingsUpdate = {
  detect_doh_auth_only?: boolean;
  protection_enabled?: boolean;
};

/** A page of devices, newest first. */
export type DevicesResponse = {
  items: Device[];
  navigation: Navigation;
};

/** A dedicated IPv4 address. */
export type DedicatedIPv4Address = {
  /** Absent if the address is not linked to a device. */
  device_id?: string;
  ip: string;
};

/** The dedicated addresses of a device. */
export type DedicatedIps = {
  ipv4: string[];
  ipv4_limit: Limit;
  ipv6: string[];
};

/** Dedicated IPv4 address to link. */
export type LinkDedicatedIPv4 = {
  ip: string;
};

/** The address that identifies a device over plain DNS. */
export type LinkedAddress = {
  /** Auto-link URL: a request to it links the address of the client. Treat it as a secret. Absent for viewers. */
  link_url?: string;
  /** The linked address; absent if no address is linked. */
  ip?: string;
  /** An address that takes effect when it is verified; absent if no address is pending. */
  pending_ip?: string;
  /** Domain name that verifies `pending_ip`: query it (class CHAOS, type TXT) over TCP or TLS from that address. Present with `pending_ip` and `ddns`. */
  proof_name?: string;
  /** DDNS name; its address is looked up every five minutes. */
  ddns?: string;
};

/** An IP address or a DDNS name. */
export type LinkedAddressUpdate = {
  ip?: string;
  ddns?: string;
};

/** A network and the DNS server for its clients. */
export type ClientNetwork = {
  /** In CIDR form, as `192.168.1.0/24`, or one address. */
  network: string;
  dns_server_id: string;
};

export type AssignableNetworks = 'none' | 'private' | 'any';

/** An address on which this server answers plain DNS. */
export type DNSListenAddress = {
  address: string;
  port: number;
};

/** DNS servers for clients that match no device, by network. */
export type ClientNetworks = {
  networks: ClientNetwork[];
  /** The private networks, as `192.168.0.0/16`. */
  private_networks: string[];
  assignable: AssignableNetworks;
  dns_addresses: DNSListenAddress[];
};

/** Replaces all networks of the account. */
export type ClientNetworksUpdate = {
  networks: ClientNetwork[];
};

export type LocalRecordType = 'A' | 'AAAA' | 'CNAME' | 'PTR' | 'TXT' | 'SRV';

/** A DNS record that is answered to the clients of the account. */
export type LocalRecord = {
  id: string;
  /** Domain name; `*.example.org` matches all names below. For PTR also an IP address. */
  name: string;
  type: LocalRecordType;
  /** An address, a name, text, or for SRV `priority weight port target`. */
  value: string;
  /** Seconds; default: 60. */
  ttl?: number;
  /** Absent: all DNS servers of the account. */
  dns_server_id?: string;
};

/** A local record to store. */
export type LocalRecordInput = {
  /** Domain name; `*.example.org` matches all names below. For PTR also an IP address. */
  name: string;
  type: LocalRecordType;
  /** An address, a name, text, or for SRV `priority weight port target`. */
  value: string;
  /** Seconds; default: 60. */
  ttl?: number;
  /** Absent: all DNS servers of the account. */
  dns_server_id?: string;
};

/** A hosts file to import as local records. */
export type HostsImport = {
  /** Lines of an address and its names, as in /etc/hosts. */
  hosts: string;
  /** Absent: all DNS servers of the account. */
  dns_server_id?: string;
};

/** A line that was not imported. */
export type HostsLineError = {
  line: number;
  message: string;
};

/** Result of an import. */
export type HostsImportResult = {
  /** Number of new records. */
  added: number;
  /** Number of records that existed already. */
  unchanged: number;
  errors: HostsLineError[];
};

/** `fastest`: mostly the fastest upstream gets the query. `parallel`: all get it, the first answer is used. `ordered`: the first one gets it, the next one if it does not answer. Absent: the setting of the operator. */
export type UpstreamStrategy = 'fastest' | 'parallel' | 'ordered';

/** Upstreams for a domain. */
export type ForwardRule = {
  id: string;
  /** The domain and all names below it; or a network such as `192.168.1.0/24` for its reverse zone. */
  domain: string;
  /** For example `192.168.1.1` or `tls://dns.example`; at most eight. */
  upstreams: string[];
  strategy?: UpstreamStrategy;
  /** Absent: all DNS servers of the account. */
  dns_server_id?: string;
};

/** The forwarding rules of the account. */
export type ForwardRules = {
  forward_rules: ForwardRule[];
  /** Whether the caller may forward to private addresses. */
  may_be_private: boolean;
};

/** A forwarding rule to store. */
export type ForwardRuleInput = {
  /** The domain and all names below it; or a network such as `192.168.1.0/24` for its reverse zone. */
  domain: string;
  /** For example `192.168.1.1` or `tls://dns.example`; at most eight. */
  upstreams: string[];
  strategy?: UpstreamStrategy;
  /** Absent: all DNS servers of the account. */
  dns_server_id?: string;
};

/** NAT64 prefix for names without IPv6 addresses (RFC 6147). */
export type DNS64Settings = {
  /** Default: `64:ff9b::/96`. */
  prefix?: string;
};

/** A public domain whose names have private addresses by design. */
export type RebindingPreset = {
  domain: string;
  description: string;
};

/** Settings of a DNS server for local names. */
export type LocalNameSettings = {
  dns64?: DNS64Settings;
  /** Domains whose names may have private addresses. */
  rebinding_allowed: string[];
  /** Appended to names with one label, in this order, for local records and forwarded domains. */
  search_domains: string[];
  rebinding_presets: RebindingPreset[];
};

/** Omit `dns64` to disable it. */
export type LocalNameSettingsUpdate = {
  dns64?: DNS64Settings;
  /** Domains whose names may have private addresses. */
  rebinding_allowed: string[];
  /** Appended to names with one label, in this order, for local records and forwarded domains. */
  search_domains: string[];
};

/** A property that identifies a device without an id. */
export type ClientIdentifier = {
  kind: 'mac' | 'address' | 'network' | 'host name';
  /** A MAC address, an IP address, a network as `192.168.1.0/24`, or a host name in which `*` matches any characters, as `iphone-*`. */
  value: string;
};

/** Identifiers and tags of a device. */
export type DeviceIdentifiers = {
  identifiers: ClientIdentifier[];
  /** For `$ctag` rules, as `user_child`, besides the tags of the device type. */
  tags: string[];
  /** Tags that follow from the device type. */
  type_tags: string[];
  /** All names of tags. */
  available_tags: string[];
  assignable: AssignableNetworks;
};

/** Replaces the identifiers and tags of a device. */
export type DeviceIdentifiersUpdate = {
  identifiers: ClientIdentifier[];
  /** For `$ctag` rules, as `user_child`, besides the tags of the device type. */
  tags: string[];
};

export type NetworkClientDiscovery = 'on' | 'off' | 'unavailable';

export type NetworkClientNameSource = 'device' | 'lease' | 'hosts' | 'ptr' | 'mdns';

/** A client of a private network. */
export type NetworkClient = {
  id: string;
  /** The name of the device, otherwise a host name. */
  name?: string;
  name_source?: NetworkClientNameSource;
  host_names: string[];
  mac?: string;
  /** The MAC address was chosen by the client, which may use another one later. */
  is_private_mac: boolean;
  /** The vendor of the network interface, by its MAC address. */
  vendor?: string;
  /** The most recently used first. */
  addresses: string[];
  first_seen_millis: number;
  last_seen_millis: number;
  /** Since the client was first seen. */
  queries: number;
  /** In the last 24 hours. */
  queries_last_day: number;
  /** The device whose settings apply to the client. */
  device_id?: string;
  /** The DNS server that answered last. */
  dns_server_id?: string;
};

/** Clients of private networks, the most recently seen first. */
export type NetworkClients = {
  discovery: NetworkClientDiscovery;
  items: NetworkClient[];
};

/** Queries of a network client. */
export type NetworkClientStats = {
  /** Missing if no network client has the address. */
  client_id?: string;
  /** The name of the network client. */
  name?: string;
  /** The addresses of these queries, the most frequent first. */
  addresses: string[];
  queries: number;
  blocked: number;
  last_activity_time_millis: number;
};

/** Queries of network clients. */
export type NetworkClientStatsList = {
  stats: NetworkClientStats[];
};

export type NetworkClientIdentifier = 'mac' | 'address';

/** Makes a network client a device. */
export type NetworkClientAdoption = {
  device_type: ConnectDeviceType;
  dns_server_id: string;
  name: string;
  identify_by: NetworkClientIdentifier;
};

/** Access settings: allowed and blocked clients, blocked domains. */
export type DNSServerAccessSettings = {
  /** IP addresses, networks or autonomous systems (`AS15169`). */
  allowed_clients: string[];
  block_known_scanners: boolean;
  blocked_clients: string[];
  blocked_domain_rules: string[];
  enabled: boolean;
};

export type BlockingMode = 'NONE' | 'NULL_IP' | 'REFUSED' | 'NXDOMAIN' | 'CUSTOM_IP';

/** Response to blocked queries. */
export type BlockingModeSettings = {
  blocking_mode: BlockingMode;
  /** Response to A queries with `CUSTOM_IP`. */
  ipv4_blocking_address?: string;
  /** Response to AAAA queries with `CUSTOM_IP`. */
  ipv6_blocking_address?: string;
};

/** An enabled filter list. */
export type FilterListItem = {
  enabled: boolean;
  filter_id: string;
};

/** Filter list settings. */
export type FilterListsSettings = {
  enabled: boolean;
  filter_list: FilterListItem[];
};

/** A blocked kind of content. */
export type BlockedFilteringCategory = {
  enabled: boolean;
  id: string;
};

/** A blocked web service. */
export type BlockedWebService = {
  enabled: boolean;
  id: string;
};

export type DayOfWeek = 'MONDAY' | 'TUESDAY' | 'WEDNESDAY' | 'THURSDAY' | 'FRIDAY' | 'SATURDAY' | 'SUNDAY';

/** A time of day. */
export type ScheduleTime = {
  hours: number;
  minutes: number;
};

/** One day of a schedule; the end minute is included. */
export type ScheduleDay = {
  day_of_week: DayOfWeek;
  enabled: boolean;
  from_time: ScheduleTime;
  to_time: ScheduleTime;
};

/** Weekly schedule; parental control is paused while it is active. */
export type ScheduleWeek = {
  daily_schedule: ScheduleDay[];
};

/** Parental control. */
export type ParentalControlSettings = {
  block_adult_websites_enabled: boolean;
  blocked_filtering_categories: BlockedFilteringCategory[];
  blocked_services: BlockedWebService[];
  enabled: boolean;
  engines_safe_search_enabled: boolean;
  screen_time_schedule: ScheduleWeek;
  youtube_safe_search_enabled: boolean;
};

/** Security settings. */
export type SafebrowsingSettings = {
  block_dangerous_domains: boolean;
  /** Block domains registered within the last 30 days. */
  block_nrd: boolean;
  enabled: boolean;
  blocking_mode_settings: BlockingModeSettings;
  /** Block misspellings of well-known domains. */
  typosquatting_protection_enabled: boolean;
  /** Block internationalized domains that look like well-known ones. */
  homoglyph_protection_enabled: boolean;
};

/** User rules of the DNS server. */
export type UserRulesSettings = {
  enabled: boolean;
  rules: string[];
  rules_count: number;
};

/** DNS server settings. */
export type DNSServerSettings = {
  access_settings: DNSServerAccessSettings;
  auto_connect_devices_enabled: boolean;
  block_chrome_prefetch: boolean;
  block_firefox_canary: boolean;
  block_private_relay: boolean;
  block_ttl_seconds: number;
  blocking_mode_settings: BlockingModeSettings;
  filter_lists_settings: FilterListsSettings;
  ip_log_enabled: boolean;
  parental_control_settings: ParentalControlSettings;
  protection_enabled: boolean;
  safebrowsing_settings: SafebrowsingSettings;
  user_rules_settings: UserRulesSettings;
};

/** A DNS server: the filtering settings of its devices. */
export type DNSServer = {
  /** Every account has one default DNS server, which cannot be deleted. */
  default: boolean;
  device_ids: string[];
  devices_count: number;
  id: string;
  name: string;
  settings: DNSServerSettings;
};

/** Access settings update. */
export type DNSServerAccessSettingsUpdate = {
  allowed_clients?: string[];
  block_known_scanners?: boolean;
  blocked_clients?: string[];
  blocked_domain_rules?: string[];
  enabled?: boolean;
};

/** Blocking mode update. */
export type BlockingModeSettingsUpdate = {
  blocking_mode: BlockingMode;
  /** Response to A queries with `CUSTOM_IP`. */
  ipv4_blocking_address?: string;
  /** Response to AAAA queries with `CUSTOM_IP`. */
  ipv6_blocking_address?: string;
};

/** A filter list to enable or disable. */
export type FilterListItemUpdate = {
  enabled?: boolean;
  filter_id: string;
};

/** Filter list settings update; the given lists replace the current ones. */
export type FilterListsSettingsUpdate = {
  enabled?: boolean;
  filter_list?: FilterListItemUpdate[];
};

/** A kind of content to block or unblock. */
export type BlockedFilteringCategoryUpdate = {
  enabled?: boolean;
  id: string;
};

/** A web service to block or unblock. */
export type BlockedWebServiceUpdate = {
  enabled?: boolean;
  id: string;
};

/** Update of one day. */
export type ScheduleDayUpdate = {
  day_of_week: DayOfWeek;
  enabled?: boolean;
  from_time?: ScheduleTime;
  to_time?: ScheduleTime;
};

/** Schedule update; days that are not given stay unchanged. */
export type ScheduleWeekUpdate = {
  daily_schedule: ScheduleDayUpdate[];
};

/** Settings update. */
export type ParentalControlSettingsUpdate = {
  block_adult_websites_enabled?: boolean;
  /** Ids of `GET /oapi/v1/parental_control_categories`. */
  blocked_filtering_categories?: BlockedFilteringCategoryUpdate[];
  blocked_services?: BlockedWebServiceUpdate[];
  enabled?: boolean;
  engines_safe_search_enabled?: boolean;
  screen_time_schedule?: ScheduleWeekUpdate;
  youtube_safe_search_enabled?: boolean;
};

/** Settings update. */
export type SafebrowsingSettingsUpdate = {
  block_dangerous_domains?: boolean;
  block_nrd?: boolean;
  enabled?: boolean;
  blocking_mode_settings?: BlockingModeSettingsUpdate;
  typosquatting_protection_enabled?: boolean;
  homoglyph_protection_enabled?: boolean;
};

/** The given rules replace all user rules. */
export type UserRulesSettingsUpdate = {
  enabled?: boolean;
  rules?: string[];
};

/** DNS server settings update. Fields that are not given stay unchanged; arrays are replaced as a whole. */
export type DNSServerSettingsUpdate = {
  access_settings?: DNSServerAccessSettingsUpdate;
  auto_connect_devices_enabled?: boolean;
  block_chrome_prefetch?: boolean;
  block_firefox_canary?: boolean;
  block_private_relay?: boolean;
  block_ttl_seconds?: number;
  blocking_mode_settings?: BlockingModeSettingsUpdate;
  filter_lists_settings?: FilterListsSettingsUpdate;
  ip_log_enabled?: boolean;
  parental_control_settings?: ParentalControlSettingsUpdate;
  protection_enabled?: boolean;
  safebrowsing_settings?: SafebrowsingSettingsUpdate;
  user_rules_settings?: UserRulesSettingsUpdate;
};

/** DNS server to create. */
export type DNSServerCreate = {
  name: string;
  settings?: DNSServerSettingsUpdate;
};

/** DNS server update. */
export type DNSServerUpdate = {
  name?: string;
};

/** A page of DNS servers, newest first. */
export type DnsServersResponse = {
  items: DNSServer[];
  navigation: Navigation;
};

/** A rule to add. */
export type RuleEntry = {
  /** One line in the syntax of user rules, for example `||example.org^`. */
  rule: string;
};

/** The rules after the change. */
export type RuleCount = {
  /** Number of rules. */
  count: number;
  /** Why the new rule has no effect in DNS filtering; absent if it has one. */
  ignored_reason?: string;
};

/** A client to add. */
export type ClientEntry = {
  /** An IP address, a network or an autonomous system (`AS15169`). */
  client: string;
};

/** The list after the change. */
export type EntryCount = {
  /** Number of its entries. */
  count: number;
};

/** A filter list of the catalogue to add or change. */
export type FilterListEntry = {
  filter_id: string;
  /** Default: a new entry is enabled, an existing one unchanged. */
  enabled?: boolean;
};

/** A web service to block. */
export type BlockedServiceEntry = {
  /** Id of the web service. */
  id: string;
  /** Default: a new entry is enabled, an existing one unchanged. */
  enabled?: boolean;
};

/** A temporary rule. */
export type TemporaryRule = {
  id: string;
  rule: string;
  time_ends: string;
  seconds_left: number;
};

/** Temporary rule to create. */
export type TemporaryRuleCreate = {
  /** Rule in the syntax of user rules, for example `||example.org^$important`. */
  rule: string;
  /** Duration in minutes, from 1 to 10080 (one week). */
  minutes: number;
};

/** Upstreams of a DNS server. */
export type DNSServerUpstreams = {
  /** For example `9.9.9.9`, `tls://dns.example` or `https://dns.example/dns-query`. Empty: the upstreams of the operator. */
  upstreams: string[];
  strategy?: UpstreamStrategy;
};

/** A custom list that a DNS server uses. */
export type ChosenCustomList = {
  id: string;
  enabled: boolean;
};

/** The custom lists of a DNS server. */
export type ChosenCustomLists = {
  custom_lists: ChosenCustomList[];
};

/** The given lists replace the current ones. */
export type ChosenCustomListsUpdate = {
  custom_lists: {
    id: string;
    enabled?: boolean;
  }[];
};

/** A client that presents no device id; `device_id` must be absent. */
export type ExplainClient = {
  /** Source address of its queries. */
  address?: string;
  /** MAC address that a forwarder adds to its queries. */
  mac?: string;
  /** Host name, in addition to the known ones. */
  host_name?: string;
};

/** Query to explain and the device that would send it. */
export type ExplainQuestion = {
  /** Domain name, for example `www.example.org`. */
  name: string;
  /** Record type, for example `AAAA`. Default: `A`. */
  type?: string;
  /** Id of a device of this DNS server. */
  device_id?: string;
  /** IP address of the client, for `$client` rules; by default the linked address of the device. */
  client_address?: string;
  client?: ExplainClient;
  /** Names (CNAME targets) and addresses in the answer, in their order. */
  answer?: string[];
};

/** A local record or a forwarding rule that applies to the name. */
export type ExplainLocalName = {
  /** `alias`: a CNAME record whose target is resolved. `loop`: CNAME records that lead to each other. */
  kind: 'record' | 'alias' | 'loop' | 'forward';
  /** Name of the record, or domain of the rule. */
  name: string;
  /** The name with a search domain. */
  searched_name?: string;
  /** Records: name, type and data. */
  answer: string[];
  upstreams: string[];
};

/** A property that matched the client. */
export type ExplainClientMatch = {
  /** For example `mac`, `address`, `host name`, `network` or `assigned network`. */
  kind: string;
  value: string;
  /** Absent for the network of a DNS server. */
  device_id?: string;
};

/** The device that the client is recognised as. */
export type ExplainIdentifiedClient = {
  device_id?: string;
  /** Absent if the client is not a client of this account. */
  dns_server_id?: string;
  identified_by?: ExplainClientMatch;
  /** Other matches, in order of precedence. */
  less_specific: ExplainClientMatch[];
};

/** Decision for the query. */
export type ExplainVerdict = {
  kind: 'pass' | 'allow' | 'block' | 'rewrite';
  /** Filter source, for example `user rules`. */
  source?: string;
  /** Filter list id; `custom` for user rules. */
  list?: string;
  /** Text of the rule in the list. */
  rule?: string;
  /** Domain name, response code or record data. */
  rewritten_to?: string[];
};

/** How the target of a CNAME is answered. */
export type ExplainTarget = {
  /** The last target, if targets lead to others. */
  name: string;
  /** `record`: by a local record. `rewritten`, `code`, `blocked`: by a rule. `loop`: the targets lead to each other. `forward`: by the servers of a forwarding rule. `resolve`: by the upstreams of the DNS server. */
  kind: 'record' | 'rewritten' | 'code' | 'blocked' | 'loop' | 'malformed' | 'forward' | 'resolve';
  /** Records: name, type and data; for `code` the response code. */
  answer: string[];
  upstreams: string[];
};

/** A list whose rules filter answers. */
export type ExplainAnswerList = {
  /** Filter source, for example `user rules`. */
  source: string;
  /** Filter list id; `custom` for user rules. */
  list: string;
  /** Whether the list may have rules for addresses; other rules apply to names in the answer only. */
  may_have_address_rules: boolean;
};

/** A `$respgeo` rule for the queried name. */
export type ExplainLocationRule = {
  /** Filter source, for example `user rules`. */
  source: string;
  /** Filter list id; `custom` for user rules. */
  list: string;
  /** Text of the rule in the list. */
  rule: string;
};

/** A matching rule and its outcome. */
export type ExplainRule = {
  /** Filter source, for example `user rules`. */
  source: string;
  /** Filter list id; `custom` for user rules. */
  list: string;
  /** Text of the rule in the list. */
  rule: string;
  /** For example `won`, `lost to a stronger rule` or `does not apply`. */
  outcome: string;
  /** Explanation of the outcome. */
  why: string;
};

/** A name or an address in the answer, and its decision. */
export type ExplainAnswerPart = {
  value: string;
  verdict: ExplainVerdict;
  rules: ExplainRule[];
};

/** How the answer of an upstream is filtered. */
export type ExplainAnswer = {
  /** Whether rules filter the answer. */
  filtered: boolean;
  /** The same in a sentence. */
  why: string;
  filtered_by: ExplainAnswerList[];
  location_rules: ExplainLocationRule[];
  verdict: ExplainVerdict;
  /** Decisions on the names and addresses in the request. */
  parts: ExplainAnswerPart[];
};

/** Explanation of the decision for a query. */
export type Explanation = {
  /** Settings that apply now: all, all except parental control, or none (`paused` for a limited time, or `off`). */
  filtering: 'full' | 'parental paused' | 'paused' | 'off';
  /** Local records and forwarding rules that apply to the name, in the order in which they are tried. */
  local_names: ExplainLocalName[];
  /** Prefix of DNS64, which applies if the name has IPv4 addresses only. Only for type AAAA. */
  dns64?: string;
  client?: ExplainIdentifiedClient;
  verdict: ExplainVerdict;
  target?: ExplainTarget;
  answer: ExplainAnswer;
  /** Matching rules in order of precedence. */
  rules: ExplainRule[];
  /** Number of wildcard and regular expression rules that were skipped because the step limit of a decision was reached. */
  skipped_rules: number;
  /** Enabled filter lists that are not loaded yet. */
  missing_lists: string[];
};

/** `protected`: all enabled filters are active. `partly`: some are not. `paused`: nothing is filtered until `paused_until`. `off`: nothing is filtered. `unknown`: see the reasons. */
export type ProtectionState = 'protected' | 'partly' | 'paused' | 'off' | 'unknown';

export type ProtectionReasonCode = 'device_off' | 'dns_server_off' | 'device_paused' | 'dns_server_paused' | 'nothing_enabled' | 'nothing_loaded' | 'lists_not_loaded' | 'parental_paused' | 'upstreams_down' | 'not_seen' | 'resolver_unavailable';

/** Why something is not protected. */
export type ProtectionReason = {
  code: ProtectionReasonCode;
  /** In English. */
  text: string;
  /** Ids of the lists that are not loaded. */
  lists?: string[];
  /** Ids of the DNS servers that it applies to. Only in the state of the account, and absent if it applies to all of them. */
  dns_servers?: string[];
};

/** Protection of the clients of a DNS server. */
export type DNSServerProtection = {
  dns_server_id: string;
  state: ProtectionState;
  paused_until?: string;
  reasons: ProtectionReason[];
};

/** Protection of the account, and of each DNS server. */
export type Protection = {
  state: ProtectionState;
  paused_until?: string;
  reasons: ProtectionReason[];
  dns_servers: DNSServerProtection[];
};

/** Protection of a device. */
export type DeviceProtection = {
  device_id: string;
  dns_server_id: string;
  state: ProtectionState;
  paused_until?: string;
  reasons: ProtectionReason[];
};

/** Midnight in the account's time zone. */
export type ProtectionPauseEnd = 'tomorrow';

/** Pause of a device, a DNS server or, without both, of all DNS servers. It has either `minutes` or `until`. */
export type ProtectionPause = {
  /** Only this device. */
  device_id?: string;
  /** Only this DNS server and its devices. */
  dns_server_id?: string;
  /** Duration in minutes, from 1 to 10080 (one week). */
  minutes?: number;
  until?: ProtectionPauseEnd;
};

/** End of the pause. */
export type ProtectionPaused = {
  paused_until: string;
};

/** Ends the pause of a device, of a DNS server or, without both, all pauses. */
export type ProtectionResume = {
  /** Only this device. */
  device_id?: string;
  /** Only this DNS server and its devices. */
  dns_server_id?: string;
};

export type AccountAlertCode = 'list_failed' | 'list_held_back' | 'list_stale' | 'upstream_down' | 'certificate_expires' | 'certificate_expired' | 'new_device' | 'new_network_client';

/** A problem or an event that needs the attention of a member. */
export type AccountAlert = {
  code: AccountAlertCode;
  /** Id of the list, device or client, address of the upstream, or domain of the certificate. */
  subject: string;
  /** Name of the list, device or client. */
  name?: string;
  /** Start of the problem, or time of the expiry. */
  time: string;
};

export type RuleSetting = 'user_rules' | 'blocked_domain_rules';

export type RuleProblemKind = 'invalid' | 'ignored';

/** A stored rule without effect. */
export type RuleProblem = {
  setting: RuleSetting;
  /** Position in the array of the setting, from 0. */
  index: number;
  rule: string;
  kind: RuleProblemKind;
  reason: string;
  /** First column of the part that is wrong, in UTF-16 units from 0. */
  start: number;
  /** Column after the part that is wrong. */
  end: number;
};

/** Rules of a DNS server that have no effect. */
export type RuleProblems = {
  total: number;
  /** The first 1,000 of them. */
  items: RuleProblem[];
};

/** Rules skipped since the program started. */
export type SkippedRules = {
  /** Number of decisions with skipped rules. A query can take several decisions. */
  decisions: number;
  /** Total number of skipped rules. */
  rules: number;
  /** Time of the last skipped rule. */
  time_last?: string;
};

/** A company in the query log. */
export type Company = {
  id: string;
  name: string;
};

export type FilterListCategoryType = 'GENERAL' | 'SECURITY' | 'REGIONAL' | 'OTHER';

/** Purpose of a filter list. */
export type FilterListCategory = {
  category: FilterListCategoryType;
  description: string;
  value?: string;
};

/** A filter list of the catalogue. */
export type FilterList = {
  categories: FilterListCategory[];
  description: string;
  download_url: string;
  filter_id: string;
  homepage_url: string;
  name: string;
  rules_count: number;
  source_url: string;
  tags: string[];
  time_updated: string;
};

/** A kind of content that parental control can block. */
export type ParentalControlFilteringCategory = {
  id: string;
};

/** A web service that can be blocked. */
export type WebService = {
  icon_svg: string;
  id: string;
  name: string;
};

/** A download in progress. */
export type ListDownload = {
  /** Bytes received so far, before decompression, for all sources of the list. */
  received_bytes: number;
  /** Absent if a server does not send the size. */
  total_bytes?: number;
};

/** Status of a filter list. */
export type ListHealth = {
  filter_id: string;
  /** Whether the list is loaded and applied. Lists that no DNS server uses are not downloaded. */
  is_in_use: boolean;
  /** Whether the built-in list is used in its place, because it was never downloaded. */
  is_built_in: boolean;
  /** Absent before the first download, like the other counts. */
  rules_count?: number;
  /** Valid rules that do not apply to DNS. */
  ignored_count?: number;
  /** Invalid lines. */
  invalid_count?: number;
  /** Rules that the last update has added; absent before the first update. */
  added_count?: number;
  /** Rules that the last update has removed; absent before the first update. */
  removed_count?: number;
  /** Time when this version was downloaded. */
  time_updated?: string;
  /** Time when the source last confirmed that this version is current. */
  time_checked?: string;
  /** Error message; absent without an error. */
  problem?: string;
  /** Since when. */
  problem_since?: string;
  /** Whether the source has a version with less than half of the rules. It is not used until it is accepted, or has been available for a day. */
  is_held_back: boolean;
  download?: ListDownload;
};

/** Rules that the last update of a filter list has changed. */
export type ListChanges = {
  /** Time when this version was downloaded. */
  time_updated: string;
  added_count: number;
  removed_count: number;
  /** The first 50 added rules, in the order of the list. */
  added: string[];
  /** The first 50 removed rules, in the order of the list. */
  removed: string[];
};

/** Domains that a filter list shares with others. */
export type ListOverlap = {
  /** Id of the filter list or custom list. */
  id: string;
  /** Domains with a rule without modifiers. */
  domains_count: number;
  /** Number of these domains that no other enabled list of the DNS server has. */
  unique_count: number;
};

export type SafetySetting = 'block_dangerous_domains' | 'block_adult_websites_enabled' | 'block_nrd' | 'typosquatting_protection_enabled' | 'homoglyph_protection_enabled';

export type SafetyListState = 'no_list' | 'unused' | 'loading' | 'failed' | 'ready';

/** Status of the lists behind a switch of a DNS server. */
export type SafetyList = {
  setting: SafetySetting;
  state: SafetyListState;
  /** Rules of the loaded lists. */
  rules_count: number;
  /** Why a list could not be loaded or updated. */
  problem?: string;
};

/** A custom filter list of the account and its status. */
export type CustomList = {
  /** Also the list id in the query log. */
  id: string;
  name: string;
  /** URL of the list. */
  url?: string;
  /** Content of the list, one rule per line. */
  rules?: string;
  /** Compiler configuration, as read by `weir compile`. */
  configuration?: Record<never, never>;
  time_created: string;
  /** Whether the list is loaded and applied. */
  is_in_use: boolean;
  /** Absent before the first download, like the other counts. */
  rules_count?: number;
  /** Valid rules that do not apply to DNS. */
  ignored_count?: number;
  /** Invalid lines. */
  invalid_count?: number;
  /** Rules that the last update has added; absent before the first update. */
  added_count?: number;
  /** Rules that the last update has removed; absent before the first update. */
  removed_count?: number;
  /** Time when this version was downloaded. */
  time_updated?: string;
  /** Time when the source last confirmed that this version is current. */
  time_checked?: string;
  /** Error message; absent without an error. */
  problem?: string;
  /** Whether the source has a version with less than half of the rules. It is not used until it is accepted, or has been available for a day. */
  is_held_back: boolean;
  download?: ListDownload;
};

/** At most one of `url`, `rules` and `configuration` defines the content. */
export type CustomListWish = {
  /** Required for a new list. */
  name?: string;
  /** URL of the list. */
  url?: string;
  /** Content of the list, one rule per line. */
  rules?: string;
  /** Compiler configuration, as read by `weir compile`. */
  configuration?: Record<never, never>;
};

export type FilteringActionStatus = 'UNKNOWN' | 'NONE' | 'REQUEST_BLOCKED' | 'RESPONSE_BLOCKED' | 'REQUEST_ALLOWED' | 'RESPONSE_ALLOWED' | 'MODIFIED';

export type CategoryType = 'ADS' | 'TRACKERS' | 'SOCIAL_MEDIA' | 'CDN' | 'OTHERS';

export type DnsProtoType = 'DOH' | 'DOQ' | 'DOT' | 'DNSCRYPT' | 'DNSCRYPT_TCP' | 'DNSCRYPT_UDP' | 'DNS' | 'PLAIN_TCP' | 'PLAIN_UDP';

export type DnsProtoResponseType = 'RcodeSuccess' | 'RcodeFormatError' | 'RcodeServerFailure' | 'RcodeNameError' | 'RcodeNotImplemented' | 'RcodeRefused' | 'RcodeYXDomain' | 'RcodeYXRrset' | 'RcodeNXRrset' | 'RcodeNotAuth' | 'RcodeNotZone' | 'RcodeBadSig' | 'RcodeBadVers' | 'RcodeBadKey' | 'RcodeBadTime' | 'RcodeBadMode' | 'RcodeBadName' | 'RcodeBadAlg' | 'RcodeBadTrunc' | 'RcodeBadCookie';

export type FilteringActionSource = 'FILTERS' | 'USER_FILTER' | 'SAFEBROWSING' | 'PARENTAL_SAFE_SEARCH' | 'PARENTAL_YOUTUBE' | 'PARENTAL_ADULT' | 'PARENTAL_BLOCKED_SERVICE' | 'PARENTAL_SCHEDULE' | 'NEWLY_REGISTERED_DOMAINS' | 'TYPOSQUATTING' | 'HOMOGLYPH' | 'PARENTAL_FILTERING_CATEGORY';

/** Filtering result and the rule that decided. */
export type FilteringInfo = {
  blocked_service_id?: string;
  filter_id?: string;
  filter_rule?: string;
  filtering_category_id?: string;
  filtering_status?: FilteringActionStatus;
  filtering_type?: FilteringActionSource;
};

/** One query. */
export type QueryLogItem = {
  asn?: number;
  category_type: CategoryType;
  /** The address of a client in a private network, or the network (/24, /56) of another. Only where the DNS server logs client addresses. */
  client_address?: string;
  client_country?: string;
  company_id: string;
  /** Empty if the query was not sent by a device. */
  device_id: string;
  dns_proto_type?: DnsProtoType;
  /** For example `TypeA`. */
  dns_request_type?: string;
  dns_response_type?: DnsProtoResponseType;
  dns_server_id: string;
  dnssec: boolean;
  domain: string;
  filtering_info: FilteringInfo;
  /** Milliseconds from receipt to answer; 0 for most answers from the cache. Rounded to two significant digits above 100. Missing in entries of earlier versions. */
  latency_millis?: number;
  network?: string;
  response_country?: string;
  time_iso: string;
  time_millis: number;
};

/** A page of the result. */
export type Page = {
  /** Whether this is the current page. */
  current: boolean;
  /** Pass it as `cursor` with the same other parameters to get the page. */
  page_cursor: string;
  page_number: number;
};

/** A page of the query log, newest first. */
export type QueryLogResponse = {
  items: QueryLogItem[];
  pages: Page[];
};

/** The last query of a device. */
export type LastQuery = {
  /** Empty if the query was not sent by a device. */
  device_id: string;
  time_millis: number;
  dns_proto_type?: DnsProtoType;
  /** The address of a client in a private network, or the network (/24, /56) of another. Only where the DNS server logs client addresses. */
  client_address?: string;
};

/** Statistics of a filtering category. */
export type BlockedParentalCategoryQueriesStats = {
  blocked: number;
  category: string;
};

/** The rows. */
export type BlockedParentalCategoryQueriesStatsList = {
  stats: BlockedParentalCategoryQueriesStats[];
};

/** Statistics of a category. */
export type CategoryQueriesStats = {
  category_type: CategoryType;
  queries: number;
};

/** The rows. */
export type CategoryQueriesStatsList = {
  stats: CategoryQueriesStats[];
};

/** Counts. */
export type QueriesStats = {
  blocked: number;
  /** Number of distinct values. */
  companies: number;
  queries: number;
};

/** Statistics of a company. */
export type CompanyQueriesStats = {
  company_name: string;
  value: QueriesStats;
};

/** A page of rows, sorted by queries. */
export type CompanyQueriesStatsList = {
  navigation: Navigation;
  stats: CompanyQueriesStats[];
};

/** Statistics of a company and its domains. */
export type CompanyDetailedQueriesStats = {
  company_name: string;
  domains_count: number;
  top_blocked_domain?: string;
  top_queries_domain: string;
  value: QueriesStats;
};

/** A page of company statistics. */
export type CompanyDetailedQueriesStatsList = {
  navigation: Navigation;
  pages: Page[];
  stats: CompanyDetailedQueriesStats[];
};

/** Statistics of a country. */
export type CountryQueriesStats = {
  country: string;
  value: QueriesStats;
};

/** A page of rows, sorted by queries. */
export type CountryQueriesStatsList = {
  navigation: Navigation;
  stats: CountryQueriesStats[];
};

/** Statistics of a device. */
export type DeviceQueriesStats = {
  device_id: string;
  last_activity_time_millis?: number;
  value: QueriesStats;
};

/** A page of rows, sorted by queries. */
export type DeviceQueriesStatsList = {
  navigation: Navigation;
  stats: DeviceQueriesStats[];
};

/** Statistics of a domain. */
export type DomainQueriesStats = {
  domain: string;
  value: QueriesStats;
};

/** A page of rows, sorted by queries. */
export type DomainQueriesStatsList = {
  navigation: Navigation;
  stats: DomainQueriesStats[];
};

/** Statistics of a time interval. */
export type TimeQueriesStats = {
  /** Start of the interval. */
  time_millis: number;
  value: QueriesStats;
};

/** The rows. */
export type TimeQueriesStatsList = {
  stats: TimeQueriesStats[];
};

/** Queries blocked by a list. */
export type ListStats = {
  /** A list of the catalogue, a custom list, or a list of the service. */
  filter_id: string;
  blocked: number;
};

/** The rows. */
export type ListStatsList = {
  stats: ListStats[];
};

/** Latency in a time interval. */
export type LatencyStats = {
  /** Start of the interval. */
  time_millis: number;
  /** Queries with a known latency. */
  queries: number;
  /** Average milliseconds from receipt to answer; missing if there were no such queries. */
  average_millis?: number;
};

/** The intervals. */
export type LatencyStatsList = {
  stats: LatencyStats[];
};

/** Active devices in a time interval. */
export type ActiveDevices = {
  /** Start of the interval. */
  time_millis: number;
  /** Devices with at least one query. */
  devices: number;
};

/** The intervals. */
export type ActiveDevicesList = {
  stats: ActiveDevices[];
};

/** Setup status, and what the sign-in page offers. */
export type SetUpState = {
  is_done: boolean;
  /** Days without use after which a browser that stays signed in is signed out; 0: not offered. */
  session_keep_days: number;
};

/** First account and its owner. */
export type SetUp = {
  /** Setup token from the log of the first start. */
  token: string;
  email: string;
  password: string;
  /** For example `Europe/Berlin`. Default: UTC. */
  time_zone?: string;
};

export type Role = 'owner' | 'admin' | 'viewer';

/** A member of the account and the current session. */
export type SignedInMember = {
  id: string;
  email: string;
  role: Role;
  second_factor_enabled: boolean;
  /** Milliseconds since 1970. */
  created_millis: number;
  /** Idle timeout of a cookie session in minutes. */
  session_idle_minutes?: number;
};

/** Tokens of a session. */
export type Session = {
  /** Absent if it was set as a cookie. */
  access_token?: string;
  /** Absent if the access token was set as a cookie. */
  refresh_token?: string;
  /** Lifetime of the access token in seconds. */
  expires_in: number;
  member: SignedInMember;
};

/** Content of a backup. */
export type BackupSummary = {
  /** Milliseconds since 1970. */
  created_millis: number;
  accounts: number;
  devices: number;
};

export type SessionKind = 'page' | 'own program' | 'client';

/** A session. */
export type OpenSession = {
  id: string;
  kind: SessionKind;
  /** Name of the third-party app. */
  client?: string;
  /** Browser or program of the sign-in, for example `Firefox 130`. */
  program?: string;
  /** Operating system of the sign-in, for example `Windows`. */
  system?: string;
  /** Client address of the sign-in; of an IPv6 address only the /64 network. */
  address?: string;
  /** Milliseconds since 1970. */
  created_millis: number;
  /** Milliseconds since 1970. */
  last_used_millis: number;
  /** Absent if the session does not expire. */
  expires_millis?: number;
  /** Whether the user chose to stay signed in. */
  is_persistent: boolean;
  /** Whether this is the session of the request. */
  is_current: boolean;
};

/** New e-mail address, current password, and a code if two-factor authentication is enabled. */
export type EmailUpdate = {
  email: string;
  current_password: string;
  /** Two-factor code or recovery code; required if two-factor authentication is enabled. */
  code?: string;
};

/** A member of the account. */
export type Member = {
  id: string;
  email: string;
  role: Role;
  second_factor_enabled: boolean;
  /** Milliseconds since 1970. */
  created_millis: number;
};

/** An account that the user belongs to. */
export type AccountChoice = {
  id: string;
  /** E-mail address of the owner who has been a member for the longest time. */
  owner_email: string;
  role: Role;
  /** Whether this request is for this account. */
  current: boolean;
};

/** The account to switch to. */
export type AccountSwitch = {
  account_id: string;
};

/** Credentials. */
export type SessionCreate = {
  email: string;
  password: string;
  /** Two-factor code or recovery code; required if two-factor authentication is enabled. */
  code?: string;
  /** Account to sign in to, if the user belongs to several. */
  account_id?: string;
  /** For browsers (session in a cookie): the session ends only after `session-keep-days` days without use, or when the password is changed. */
  keep_signed_in?: boolean;
  /** Each use of the refresh token replaces it; reuse of a replaced token ends the session. */
  rotate_refresh_token?: boolean;
};

/** Current and new password. */
export type PasswordUpdate = {
  current_password: string;
  new_password: string;
};

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn, valid once and for five minutes. */
export type PasskeyRequestOptions = {
  challenge: string;
  rpId: string;
  timeout: number;
  userVerification: 'required';
};

export type PasskeyType = 'public-key';

/** `AuthenticationResponseJSON` of WebAuthn. */
export type AuthenticationCredential = {
  id: string;
  rawId: string;
  type: PasskeyType;
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string;
  };
};

/** Response of an authenticator. */
export type PasskeySession = {
  credential: AuthenticationCredential;
  /** Account to sign in to, if the user belongs to several. */
  account_id?: string;
  /** As for a sign-in with a password. */
  keep_signed_in?: boolean;
};

/** Password, and a code if two-factor authentication is enabled. */
export type PasswordProof = {
  password: string;
  /** Two-factor code or recovery code; required if two-factor authentication is enabled. */
  code?: string;
};

/** Secret for an authenticator app, as URI and as text. */
export type SecondFactor = {
  secret: string;
  uri: string;
};

/** Current code of the authenticator app. */
export type SecondFactorCode = {
  code: string;
};

/** Recovery codes; each can be used once instead of a two-factor code. Returned only in this response. */
export type RecoveryCodes = {
  recovery_codes: string[];
};

/** A passkey of the current user. */
export type Passkey = {
  id: string;
  name: string;
  /** Host name of the web interface at which the passkey works. */
  host: string;
  /** Milliseconds since 1970. */
  created_millis: number;
  /** Absent if it was never used. */
  last_used_millis?: number;
};

/** A registered credential. */
export type PasskeyDescriptor = {
  type: 'public-key';
  id: string;
  transports: string[];
};

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn, valid once and for five minutes. */
export type PasskeyCreationOptions = {
  challenge: string;
  rp: {
    id: string;
    name: string;
  };
  user: {
    id: string;
    name: string;
    displayName: string;
  };
  pubKeyCredParams: {
    type: 'public-key';
    alg: number;
  }[];
  timeout: number;
  excludeCredentials: PasskeyDescriptor[];
  authenticatorSelection: {
    residentKey: 'required';
    requireResidentKey: boolean;
    userVerification: 'required';
  };
  attestation: 'none';
};

/** `RegistrationResponseJSON` of WebAuthn. */
export type RegistrationCredential = {
  id: string;
  rawId: string;
  type: PasskeyType;
  response: {
    clientDataJSON: string;
    attestationObject: string;
    transports?: string[];
  };
};

/** Name and response of the authenticator. */
export type PasskeyCreate = {
  name: string;
  credential: RegistrationCredential;
};

/** New name. */
export type PasskeyUpdate = {
  name: string;
};

/** Member update. */
export type MemberUpdate = {
  role: Role;
};

/** An invitation to become a member. */
export type Invitation = {
  id: string;
  email: string;
  role: Role;
  invited_by: string;
  /** Milliseconds since 1970. */
  created_millis: number;
  /** Milliseconds since 1970. */
  expires_millis: number;
};

/** E-mail address and role of the invited user. */
export type InvitationCreate = {
  email: string;
  role: Role;
};

/** An invitation and its token. The token is returned only in this response. */
export type NewInvitation = {
  id: string;
  email: string;
  role: Role;
  invited_by: string;
  /** Milliseconds since 1970. */
  created_millis: number;
  /** Milliseconds since 1970. */
  expires_millis: number;
  token: string;
};

/** Token of the invitation and password of the new member. */
export type InvitationAccept = {
  token: string;
  /** A new password. For an e-mail address that has signed in before: its password. */
  password: string;
  /** Two-factor code or recovery code of a user who has one. */
  code?: string;
};

/** An API key without its secret. */
export type ApiKey = {
  id: string;
  name: string;
  /** First characters of the key. */
  hint: string;
  /** E-mail address of the owner; the key has the role of this member. */
  member_id: string;
  /** Milliseconds since 1970. */
  created_millis: number;
  /** Milliseconds since 1970. */
  last_used_millis?: number;
};

/** Name of the key. */
export type ApiKeyCreate = {
  name: string;
};

/** An API key. The secret is returned only in this response. */
export type NewApiKey = {
  id: string;
  name: string;
  /** First characters of the key. */
  hint: string;
  /** E-mail address of the owner; the key has the role of this member. */
  member_id: string;
  /** Milliseconds since 1970. */
  created_millis: number;
  /** Milliseconds since 1970. */
  last_used_millis?: number;
  api_key: string;
};

/** The check for a newer version; absent without the setting `update-url`. */
export type SystemUpdate = {
  /** The newer version; absent if none is known. */
  version?: string;
  /** Time of the last check. */
  time_checked?: string;
  /** Why the last check failed. */
  problem?: string;
};

/** A listener. */
export type SystemListener = {
  /** `http`, `dns`, `dot` or `doh`. */
  name: string;
  host: string;
  port: number;
};

/** An upstream. */
export type SystemUpstream = {
  upstream: string;
  /** False while the upstream is suspended after failures. */
  is_in: boolean;
  problem?: string;
  /** Smoothed response time; absent before the first query. */
  latency_ms?: number;
  asked: number;
  answered: number;
  failed: number;
};

/** A filter list of the operator or the catalogue that is in use. */
export type SystemList = {
  filter_id: string;
  is_in_use: boolean;
  rules_count: number;
  /** Time when this version was downloaded. */
  time_updated?: string;
  problem?: string;
  /** Whether the source has a version with less than half of the rules. It is not used until it is accepted, or has been available for a day. */
  is_held_back: boolean;
};

/** The OCSP response that is stapled to handshakes with a certificate. */
export type SystemOcsp = {
  /** `missing`: no valid response was received; `revoked`: the authority has revoked the certificate. */
  status: 'stapled' | 'missing' | 'revoked';
  /** Whether clients may refuse the certificate without a response. */
  is_required: boolean;
  /** Expiry of the response. */
  time_ends?: string;
  /** Time of the next request to the responder. */
  time_next_attempt?: string;
  /** Why the last request failed. */
  problem?: string;
};

/** A certificate of DNS over TLS and HTTPS that is in use. */
export type SystemCertificate = {
  domains: string[];
  /** Organisation and name of the authority. */
  issuer: string;
  /** `ECDSA`, `RSA` or `Ed25519`. */
  key_type: string;
  /** Start of the validity. */
  time_starts: string;
  /** Expiry. */
  time_ends: string;
  /** True for the test certificate, which clients do not trust. */
  is_self_signed: boolean;
  ocsp?: SystemOcsp;
};

/** The resolver. */
export type SystemDns = {
  /** False while DNS uses the last known settings because the store is unavailable. */
  are_settings_current: boolean;
  accounts: number;
  devices: number;
  upstreams: SystemUpstream[];
  lists: SystemList[];
  /** Number of custom lists in use, without details. */
  custom_lists: number;
  cache_entries: number;
  cache_bytes: number;
  /** Plain DNS packets by outcome. */
  udp: Record<string, number>;
  /** Expiry of the certificate of DNS over TLS and HTTPS that expires first. */
  time_certificate_ends?: string;
  certificates: SystemCertificate[];
};

/** The failure of the last request. */
export type SystemAcmeError = {
  /** Time of the failure. */
  time: string;
  /** The message of the authority. */
  text: string;
  /** The domain that could not be validated. */
  domain?: string;
  /** Id of the suggested remedy: `port80`, `port443`, `address`, `delegate`, `network`, … */
  remedy?: string;
  /** The suggested remedy as a text. */
  advice?: string;
  /** DNS records that the remedy needs. */
  records?: string[];
};

/** The certificate that is requested from a certificate authority with ACME. */
export type SystemAcme = {
  domains: string[];
  /** URL of the directory of the authority. */
  directory: string;
  /** `http-01`, `tls-alpn-01` or `dns-01`. */
  challenge: string;
  /** Whether the authority has issued a certificate for these domains. */
  has_certificate: boolean;
  /** Time of the last request. */
  time_last_attempt?: string;
  /** Time of the next request: the renewal, or the next attempt after a failure. */
  time_next_attempt: string;
  last_error?: SystemAcmeError;
};

/** Query log ingestion. */
export type SystemRecords = {
  written: number;
  stored: number;
  waiting: number;
  lag_ms: number;
  /** By reason. */
  dropped: Record<string, number>;
};

/** A backup file on the server. */
export type Backup = {
  /** Path of the file. */
  file: string;
  size_bytes: number;
  /** Time of the backup. */
  time_created: string;
};

/** System status. */
export type System = {
  version: string;
  update?: SystemUpdate;
  node_version: string;
  /** `sqlite` or `postgres`. */
  database: string;
  /** Start time of the program. */
  time_started: string;
  memory_bytes: number;
  listeners: SystemListener[];
  dns?: SystemDns;
  acme?: SystemAcme;
  records: SystemRecords;
  last_backup?: Backup;
};

/** The upstream to test. */
export type UpstreamTest = {
  /** In the form of the setting `upstream`. */
  upstream: string;
};

/** Result of a query through the upstream. */
export type UpstreamTestResult = {
  is_answered: boolean;
  /** Time until the answer, with the connection. */
  time_ms?: number;
  /** Why there was no answer. */
  problem?: string;
};

export type DoctorState = 'ok' | 'warning' | 'problem';

/** The result of one check of `weir doctor`. */
export type DoctorFinding = {
  check: string;
  state: DoctorState;
  text: string;
  /** How to correct it. */
  advice?: string;
};

export type SettingSource = 'flag' | 'environment' | 'file' | 'stored' | 'default';

/** A setting of the service, with the value in use. */
export type OperatorSetting = {
  /** As in the settings file. */
  name: string;
  section: string;
  help: string;
  /** Form of a value, for example `COUNT`. */
  placeholder: string;
  is_list: boolean;
  /** Possible values; empty if there are others. */
  choices: string[];
  /** Values in use, without passwords; empty if not set. */
  values: string[];
  source: SettingSource;
  /** The flag, variable or line that sets it. */
  place?: string;
  /** Whether a change takes effect without a restart. */
  is_live: boolean;
  /** Values after a restart, if they differ. */
  pending?: string[];
};

/** New values of a setting. */
export type OperatorSettingUpdate = {
  /** One value, or the members of a list. */
  values: string[];
};

/** The last report of the node. */
export type NodeStatus = {
  /** Milliseconds since 1970. */
  reported_millis: number;
  version: string;
  /** Revision of the newest settings change that the node has read. */
  revision: number;
  /** Time since the node was last up to date with all changes. */
  lag_millis: number;
  /** Address from which the node connects. */
  address: string;
};

/** A DNS node without its key. */
export type Node = {
  id: string;
  name: string;
  /** First characters of the key. */
  hint: string;
  /** Milliseconds since 1970. */
  created_millis: number;
  status?: NodeStatus;
};

/** Name of the node. */
export type NodeCreate = {
  name: string;
};

/** A DNS node. The key is returned only in this response. */
export type NewNode = {
  id: string;
  name: string;
  /** First characters of the key. */
  hint: string;
  /** Milliseconds since 1970. */
  created_millis: number;
  status?: NodeStatus;
  node_key: string;
};

/** Options and replies by method and path. */
export type Operations = {
  /** Get an access token */
  'POST /oapi/v1/oauth_token': {
    options: {
      body: AccessTokenCredentials;
    };
    reply: AccessTokenResponse;
  };
  /** Revoke a refresh token and its access tokens */
  'POST /oapi/v1/revoke_token': {
    options: {
      query?: {
        refresh_token?: string | undefined;
      };
      body?: {
        /** The refresh token. */
        refresh_token?: string;
        /** The refresh token (name of RFC 7009). */
        token?: string;
      };
    };
    reply: undefined;
  };
  /** Authorize a client (OAuth 2.0) */
  'GET /oapi/v1/oauth_authorize': {
    options: {
      query: {
        /** Client id registered by the operator. */
        client_id: string;
        /** A redirect URI registered for the client. */
        redirect_uri: string;
        /** `code`, or `token` for legacy clients. */
        response_type: string;
        /** Returned unchanged in the redirect. */
        state?: string | undefined;
        /** PKCE challenge (S256); required with `code`. */
        code_challenge?: string | undefined;
        /** Only `S256`. */
        code_challenge_method?: string | undefined;
        /** Ignored. */
        aid?: string | undefined;
        /** Ignored. */
        source?: string | undefined;
      };
    };
    reply: undefined;
  };
  /** Approve an authorization request */
  'POST /api/v1/authorizations': {
    options: {
      body: AuthorizationCreate;
      idempotencyKey?: string | undefined;
    };
    reply: Authorization;
  };
  /** Get account limits */
  'GET /oapi/v1/account/limits': {
    options: Record<never, never>;
    reply: AccountLimits;
  };
  /** Get the account with its plan and settings */
  'GET /api/v1/account': {
    options: Record<never, never>;
    reply: Account;
  };
  /** Update account settings */
  'PUT /api/v1/account': {
    options: {
      body: AccountUpdate;
    };
    reply: undefined;
  };
  /** List audit log entries */
  'GET /api/v1/audit': {
    options: {
      query?: {
        limit?: number | undefined;
        /** The `page_cursor` of a previous response. */
        cursor?: string | undefined;
      };
    };
    reply: AuditPage;
  };
  /** List devices */
  'GET /oapi/v1/devices': {
    options: Record<never, never>;
    reply: Device[];
  };
  /** Create a device */
  'POST /oapi/v1/devices': {
    options: {
      body: DeviceCreate;
      idempotencyKey?: string | undefined;
    };
    reply: Device;
  };
  /** Get a device */
  'GET /oapi/v1/devices/{device_id}': {
    options: {
      params: {
        /** Device id. */
        device_id: string;
      };
    };
    reply: Device;
  };
  /** Update a device */
  'PUT /oapi/v1/devices/{device_id}': {
    options: {
      params: {
        /** Device id. */
        device_id: string;
      };
      body: DeviceUpdate;
      ifMatch?: string | undefined;
    };
    reply: undefined;
  };
  /** Delete a device */
  'DELETE /oapi/v1/devices/{device_id}': {
    options: {
      params: {
        /** Device id. */
        device_id: string;
      };
      ifMatch?: string | undefined;
    };
    reply: undefined;
  };
  /** Restore a device that was deleted */
  'POST /api/v1/devices/{device_id}/restore': {
    options: {
      params: {
        /** Device id. */
        device_id: string;
      };
      idempotencyKey?: string | undefined;
    };
    reply: Device;
  };
  /** Get device settings */
  'GET /oapi/v1/devices/{device_id}/settings': {
    options: {
      params: {
        /** Device id. */
        device_id: string;
      };
    };
    reply: DeviceSettings;
  };
  /** Update device settings */
  'PUT /oapi/v1/devices/{device_id}/settings': {
    options: {
      params: {
        /** Device id. */
        device_id: string;
      };
      body: DeviceSettingsUpdate;
      ifMatch?: string | undefined;
    };
    reply: undefined;
  };
  /** Generate a new DNS-over-HTTPS password */
  'PUT /oapi/v1/devices/{device_id}/doh_password/reset': {
    options: {
      params: {
        /** Device id. */
        device_id: string;
      };
      ifMatch?: string | undefined;
    };
    reply: undefined;
  };
  /** List devices by page */
  'GET /oapi/v2/devices': {
    options: {
      query?: {
        /** The `page_cursor` of a previous response. */
        cursor?: string | undefined;
        limit?: number | undefined;
        /** Substring of the name or id. */
        search?: string | undefined;
        /** Filter by DNS server. */
        dns_servers?: string | readonly string[] | undefined;
        /** Filter by device. */
        devices?: string | readonly string[] | undefined;
      };
    };
    reply: DevicesResponse;
  };
  /** Get a DNS-over-HTTPS configuration profile for Apple devices */
  'GET /oapi/v1/devices/{device_id}/doh.mobileconfig': {
    options: {
      params: {
        /** Device id. */
        device_id: string;
      };
      query?: {
        /** Wi-Fi networks (SSIDs) on which the profile is inactive. */
        exclude_wifi_networks?: string | readonly string[] | undefined;
        /** Domains that are resolved by the resolver of the network. */
        exclude_domain?: string | readonly string[] | undefined;
      };
    };
    reply: Response;
  };
  /** Get a DNS-over-TLS configuration profile for Apple devices */
  'GET /oapi/v1/devices/{device_id}/dot.mobileconfig': {
    options: {
      params: {
        /** Device id. */
        device_id: string;
      };
      query?: {
        /** Wi-Fi networks (SSIDs) on which the profile is inactive. */
        exclude_wifi_networks?: string | readonly string[] | undefined;
        /** Domains that are resolved by the resolver of the network. */
        exclude_domain?: string | readonly string[] | undefined;
      };
    };
    reply: Response;
  };
  /** List dedicated IPv4 addresses */
  'GET /oapi/v1/dedicated_addresses/ipv4': {
    options: Record<never, never>;
    reply: DedicatedIPv4Address[];
  };
  /** Allocate a dedicated IPv4 address */
  'POST /oapi/v1/dedicated_addresses/ipv4': {
    options: {
      idempotencyKey?: string | undefined;
    };
    reply: DedicatedIPv4Address;
  };
  /** Release a dedicated IPv4 address */
  'DELETE /api/v1/dedicated_addresses/ipv4/{ip}': {
    options: {
      params: {
        /** The dedicated IPv4 address. */
        ip: string;
      };
    };
    reply: undefined;
  };
  /** List the dedicated addresses of a device */
  'GET /oapi/v1/devices/{device_id}/dedicated_addresses': {
    options: {
      params: {
        /** Device id. */
        device_id: string;
      };
    };
    reply: DedicatedIps;
  };
  /** Link a dedicated IPv4 address to a device */
  'POST /oapi/v1/devices/{device_id}/dedicated_addresses/ipv4': {
    options: {
      params: {
        /** Device id. */
        device_id: string;
      };
      body: LinkDedicatedIPv4;
      idempotencyKey?: string | undefined;
    };
    reply: undefined;
  };
  /** Unlink a dedicated IPv4 address from a device */
  'DELETE /oapi/v1/devices/{device_id}/dedicated_addresses/ipv4': {
    options: {
      params: {
        /** Device id. */
        device_id: string;
      };
      query: {
        /** The dedicated IPv4 address. */
        ip: string;
      };
    };
    reply: undefined;
  };
  /** Get the linked address of a device */
  'GET /api/v1/devices/{device_id}/linked_address': {
    options: {
      params: {
        /** Device id. */
        device_id: string;
      };
    };
    reply: LinkedAddress;
  };
  /** Link an IP address or a DDNS name */
  'PUT /api/v1/devices/{device_id}/linked_address': {
    options: {
      params: {
        /** Device id. */
        device_id: string;
      };
      body: LinkedAddressUpdate;
    };
    reply: LinkedAddress;
  };
  /** Unlink the address of a device */
  'DELETE /api/v1/devices/{device_id}/linked_address': {
    options: {
      params: {
        /** Device id. */
        device_id: string;
      };
    };
    reply: LinkedAddress;
  };
  /** List networks */
  'GET /api/v1/networks': {
    options: Record<never, never>;
    reply: ClientNetworks;
  };
  /** Replace networks */
  'PUT /api/v1/networks': {
    options: {
      body: ClientNetworksUpdate;
      ifMatch?: string | undefined;
    };
    reply: ClientNetworks;
  };
  /** List local records */
  'GET /api/v1/local_records': {
    options: {
      query?: {
        /** Items per page. Default: all items. */
        limit?: number | undefined;
        /** `Next-Cursor` of the previous response. */
        cursor?: string | undefined;
      };
    };
    reply: LocalRecord[];
  };
  /** Create a local record */
  'POST /api/v1/local_records': {
    options: {
      body: LocalRecordInput;
      idempotencyKey?: string | undefined;
    };
    reply: LocalRecord;
  };
  /** Replace a local record */
  'PUT /api/v1/local_records/{local_record_id}': {
    options: {
      params: {
        /** Local record id. */
        local_record_id: string;
      };
      body: LocalRecordInput;
    };
    reply: LocalRecord;
  };
  /** Delete a local record */
  'DELETE /api/v1/local_records/{local_record_id}': {
    options: {
      params: {
        /** Local record id. */
        local_record_id: string;
      };
    };
    reply: undefined;
  };
  /** Import a hosts file as local records */
  'POST /api/v1/local_records/import': {
    options: {
      body: HostsImport;
      idempotencyKey?: string | undefined;
    };
    reply: HostsImportResult;
  };
  /** List forwarding rules */
  'GET /api/v1/forward_rules': {
    options: {
      query?: {
        /** Items per page. Default: all items. */
        limit?: number | undefined;
        /** `Next-Cursor` of the previous response. */
        cursor?: string | undefined;
      };
    };
    reply: ForwardRules;
  };
  /** Create a forwarding rule */
  'POST /api/v1/forward_rules': {
    options: {
      body: ForwardRuleInput;
      idempotencyKey?: string | undefined;
    };
    reply: ForwardRule;
  };
  /** Replace a forwarding rule */
  'PUT /api/v1/forward_rules/{forward_rule_id}': {
    options: {
      params: {
        /** Forwarding rule id. */
        forward_rule_id: string;
      };
      body: ForwardRuleInput;
    };
    reply: ForwardRule;
  };
  /** Delete a forwarding rule */
  'DELETE /api/v1/forward_rules/{forward_rule_id}': {
    options: {
      params: {
        /** Forwarding rule id. */
        forward_rule_id: string;
      };
    };
    reply: undefined;
  };
  /** Get DNS64, search domains and allowed private answers of a DNS server */
  'GET /api/v1/dns_servers/{dns_server_id}/local_names': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
    };
    reply: LocalNameSettings;
  };
  /** Set DNS64, search domains and allowed private answers of a DNS server */
  'PUT /api/v1/dns_servers/{dns_server_id}/local_names': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      body: LocalNameSettingsUpdate;
      ifMatch?: string | undefined;
    };
    reply: LocalNameSettings;
  };
  /** Get the identifiers and tags of a device */
  'GET /api/v1/devices/{device_id}/identifiers': {
    options: {
      params: {
        /** Device id. */
        device_id: string;
      };
    };
    reply: DeviceIdentifiers;
  };
  /** Replace the identifiers and tags of a device */
  'PUT /api/v1/devices/{device_id}/identifiers': {
    options: {
      params: {
        /** Device id. */
        device_id: string;
      };
      body: DeviceIdentifiersUpdate;
      ifMatch?: string | undefined;
    };
    reply: DeviceIdentifiers;
  };
  /** List network clients */
  'GET /api/v1/network_clients': {
    options: {
      query?: {
        /** Items per page. Default: all items. */
        limit?: number | undefined;
        /** `Next-Cursor` of the previous response. */
        cursor?: string | undefined;
      };
    };
    reply: NetworkClients;
  };
  /** Get query statistics by network client */
  'GET /api/v1/network_clients/stats': {
    options: {
      query: {
        /** Start of the time range, in milliseconds since the Unix epoch. */
        time_from_millis: number;
        /** End of the time range (inclusive), in milliseconds since the Unix epoch. */
        time_to_millis: number;
        /** Filter by device. */
        devices?: string | readonly string[] | undefined;
        /** Filter by DNS server. */
        dns_servers?: string | readonly string[] | undefined;
        /** Filter by country of the response address. */
        countries?: string | readonly string[] | undefined;
      };
    };
    reply: NetworkClientStatsList;
  };
  /** Delete a network client */
  'DELETE /api/v1/network_clients/{client_id}': {
    options: {
      params: {
        /** Network client id. */
        client_id: string;
      };
    };
    reply: undefined;
  };
  /** Make a network client a device */
  'POST /api/v1/network_clients/{client_id}/adopt': {
    options: {
      params: {
        /** Network client id. */
        client_id: string;
      };
      body: NetworkClientAdoption;
      idempotencyKey?: string | undefined;
    };
    reply: NetworkClient;
  };
  /** List DNS servers */
  'GET /oapi/v1/dns_servers': {
    options: Record<never, never>;
    reply: DNSServer[];
  };
  /** Create a DNS server */
  'POST /oapi/v1/dns_servers': {
    options: {
      body: DNSServerCreate;
      idempotencyKey?: string | undefined;
    };
    reply: DNSServer;
  };
  /** Get a DNS server */
  'GET /oapi/v1/dns_servers/{dns_server_id}': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
    };
    reply: DNSServer;
  };
  /** Rename a DNS server */
  'PUT /oapi/v1/dns_servers/{dns_server_id}': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      body: DNSServerUpdate;
      ifMatch?: string | undefined;
    };
    reply: undefined;
  };
  /** Delete a DNS server */
  'DELETE /oapi/v1/dns_servers/{dns_server_id}': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      ifMatch?: string | undefined;
    };
    reply: undefined;
  };
  /** Get DNS server settings */
  'GET /oapi/v1/dns_servers/{dns_server_id}/settings': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
    };
    reply: DNSServerSettings;
  };
  /** Update DNS server settings */
  'PUT /oapi/v1/dns_servers/{dns_server_id}/settings': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      body: DNSServerSettingsUpdate;
      ifMatch?: string | undefined;
    };
    reply: undefined;
  };
  /** List DNS servers by page */
  'GET /oapi/v2/dns_servers': {
    options: {
      query?: {
        /** The `page_cursor` of a previous response. */
        cursor?: string | undefined;
        limit?: number | undefined;
        /** Substring of the name or id. */
        search?: string | undefined;
        /** Filter by DNS server. */
        dns_servers?: string | readonly string[] | undefined;
      };
    };
    reply: DnsServersResponse;
  };
  /** Restore a DNS server that was deleted */
  'POST /api/v1/dns_servers/{dns_server_id}/restore': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      idempotencyKey?: string | undefined;
    };
    reply: DNSServer;
  };
  /** Add one of the user rules */
  'POST /api/v1/dns_servers/{dns_server_id}/user_rules': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      body: RuleEntry;
      ifMatch?: string | undefined;
      idempotencyKey?: string | undefined;
    };
    reply: RuleCount;
  };
  /** Remove one of the user rules */
  'DELETE /api/v1/dns_servers/{dns_server_id}/user_rules': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      query: {
        /** The rule, as it was added. */
        rule: string;
      };
      ifMatch?: string | undefined;
    };
    reply: undefined;
  };
  /** Add one of the blocked domain rules */
  'POST /api/v1/dns_servers/{dns_server_id}/blocked_domain_rules': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      body: RuleEntry;
      ifMatch?: string | undefined;
      idempotencyKey?: string | undefined;
    };
    reply: RuleCount;
  };
  /** Remove one of the blocked domain rules */
  'DELETE /api/v1/dns_servers/{dns_server_id}/blocked_domain_rules': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      query: {
        /** The rule, as it was added. */
        rule: string;
      };
      ifMatch?: string | undefined;
    };
    reply: undefined;
  };
  /** Add one of the blocked clients */
  'POST /api/v1/dns_servers/{dns_server_id}/blocked_clients': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      body: ClientEntry;
      ifMatch?: string | undefined;
      idempotencyKey?: string | undefined;
    };
    reply: EntryCount;
  };
  /** Remove one of the blocked clients */
  'DELETE /api/v1/dns_servers/{dns_server_id}/blocked_clients': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      query: {
        /** An IP address, a network or an autonomous system (`AS15169`). */
        client: string;
      };
      ifMatch?: string | undefined;
    };
    reply: undefined;
  };
  /** Add one of the allowed clients */
  'POST /api/v1/dns_servers/{dns_server_id}/allowed_clients': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      body: ClientEntry;
      ifMatch?: string | undefined;
      idempotencyKey?: string | undefined;
    };
    reply: EntryCount;
  };
  /** Remove one of the allowed clients */
  'DELETE /api/v1/dns_servers/{dns_server_id}/allowed_clients': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      query: {
        /** An IP address, a network or an autonomous system (`AS15169`). */
        client: string;
      };
      ifMatch?: string | undefined;
    };
    reply: undefined;
  };
  /** Add one of the filter lists */
  'POST /api/v1/dns_servers/{dns_server_id}/filter_lists': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      body: FilterListEntry;
      ifMatch?: string | undefined;
      idempotencyKey?: string | undefined;
    };
    reply: EntryCount;
  };
  /** Remove one of the filter lists */
  'DELETE /api/v1/dns_servers/{dns_server_id}/filter_lists/{filter_id}': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
        /** Id of the filter list. */
        filter_id: string;
      };
      ifMatch?: string | undefined;
    };
    reply: undefined;
  };
  /** Add one of the blocked services */
  'POST /api/v1/dns_servers/{dns_server_id}/blocked_services': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      body: BlockedServiceEntry;
      ifMatch?: string | undefined;
      idempotencyKey?: string | undefined;
    };
    reply: EntryCount;
  };
  /** Remove one of the blocked services */
  'DELETE /api/v1/dns_servers/{dns_server_id}/blocked_services/{id}': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
        /** Id of the web service. */
        id: string;
      };
      ifMatch?: string | undefined;
    };
    reply: undefined;
  };
  /** List temporary rules */
  'GET /api/v1/dns_servers/{dns_server_id}/temporary_rules': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
    };
    reply: TemporaryRule[];
  };
  /** Create a temporary rule */
  'POST /api/v1/dns_servers/{dns_server_id}/temporary_rules': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      body: TemporaryRuleCreate;
      ifMatch?: string | undefined;
      idempotencyKey?: string | undefined;
    };
    reply: TemporaryRule;
  };
  /** Delete a temporary rule */
  'DELETE /api/v1/dns_servers/{dns_server_id}/temporary_rules/{temporary_rule_id}': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
        temporary_rule_id: string;
      };
      ifMatch?: string | undefined;
    };
    reply: undefined;
  };
  /** Get the upstreams of a DNS server */
  'GET /api/v1/dns_servers/{dns_server_id}/upstreams': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
    };
    reply: DNSServerUpstreams;
  };
  /** Set the upstreams of a DNS server */
  'PUT /api/v1/dns_servers/{dns_server_id}/upstreams': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      body: DNSServerUpstreams;
      ifMatch?: string | undefined;
    };
    reply: DNSServerUpstreams;
  };
  /** Get the custom lists of a DNS server */
  'GET /api/v1/dns_servers/{dns_server_id}/custom_lists': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
    };
    reply: ChosenCustomLists;
  };
  /** Set the custom lists of a DNS server */
  'PUT /api/v1/dns_servers/{dns_server_id}/custom_lists': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      body: ChosenCustomListsUpdate;
      ifMatch?: string | undefined;
    };
    reply: ChosenCustomLists;
  };
  /** Explain the decision for a query */
  'POST /api/v1/dns_servers/{dns_server_id}/explain': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
      body: ExplainQuestion;
    };
    reply: Explanation;
  };
  /** Get the protection state */
  'GET /api/v1/protection': {
    options: Record<never, never>;
    reply: Protection;
  };
  /** Get the protection state of devices */
  'GET /api/v1/protection/devices': {
    options: {
      query?: {
        /** Filter by device. */
        devices?: string | readonly string[] | undefined;
        /** Items per page. Default: all items. */
        limit?: number | undefined;
        /** `Next-Cursor` of the previous response. */
        cursor?: string | undefined;
      };
    };
    reply: DeviceProtection[];
  };
  /** Pause protection */
  'POST /api/v1/protection/pause': {
    options: {
      body: ProtectionPause;
      idempotencyKey?: string | undefined;
    };
    reply: ProtectionPaused;
  };
  /** End pauses of protection */
  'POST /api/v1/protection/resume': {
    options: {
      body: ProtectionResume;
      idempotencyKey?: string | undefined;
    };
    reply: undefined;
  };
  /** List alerts */
  'GET /api/v1/alerts': {
    options: Record<never, never>;
    reply: AccountAlert[];
  };
  /** List rules without effect */
  'GET /api/v1/dns_servers/{dns_server_id}/rule_problems': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
    };
    reply: RuleProblems;
  };
  /** Get the number of skipped rules */
  'GET /api/v1/dns_servers/{dns_server_id}/skipped_rules': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
    };
    reply: SkippedRules;
  };
  /** List companies */
  'GET /api/v1/companies': {
    options: Record<never, never>;
    reply: Company[];
  };
  /** List filter lists */
  'GET /oapi/v1/filter_lists': {
    options: Record<never, never>;
    reply: FilterList[];
  };
  /** List kinds of content that parental control can block */
  'GET /oapi/v1/parental_control_categories': {
    options: Record<never, never>;
    reply: ParentalControlFilteringCategory[];
  };
  /** List web services */
  'GET /oapi/v1/web_services': {
    options: Record<never, never>;
    reply: WebService[];
  };
  /** Get the status of filter lists */
  'GET /api/v1/filter_lists/health': {
    options: Record<never, never>;
    reply: ListHealth[];
  };
  /** Get the rules that the last update of a filter list has changed */
  'GET /api/v1/filter_lists/{filter_id}/changes': {
    options: {
      params: {
        /** Filter list id. */
        filter_id: string;
      };
    };
    reply: ListChanges;
  };
  /** Get the rules that the last update of a custom filter list has changed */
  'GET /api/v1/custom_lists/{custom_list_id}/changes': {
    options: {
      params: {
        /** Custom list id. */
        custom_list_id: string;
      };
    };
    reply: ListChanges;
  };
  /** Get the number of domains that only one list of a DNS server has */
  'GET /api/v1/dns_servers/{dns_server_id}/list_overlap': {
    options: {
      params: {
        /** DNS server id. */
        dns_server_id: string;
      };
    };
    reply: ListOverlap[];
  };
  /** Get the status of the lists behind safe browsing and the blocking of adult websites */
  'GET /api/v1/filter_lists/safety': {
    options: Record<never, never>;
    reply: SafetyList[];
  };
  /** List custom filter lists */
  'GET /api/v1/custom_lists': {
    options: {
      query?: {
        /** Items per page. Default: all items. */
        limit?: number | undefined;
        /** `Next-Cursor` of the previous response. */
        cursor?: string | undefined;
      };
    };
    reply: CustomList[];
  };
  /** Create a custom filter list */
  'POST /api/v1/custom_lists': {
    options: {
      body: CustomListWish;
      idempotencyKey?: string | undefined;
    };
    reply: CustomList;
  };
  /** Get a custom filter list */
  'GET /api/v1/custom_lists/{custom_list_id}': {
    options: {
      params: {
        /** Custom list id. */
        custom_list_id: string;
      };
    };
    reply: CustomList;
  };
  /** Update a custom filter list */
  'PUT /api/v1/custom_lists/{custom_list_id}': {
    options: {
      params: {
        /** Custom list id. */
        custom_list_id: string;
      };
      body: CustomListWish;
    };
    reply: CustomList;
  };
  /** Delete a custom filter list and remove it from all DNS servers */
  'DELETE /api/v1/custom_lists/{custom_list_id}': {
    options: {
      params: {
        /** Custom list id. */
        custom_list_id: string;
      };
    };
    reply: undefined;
  };
  /** Restore a custom filter list that was deleted */
  'POST /api/v1/custom_lists/{custom_list_id}/restore': {
    options: {
      params: {
        /** Custom list id. */
        custom_list_id: string;
      };
      idempotencyKey?: string | undefined;
    };
    reply: CustomList;
  };
  /** Refresh a custom filter list */
  'POST /api/v1/custom_lists/{custom_list_id}/refresh': {
    options: {
      params: {
        /** Custom list id. */
        custom_list_id: string;
      };
    };
    reply: CustomList;
  };
  /** Use the version of a custom filter list that is held back */
  'POST /api/v1/custom_lists/{custom_list_id}/accept': {
    options: {
      params: {
        /** Custom list id. */
        custom_list_id: string;
      };
      idempotencyKey?: string | undefined;
    };
    reply: CustomList;
  };
  /** Get the query log */
  'GET /oapi/v1/query_log': {
    options: {
      query: {
        /** Start of the time range, in milliseconds since the Unix epoch. */
        time_from_millis: number;
        /** End of the time range (inclusive), in milliseconds since the Unix epoch. */
        time_to_millis: number;
        /** Filter by device. */
        devices?: string | readonly string[] | undefined;
        /** Filter by DNS server. */
        dns_servers?: string | readonly string[] | undefined;
        /** Filter by country of the response address. */
        countries?: string | readonly string[] | undefined;
        /** Filter by company id. */
        companies?: string | readonly string[] | undefined;
        /** Filter by filtering result. */
        statuses?: FilteringActionStatus | readonly FilteringActionStatus[] | undefined;
        /** Filter by category. */
        categories?: CategoryType | readonly CategoryType[] | undefined;
        /** Filter by address or network of the client, as in `client_address` of the entries. */
        client_addresses?: string | readonly string[] | undefined;
        /** Filter by the list that decided, as in `filter_id` of the entries. */
        filter_ids?: string | readonly string[] | undefined;
        /** Substring of the domain; in double quotes, the whole domain. */
        search?: string | undefined;
        /** Entries per page. */
        limit?: number | undefined;
        /** The `page_cursor` of a previous response. */
        cursor?: string | undefined;
      };
    };
    reply: QueryLogResponse;
  };
  /** Clear the query log and statistics */
  'DELETE /oapi/v1/query_log': {
    options: Record<never, never>;
    reply: undefined;
  };
  /** Stream queries */
  'GET /api/v1/query_log/live': {
    options: {
      query?: {
        /** Filter by device. */
        devices?: string | readonly string[] | undefined;
        /** Filter by DNS server. */
        dns_servers?: string | readonly string[] | undefined;
        /** Filter by country of the response address. */
        countries?: string | readonly string[] | undefined;
        /** Filter by company id. */
        companies?: string | readonly string[] | undefined;
        /** Filter by filtering result. */
        statuses?: FilteringActionStatus | readonly FilteringActionStatus[] | undefined;
        /** Filter by category. */
        categories?: CategoryType | readonly CategoryType[] | undefined;
        /** Filter by address or network of the client, as in `client_address` of the entries. */
        client_addresses?: string | readonly string[] | undefined;
        /** Filter by the list that decided, as in `filter_id` of the entries. */
        filter_ids?: string | readonly string[] | undefined;
        /** Substring of the domain; in double quotes, the whole domain. */
        search?: string | undefined;
      };
    };
    reply: Response;
  };
  /** Get the last query of devices */
  'GET /api/v1/query_log/last': {
    options: {
      query: {
        /** Ids of devices. */
        devices: string | readonly string[];
      };
    };
    reply: LastQuery[];
  };
  /** Get blocked queries by filtering category of parental control */
  'GET /oapi/v1/stats/blocked_parental_categories': {
    options: {
      query: {
        /** Start of the time range, in milliseconds since the Unix epoch. */
        time_from_millis: number;
        /** End of the time range (inclusive), in milliseconds since the Unix epoch. */
        time_to_millis: number;
        /** Filter by device. */
        devices?: string | readonly string[] | undefined;
        /** Filter by DNS server. */
        dns_servers?: string | readonly string[] | undefined;
        /** Filter by country of the response address. */
        countries?: string | readonly string[] | undefined;
      };
    };
    reply: BlockedParentalCategoryQueriesStatsList;
  };
  /** Get query statistics by category */
  'GET /oapi/v1/stats/categories': {
    options: {
      query: {
        /** Start of the time range, in milliseconds since the Unix epoch. */
        time_from_millis: number;
        /** End of the time range (inclusive), in milliseconds since the Unix epoch. */
        time_to_millis: number;
        /** Filter by device. */
        devices?: string | readonly string[] | undefined;
        /** Filter by DNS server. */
        dns_servers?: string | readonly string[] | undefined;
        /** Filter by country of the response address. */
        countries?: string | readonly string[] | undefined;
      };
    };
    reply: CategoryQueriesStatsList;
  };
  /** Get query statistics by company */
  'GET /oapi/v1/stats/companies': {
    options: {
      query: {
        /** Start of the time range, in milliseconds since the Unix epoch. */
        time_from_millis: number;
        /** End of the time range (inclusive), in milliseconds since the Unix epoch. */
        time_to_millis: number;
        /** Filter by device. */
        devices?: string | readonly string[] | undefined;
        /** Filter by DNS server. */
        dns_servers?: string | readonly string[] | undefined;
        /** Filter by country of the response address. */
        countries?: string | readonly string[] | undefined;
        /** The `page_cursor` of a previous response. */
        cursor?: string | undefined;
        /** Rows per page. */
        limit?: number | undefined;
      };
    };
    reply: CompanyQueriesStatsList;
  };
  /** Get detailed query statistics by company */
  'GET /oapi/v1/stats/companies/detailed': {
    options: {
      query: {
        /** Start of the time range, in milliseconds since the Unix epoch. */
        time_from_millis: number;
        /** End of the time range (inclusive), in milliseconds since the Unix epoch. */
        time_to_millis: number;
        /** Filter by device. */
        devices?: string | readonly string[] | undefined;
        /** Filter by DNS server. */
        dns_servers?: string | readonly string[] | undefined;
        /** Filter by country of the response address. */
        countries?: string | readonly string[] | undefined;
        /** The `page_cursor` of a previous response. */
        cursor?: string | undefined;
        /** Rows per page. */
        limit?: number | undefined;
      };
    };
    reply: CompanyDetailedQueriesStatsList;
  };
  /** Get query statistics by country of the response address */
  'GET /oapi/v1/stats/countries': {
    options: {
      query: {
        /** Start of the time range, in milliseconds since the Unix epoch. */
        time_from_millis: number;
        /** End of the time range (inclusive), in milliseconds since the Unix epoch. */
        time_to_millis: number;
        /** Filter by device. */
        devices?: string | readonly string[] | undefined;
        /** Filter by DNS server. */
        dns_servers?: string | readonly string[] | undefined;
        /** Filter by country of the response address. */
        countries?: string | readonly string[] | undefined;
        /** The `page_cursor` of a previous response. */
        cursor?: string | undefined;
        /** Rows per page. */
        limit?: number | undefined;
      };
    };
    reply: CountryQueriesStatsList;
  };
  /** Get query statistics by device */
  'GET /oapi/v1/stats/devices': {
    options: {
      query: {
        /** Start of the time range, in milliseconds since the Unix epoch. */
        time_from_millis: number;
        /** End of the time range (inclusive), in milliseconds since the Unix epoch. */
        time_to_millis: number;
        /** Filter by device. */
        devices?: string | readonly string[] | undefined;
        /** Filter by DNS server. */
        dns_servers?: string | readonly string[] | undefined;
        /** Filter by country of the response address. */
        countries?: string | readonly string[] | undefined;
        /** The `page_cursor` of a previous response. */
        cursor?: string | undefined;
        /** Rows per page. */
        limit?: number | undefined;
      };
    };
    reply: DeviceQueriesStatsList;
  };
  /** Get query statistics by domain */
  'GET /oapi/v1/stats/domains': {
    options: {
      query: {
        /** Start of the time range, in milliseconds since the Unix epoch. */
        time_from_millis: number;
        /** End of the time range (inclusive), in milliseconds since the Unix epoch. */
        time_to_millis: number;
        /** Filter by device. */
        devices?: string | readonly string[] | undefined;
        /** Filter by DNS server. */
        dns_servers?: string | readonly string[] | undefined;
        /** Filter by country of the response address. */
        countries?: string | readonly string[] | undefined;
        /** The `page_cursor` of a previous response. */
        cursor?: string | undefined;
        /** Rows per page. */
        limit?: number | undefined;
      };
    };
    reply: DomainQueriesStatsList;
  };
  /** Get query statistics over time */
  'GET /oapi/v1/stats/time': {
    options: {
      query: {
        /** Start of the time range, in milliseconds since the Unix epoch. */
        time_from_millis: number;
        /** End of the time range (inclusive), in milliseconds since the Unix epoch. */
        time_to_millis: number;
        /** Filter by device. */
        devices?: string | readonly string[] | undefined;
        /** Filter by DNS server. */
        dns_servers?: string | readonly string[] | undefined;
        /** Filter by country of the response address. */
        countries?: string | readonly string[] | undefined;
      };
    };
    reply: TimeQueriesStatsList;
  };
  /** Get blocked queries by filter list */
  'GET /api/v1/stats/lists': {
    options: {
      query: {
        /** Start of the time range, in milliseconds since the Unix epoch. */
        time_from_millis: number;
        /** End of the time range (inclusive), in milliseconds since the Unix epoch. */
        time_to_millis: number;
        /** Filter by device. */
        devices?: string | readonly string[] | undefined;
        /** Filter by DNS server. */
        dns_servers?: string | readonly string[] | undefined;
        /** Filter by country of the response address. */
        countries?: string | readonly string[] | undefined;
      };
    };
    reply: ListStatsList;
  };
  /** Get the average latency over time */
  'GET /api/v1/stats/latency': {
    options: {
      query: {
        /** Start of the time range, in milliseconds since the Unix epoch. */
        time_from_millis: number;
        /** End of the time range (inclusive), in milliseconds since the Unix epoch. */
        time_to_millis: number;
        /** Filter by device. */
        devices?: string | readonly string[] | undefined;
        /** Filter by DNS server. */
        dns_servers?: string | readonly string[] | undefined;
        /** Filter by country of the response address. */
        countries?: string | readonly string[] | undefined;
      };
    };
    reply: LatencyStatsList;
  };
  /** Get the number of active devices over time */
  'GET /api/v1/stats/active_devices': {
    options: {
      query: {
        /** Start of the time range, in milliseconds since the Unix epoch. */
        time_from_millis: number;
        /** End of the time range (inclusive), in milliseconds since the Unix epoch. */
        time_to_millis: number;
        /** Filter by device. */
        devices?: string | readonly string[] | undefined;
        /** Filter by DNS server. */
        dns_servers?: string | readonly string[] | undefined;
        /** Filter by country of the response address. */
        countries?: string | readonly string[] | undefined;
      };
    };
    reply: ActiveDevicesList;
  };
  /** Get the setup status */
  'GET /api/v1/set_up': {
    options: Record<never, never>;
    reply: SetUpState;
  };
  /** Create the first account */
  'POST /api/v1/set_up': {
    options: {
      body: SetUp;
    };
    reply: Session;
  };
  /** Check a backup */
  'POST /api/v1/set_up/backup/check': {
    options: {
      body: Blob;
    };
    reply: BackupSummary;
  };
  /** Restore a backup */
  'POST /api/v1/set_up/backup': {
    options: {
      body: Blob;
    };
    reply: BackupSummary;
  };
  /** List sessions */
  'GET /api/v1/sessions': {
    options: {
      query?: {
        /** Items per page. Default: all items. */
        limit?: number | undefined;
        /** `Next-Cursor` of the previous response. */
        cursor?: string | undefined;
      };
    };
    reply: OpenSession[];
  };
  /** End all other sessions */
  'DELETE /api/v1/sessions': {
    options: Record<never, never>;
    reply: undefined;
  };
  /** End a session */
  'DELETE /api/v1/sessions/{session_id}': {
    options: {
      params: {
        session_id: string;
      };
    };
    reply: undefined;
  };
  /** Change the e-mail address */
  'PUT /api/v1/email': {
    options: {
      body: EmailUpdate;
    };
    reply: Member;
  };
  /** List the accounts of the user */
  'GET /oapi/v1/accounts': {
    options: Record<never, never>;
    reply: AccountChoice[];
  };
  /** Switch to another account of the user */
  'PUT /api/v1/session/account': {
    options: {
      body: AccountSwitch;
    };
    reply: Session;
  };
  /** Sign in */
  'POST /api/v1/session': {
    options: {
      body: SessionCreate;
    };
    reply: Session;
  };
  /** Get the current user */
  'GET /api/v1/session': {
    options: Record<never, never>;
    reply: SignedInMember;
  };
  /** Sign out */
  'DELETE /api/v1/session': {
    options: Record<never, never>;
    reply: undefined;
  };
  /** Change the password */
  'PUT /api/v1/password': {
    options: {
      body: PasswordUpdate;
    };
    reply: Session;
  };
  /** Start a sign-in with a passkey */
  'POST /api/v1/session/passkey/options': {
    options: Record<never, never>;
    reply: PasskeyRequestOptions;
  };
  /** Sign in with a passkey */
  'POST /api/v1/session/passkey': {
    options: {
      body: PasskeySession;
    };
    reply: Session;
  };
  /** Start two-factor setup */
  'POST /api/v1/second_factor': {
    options: {
      body: PasswordProof;
      idempotencyKey?: string | undefined;
    };
    reply: SecondFactor;
  };
  /** Confirm two-factor setup */
  'POST /api/v1/second_factor/confirm': {
    options: {
      body: SecondFactorCode;
      idempotencyKey?: string | undefined;
    };
    reply: RecoveryCodes;
  };
  /** Disable two-factor authentication */
  'POST /api/v1/second_factor/disable': {
    options: {
      body: PasswordProof;
      idempotencyKey?: string | undefined;
    };
    reply: undefined;
  };
  /** Generate new recovery codes */
  'POST /api/v1/second_factor/recovery_codes': {
    options: {
      body: PasswordProof;
      idempotencyKey?: string | undefined;
    };
    reply: RecoveryCodes;
  };
  /** List passkeys */
  'GET /api/v1/passkeys': {
    options: {
      query?: {
        /** Items per page. Default: all items. */
        limit?: number | undefined;
        /** `Next-Cursor` of the previous response. */
        cursor?: string | undefined;
      };
    };
    reply: Passkey[];
  };
  /** Register a passkey */
  'POST /api/v1/passkeys': {
    options: {
      body: PasskeyCreate;
      idempotencyKey?: string | undefined;
    };
    reply: Passkey;
  };
  /** Start the registration of a passkey */
  'POST /api/v1/passkeys/options': {
    options: {
      body: PasswordProof;
      idempotencyKey?: string | undefined;
    };
    reply: PasskeyCreationOptions;
  };
  /** Rename a passkey */
  'PUT /api/v1/passkeys/{passkey_id}': {
    options: {
      params: {
        passkey_id: string;
      };
      body: PasskeyUpdate;
    };
    reply: Passkey;
  };
  /** Remove a passkey */
  'DELETE /api/v1/passkeys/{passkey_id}': {
    options: {
      params: {
        passkey_id: string;
      };
    };
    reply: undefined;
  };
  /** List members */
  'GET /api/v1/members': {
    options: {
      query?: {
        /** Items per page. Default: all items. */
        limit?: number | undefined;
        /** `Next-Cursor` of the previous response. */
        cursor?: string | undefined;
      };
    };
    reply: Member[];
  };
  /** Change the role of a member */
  'PUT /api/v1/members/{member_id}': {
    options: {
      params: {
        member_id: string;
      };
      body: MemberUpdate;
    };
    reply: undefined;
  };
  /** Remove a member */
  'DELETE /api/v1/members/{member_id}': {
    options: {
      params: {
        member_id: string;
      };
    };
    reply: undefined;
  };
  /** List pending invitations */
  'GET /api/v1/invitations': {
    options: {
      query?: {
        /** Items per page. Default: all items. */
        limit?: number | undefined;
        /** `Next-Cursor` of the previous response. */
        cursor?: string | undefined;
      };
    };
    reply: Invitation[];
  };
  /** Create an invitation */
  'POST /api/v1/invitations': {
    options: {
      body: InvitationCreate;
      idempotencyKey?: string | undefined;
    };
    reply: NewInvitation;
  };
  /** Revoke an invitation */
  'DELETE /api/v1/invitations/{invitation_id}': {
    options: {
      params: {
        invitation_id: string;
      };
    };
    reply: undefined;
  };
  /** Accept an invitation */
  'POST /api/v1/invitations/accept': {
    options: {
      body: InvitationAccept;
    };
    reply: Session;
  };
  /** List API keys */
  'GET /api/v1/api_keys': {
    options: {
      query?: {
        /** Items per page. Default: all items. */
        limit?: number | undefined;
        /** `Next-Cursor` of the previous response. */
        cursor?: string | undefined;
      };
    };
    reply: ApiKey[];
  };
  /** Create an API key */
  'POST /api/v1/api_keys': {
    options: {
      body: ApiKeyCreate;
      idempotencyKey?: string | undefined;
    };
    reply: NewApiKey;
  };
  /** Revoke an API key */
  'DELETE /api/v1/api_keys/{api_key_id}': {
    options: {
      params: {
        api_key_id: string;
      };
    };
    reply: undefined;
  };
  /** Get the system status */
  'GET /api/v1/system': {
    options: Record<never, never>;
    reply: System;
  };
  /** Create a backup of all accounts */
  'POST /api/v1/system/backup': {
    options: {
      idempotencyKey?: string | undefined;
    };
    reply: Backup;
  };
  /** Download the newest backup */
  'GET /api/v1/system/backup': {
    options: Record<never, never>;
    reply: Response;
  };
  /** Use the version of a filter list that is held back */
  'POST /api/v1/system/lists/{filter_id}/accept': {
    options: {
      params: {
        /** Id of a list of the system status. */
        filter_id: string;
      };
      idempotencyKey?: string | undefined;
    };
    reply: SystemList;
  };
  /** Test an upstream */
  'POST /api/v1/system/upstreams/test': {
    options: {
      body: UpstreamTest;
    };
    reply: UpstreamTestResult;
  };
  /** Run the checks of `weir doctor` */
  'GET /api/v1/system/doctor': {
    options: Record<never, never>;
    reply: DoctorFinding[];
  };
  /** Clear the DNS cache */
  'DELETE /api/v1/system/cache': {
    options: Record<never, never>;
    reply: undefined;
  };
  /** Read the certificate files again */
  'POST /api/v1/system/certificates/reload': {
    options: {
      idempotencyKey?: string | undefined;
    };
    reply: undefined;
  };
  /** Check a backup before it is restored */
  'POST /api/v1/system/backup/check': {
    options: {
      body: Blob;
    };
    reply: BackupSummary;
  };
  /** Replace all accounts with those of a backup */
  'POST /api/v1/system/backup/restore': {
    options: {
      body: Blob;
    };
    reply: BackupSummary;
  };
  /** List the settings of the service */
  'GET /api/v1/system/settings': {
    options: Record<never, never>;
    reply: OperatorSetting[];
  };
  /** Change a setting of the service */
  'PUT /api/v1/system/settings/{setting_name}': {
    options: {
      params: {
        /** Name of a setting. */
        setting_name: string;
      };
      body: OperatorSettingUpdate;
    };
    reply: OperatorSetting;
  };
  /** Reset a setting of the service */
  'DELETE /api/v1/system/settings/{setting_name}': {
    options: {
      params: {
        /** Name of a setting. */
        setting_name: string;
      };
    };
    reply: OperatorSetting;
  };
  /** List DNS nodes with a node key */
  'GET /api/v1/nodes': {
    options: Record<never, never>;
    reply: Node[];
  };
  /** Create a node key */
  'POST /api/v1/nodes': {
    options: {
      body: NodeCreate;
      idempotencyKey?: string | undefined;
    };
    reply: NewNode;
  };
  /** Revoke a node key */
  'DELETE /api/v1/nodes/{node_id}': {
    options: {
      params: {
        node_id: string;
      };
    };
    reply: undefined;
  };
};
