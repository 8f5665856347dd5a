// The published interface, version 1.11, as a table: what clients rely on. `!` marks what is required.

export const contractOperations: Readonly<Record<string, string>> = {
  getAccountLimits: 'GET /oapi/v1/account/limits; 200 AccountLimits',
  listDedicatedIPv4Addresses: 'GET /oapi/v1/dedicated_addresses/ipv4; 200 [DedicatedIPv4Address]',
  allocateDedicatedIPv4Address: 'POST /oapi/v1/dedicated_addresses/ipv4; 200 DedicatedIPv4Address; 429',
  listDevices: 'GET /oapi/v1/devices; 200 [Device]',
  createDevice: 'POST /oapi/v1/devices; takes DeviceCreate; 200 Device; 400 ErrorResponse; 429',
  removeDevice: 'DELETE /oapi/v1/devices/{device_id}; 200; 404',
  getDevice: 'GET /oapi/v1/devices/{device_id}; 200 Device; 404',
  updateDevice: 'PUT /oapi/v1/devices/{device_id}; takes DeviceUpdate; 200; 400 ErrorResponse; 404',
  listDedicatedAddressesForDevice: 'GET /oapi/v1/devices/{device_id}/dedicated_addresses; 200 DedicatedIps',
  unlinkDedicatedIPv4Address: 'DELETE /oapi/v1/devices/{device_id}/dedicated_addresses/ipv4; ?ip!; 200; 404',
  linkDedicatedIPv4Address:
    'POST /oapi/v1/devices/{device_id}/dedicated_addresses/ipv4; takes LinkDedicatedIPv4; 200; 400 ErrorResponse; 404; 429',
  getDoHMobileConfig:
    'GET /oapi/v1/devices/{device_id}/doh.mobileconfig; ?exclude_wifi_networks; ?exclude_domain; 200; 404',
  resetDOHPassword: 'PUT /oapi/v1/devices/{device_id}/doh_password/reset; 200; 404',
  getDoTMobileConfig:
    'GET /oapi/v1/devices/{device_id}/dot.mobileconfig; ?exclude_wifi_networks; ?exclude_domain; 200; 404',
  updateDeviceSettings:
    'PUT /oapi/v1/devices/{device_id}/settings; takes DeviceSettingsUpdate; 200; 400 ErrorResponse; 404',
  listDNSServers: 'GET /oapi/v1/dns_servers; 200 [DNSServer]',
  createDNSServer: 'POST /oapi/v1/dns_servers; takes DNSServerCreate; 200 DNSServer; 400 ErrorResponse; 429',
  removeDNSServer: 'DELETE /oapi/v1/dns_servers/{dns_server_id}; 200; 404',
  getDNSServer: 'GET /oapi/v1/dns_servers/{dns_server_id}; 200 DNSServer; 404',
  updateDNSServer: 'PUT /oapi/v1/dns_servers/{dns_server_id}; takes DNSServerUpdate; 200; 400 ErrorResponse; 404',
  updateDNSServerSettings:
    'PUT /oapi/v1/dns_servers/{dns_server_id}/settings; takes DNSServerSettingsUpdate; 200; 400 ErrorResponse; 404',
  listFilterLists: 'GET /oapi/v1/filter_lists; 200 [FilterList]',
  accessToken:
    'POST /oapi/v1/oauth_token; form AccessTokenCredentials; 200 AccessTokenResponse; 400 ErrorResponse; 401 AccessTokenErrorResponse',
  clearQueryLog: 'DELETE /oapi/v1/query_log; 202',
  getQueryLog:
    'GET /oapi/v1/query_log; ?time_from_millis!; ?time_to_millis!; ?devices; ?countries; ?companies; ?statuses; ?categories; ?search; ?limit; ?cursor; 200 QueryLogResponse',
  revokeToken: 'POST /oapi/v1/revoke_token; ?refresh_token; 200',
  getCategoriesQueriesStats:
    'GET /oapi/v1/stats/categories; ?time_from_millis!; ?time_to_millis!; ?devices; ?countries; 200 CategoryQueriesStatsList; 400 ErrorResponse',
  getCompaniesStats:
    'GET /oapi/v1/stats/companies; ?time_from_millis!; ?time_to_millis!; ?devices; ?countries; 200 CompanyQueriesStatsList; 400 ErrorResponse',
  getDetailedCompaniesStats:
    'GET /oapi/v1/stats/companies/detailed; ?time_from_millis!; ?time_to_millis!; ?devices; ?countries; ?cursor; 200 CompanyDetailedQueriesStatsList; 400 ErrorResponse',
  getCountriesQueriesStats:
    'GET /oapi/v1/stats/countries; ?time_from_millis!; ?time_to_millis!; ?devices; ?countries; 200 CountryQueriesStatsList; 400 ErrorResponse',
  getDevicesQueriesStats:
    'GET /oapi/v1/stats/devices; ?time_from_millis!; ?time_to_millis!; ?devices; ?countries; 200 DeviceQueriesStatsList; 400 ErrorResponse',
  getDomainsQueriesStats:
    'GET /oapi/v1/stats/domains; ?time_from_millis!; ?time_to_millis!; ?devices; ?countries; 200 DomainQueriesStatsList; 400 ErrorResponse',
  getTimeQueriesStats:
    'GET /oapi/v1/stats/time; ?time_from_millis!; ?time_to_millis!; ?devices; ?countries; 200 TimeQueriesStatsList; 400 ErrorResponse',
  listWebServices: 'GET /oapi/v1/web_services; 200 [WebService]',
};

export const contractSchemas: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  AccessTokenCredentials: {
    mfa_token: 'string',
    password: 'string',
    refresh_token: 'string',
    username: 'string',
  },
  AccessTokenErrorResponse: {
    error: 'string',
    error_code: 'string',
    error_description: 'string',
  },
  AccessTokenResponse: {
    access_token: 'string',
    expires_in: 'int32!',
    refresh_token: 'string',
    token_type: 'string',
  },
  AccountLimits: {
    access_rules: 'Limit!',
    dedicated_ipv4: 'Limit!',
    devices: 'Limit!',
    dns_servers: 'Limit!',
    requests: 'Limit!',
    user_rules: 'Limit!',
  },
  BlockedWebService: {
    enabled: 'boolean!',
    id: 'string!',
  },
  BlockedWebServiceUpdate: {
    enabled: 'boolean',
    id: 'string 1..64!',
  },
  BlockingMode: 'NONE|NULL_IP|REFUSED|NXDOMAIN|CUSTOM_IP',
  BlockingModeSettings: {
    blocking_mode: 'BlockingMode!',
    ipv4_blocking_address: 'string',
    ipv6_blocking_address: 'string',
  },
  BlockingModeSettingsUpdate: {
    blocking_mode: 'BlockingMode!',
    ipv4_blocking_address: 'string',
    ipv6_blocking_address: 'string',
  },
  CategoryQueriesStats: {
    category_type: 'CategoryType!',
    queries: 'int64!',
  },
  CategoryQueriesStatsList: {
    stats: '[CategoryQueriesStats]!',
  },
  CategoryType: 'ADS|TRACKERS|SOCIAL_MEDIA|CDN|OTHERS',
  CompanyDetailedQueriesStats: {
    company_name: 'string!',
    domains_count: 'int32!',
    top_blocked_domain: 'string',
    top_queries_domain: 'string!',
    value: 'QueriesStats!',
  },
  CompanyDetailedQueriesStatsList: {
    pages: '[Page]!',
    stats: '[CompanyDetailedQueriesStats]!',
  },
  CompanyQueriesStats: {
    company_name: 'string!',
    value: 'QueriesStats!',
  },
  CompanyQueriesStatsList: {
    stats: '[CompanyQueriesStats]!',
  },
  ConnectDeviceType: 'WINDOWS|ANDROID|MAC|IOS|LINUX|ROUTER|SMART_TV|GAME_CONSOLE|UNKNOWN',
  CountryQueriesStats: {
    country: 'string!',
    value: 'QueriesStats!',
  },
  CountryQueriesStatsList: {
    stats: '[CountryQueriesStats]!',
  },
  DNSAddresses: {
    adguard_dns_over_https_url: 'string!',
    adguard_dns_over_https_with_auth_url: 'string',
    adguard_dns_over_quic_url: 'string!',
    adguard_dns_over_tls_url: 'string!',
    adguard_vpn_dns_over_https_url: 'string!',
    adguard_vpn_dns_over_https_with_auth_url: 'string',
    adguard_vpn_dns_over_quic_url: 'string!',
    adguard_vpn_dns_over_tls_url: 'string!',
    dns_over_https_url: 'string!',
    dns_over_https_with_auth_url: 'string',
    dns_over_quic_url: 'string!',
    dns_over_tls_url: 'string!',
    ip_addresses: '[IpAddress]',
  },
  DNSServer: {
    default: 'boolean!',
    device_ids: '[string]!',
    id: 'string!',
    name: 'string!',
    settings: 'DNSServerSettings!',
  },
  DNSServerAccessSettings: {
    allowed_clients: '[string]!',
    block_known_scanners: 'boolean!',
    blocked_clients: '[string]!',
    blocked_domain_rules: '[string]!',
    enabled: 'boolean!',
  },
  DNSServerAccessSettingsUpdate: {
    allowed_clients: '[string]',
    block_known_scanners: 'boolean',
    blocked_clients: '[string]',
    blocked_domain_rules: '[string 0..1024]',
    enabled: 'boolean',
  },
  DNSServerCreate: {
    name: 'string 1..64!',
    settings: 'DNSServerSettingsUpdate',
  },
  DNSServerSettings: {
    access_settings: 'DNSServerAccessSettings!',
    auto_connect_devices_enabled: 'boolean!',
    block_chrome_prefetch: 'boolean!',
    block_firefox_canary: 'boolean!',
    block_private_relay: 'boolean!',
    block_ttl_seconds: 'int32!',
    blocking_mode_settings: 'BlockingModeSettings!',
    filter_lists_settings: 'FilterListsSettings!',
    ip_log_enabled: 'boolean!',
    parental_control_settings: 'ParentalControlSettings!',
    protection_enabled: 'boolean!',
    safebrowsing_settings: 'SafebrowsingSettings!',
    user_rules_settings: 'UserRulesSettings!',
  },
  DNSServerSettingsUpdate: {
    access_settings: 'DNSServerAccessSettingsUpdate',
    auto_connect_devices_enabled: 'boolean',
    block_chrome_prefetch: 'boolean',
    block_firefox_canary: 'boolean',
    block_private_relay: 'boolean',
    block_ttl_seconds: 'int32 0..3600',
    blocking_mode_settings: 'BlockingModeSettingsUpdate',
    filter_lists_settings: 'FilterListsSettingsUpdate',
    ip_log_enabled: 'boolean',
    parental_control_settings: 'ParentalControlSettingsUpdate',
    protection_enabled: 'boolean',
    safebrowsing_settings: 'SafebrowsingSettingsUpdate',
    user_rules_settings: 'UserRulesSettingsUpdate',
  },
  DNSServerUpdate: {
    name: 'string 1..64',
  },
  DayOfWeek: 'MONDAY|TUESDAY|WEDNESDAY|THURSDAY|FRIDAY|SATURDAY|SUNDAY',
  DedicatedIPv4Address: {
    device_id: 'string',
    ip: 'string!',
  },
  DedicatedIps: {
    ipv4: '[string]!',
    ipv4_limit: 'Limit!',
    ipv6: '[string]!',
  },
  Device: {
    device_type: 'ConnectDeviceType!',
    dns_addresses: 'DNSAddresses!',
    dns_server_id: 'string!',
    id: 'string!',
    name: 'string!',
    settings: 'DeviceSettings!',
  },
  DeviceCreate: {
    device_type: 'ConnectDeviceType!',
    dns_server_id: 'string!',
    name: 'string 1..64!',
  },
  DeviceQueriesStats: {
    device_id: 'string!',
    last_activity_time_millis: 'int64',
    value: 'QueriesStats!',
  },
  DeviceQueriesStatsList: {
    stats: '[DeviceQueriesStats]!',
  },
  DeviceSettings: {
    detect_doh_auth_only: 'boolean!',
    protection_enabled: 'boolean!',
  },
  DeviceSettingsUpdate: {
    detect_doh_auth_only: 'boolean',
    protection_enabled: 'boolean',
  },
  DeviceUpdate: {
    device_type: 'ConnectDeviceType',
    dns_server_id: 'string',
    name: 'string 1..64',
  },
  DnsProtoResponseType:
    'RcodeSuccess|RcodeFormatError|RcodeServerFailure|RcodeNameError|RcodeNotImplemented|RcodeRefused|RcodeYXDomain|RcodeYXRrset|RcodeNXRrset|RcodeNotAuth|RcodeNotZone|RcodeBadSig|RcodeBadVers|RcodeBadKey|RcodeBadTime|RcodeBadMode|RcodeBadName|RcodeBadAlg|RcodeBadTrunc|RcodeBadCookie',
  DnsProtoType: 'DOH|DOQ|DOT|DNSCRYPT|DNSCRYPT_TCP|DNSCRYPT_UDP|DNS|PLAIN_TCP|PLAIN_UDP',
  DomainQueriesStats: {
    domain: 'string!',
    value: 'QueriesStats!',
  },
  DomainQueriesStatsList: {
    stats: '[DomainQueriesStats]!',
  },
  ErrorCodes: 'BAD_REQUEST|FIELD_REQUIRED|FIELD_WRONG_VALUE|FIELD_REACHED_LIMIT|UNKNOWN',
  ErrorResponse: {
    error_code: 'ErrorCodes!',
    fields: '[FieldError]!',
    message: 'string',
  },
  FieldError: {
    error_code: 'ErrorCodes!',
    field: 'string!',
    message: 'string',
  },
  FilterList: {
    categories: '[FilterListCategory]!',
    description: 'string!',
    download_url: 'string!',
    filter_id: 'string!',
    homepage_url: 'string!',
    name: 'string!',
    rules_count: 'int32!',
    source_url: 'string!',
    tags: '[string]!',
    time_updated: 'date-time!',
  },
  FilterListCategory: {
    category: 'FilterListCategoryType!',
    description: 'string!',
    value: 'string',
  },
  FilterListCategoryType: 'GENERAL|SECURITY|REGIONAL|OTHER',
  FilterListItem: {
    enabled: 'boolean!',
    filter_id: 'string!',
  },
  FilterListItemUpdate: {
    enabled: 'boolean',
    filter_id: 'string 1..!',
  },
  FilterListsSettings: {
    enabled: 'boolean!',
    filter_list: '[FilterListItem]!',
  },
  FilterListsSettingsUpdate: {
    enabled: 'boolean',
    filter_list: '[FilterListItemUpdate]',
  },
  FilteringActionSource:
    'FILTERS|USER_FILTER|SAFEBROWSING|PARENTAL_SAFE_SEARCH|PARENTAL_YOUTUBE|PARENTAL_ADULT|PARENTAL_BLOCKED_SERVICE|PARENTAL_SCHEDULE|NEWLY_REGISTERED_DOMAINS',
  FilteringActionStatus: 'UNKNOWN|NONE|REQUEST_BLOCKED|RESPONSE_BLOCKED|REQUEST_ALLOWED|RESPONSE_ALLOWED|MODIFIED',
  FilteringInfo: {
    blocked_service_id: 'string',
    filter_id: 'string',
    filter_rule: 'string',
    filtering_status: 'FilteringActionStatus',
    filtering_type: 'FilteringActionSource',
  },
  IpAddress: {
    ip_address: 'string!',
    type: 'IpType!',
  },
  IpType: 'V4|V6',
  Limit: {
    limit: 'int32!',
    used: 'int64!',
  },
  LinkDedicatedIPv4: {
    ip: 'string!',
  },
  Page: {
    current: 'boolean!',
    page_cursor: 'string!',
    page_number: 'int32!',
  },
  ParentalControlSettings: {
    block_adult_websites_enabled: 'boolean!',
    blocked_services: '[BlockedWebService]!',
    enabled: 'boolean!',
    engines_safe_search_enabled: 'boolean!',
    screen_time_schedule: 'ScheduleWeek!',
    youtube_safe_search_enabled: 'boolean!',
  },
  ParentalControlSettingsUpdate: {
    block_adult_websites_enabled: 'boolean',
    blocked_services: '[BlockedWebServiceUpdate]',
    enabled: 'boolean',
    engines_safe_search_enabled: 'boolean',
    screen_time_schedule: 'ScheduleWeekUpdate',
    youtube_safe_search_enabled: 'boolean',
  },
  QueriesStats: {
    blocked: 'int64!',
    companies: 'int32!',
    queries: 'int64!',
  },
  QueryLogItem: {
    asn: 'int32',
    category_type: 'CategoryType!',
    client_country: 'string',
    company_id: 'string!',
    device_id: 'string',
    dns_proto_type: 'DnsProtoType',
    dns_request_type: 'string',
    dns_response_type: 'DnsProtoResponseType',
    dnssec: 'boolean!',
    domain: 'string!',
    filtering_info: 'FilteringInfo!',
    network: 'string',
    response_country: 'string',
    time_iso: 'date-time!',
    time_millis: 'int64!',
  },
  QueryLogResponse: {
    items: '[QueryLogItem]!',
    pages: '[Page]!',
  },
  RegularDnsProtoType: 'DNS|PLAIN_TCP|PLAIN_UDP',
  SafebrowsingSettings: {
    block_dangerous_domains: 'boolean!',
    block_nrd: 'boolean!',
    enabled: 'boolean!',
  },
  SafebrowsingSettingsUpdate: {
    block_dangerous_domains: 'boolean',
    block_nrd: 'boolean',
    enabled: 'boolean',
  },
  ScheduleDay: {
    day_of_week: 'DayOfWeek!',
    enabled: 'boolean!',
    from_time: 'ScheduleTime!',
    to_time: 'ScheduleTime!',
  },
  ScheduleDayUpdate: {
    day_of_week: 'DayOfWeek!',
    enabled: 'boolean',
    from_time: 'ScheduleTime',
    to_time: 'ScheduleTime',
  },
  ScheduleTime: {
    hours: 'int32 0..23!',
    minutes: 'int32 0..59!',
  },
  ScheduleWeek: {
    daily_schedule: '[ScheduleDay]!',
  },
  ScheduleWeekUpdate: {
    daily_schedule: '[ScheduleDayUpdate]!',
  },
  SecureDnsProtoType: 'DOH|DOQ|DOT|DNSCRYPT|DNSCRYPT_TCP|DNSCRYPT_UDP',
  TimeQueriesStats: {
    time_millis: 'int64!',
    value: 'QueriesStats!',
  },
  TimeQueriesStatsList: {
    stats: '[TimeQueriesStats]!',
  },
  UserRulesSettings: {
    enabled: 'boolean!',
    rules: '[string]!',
    rules_count: 'int32!',
  },
  UserRulesSettingsUpdate: {
    enabled: 'boolean',
    rules: '[string 0..1024]',
  },
  WebService: {
    icon_svg: 'string!',
    id: 'string!',
    name: 'string!',
  },
};
