// The published interface, version 1.15: operations and schemas that version 1.11 does not have, or that differ. `!` marks
// required members.

export const contractOperations15: Readonly<Record<string, string>> = {
  authorize:
    'GET /oapi/v1/oauth_authorize; ?client_id!; ?response_type!; ?redirect_uri!; ?state; ?aid; ?source; ?code_challenge; ?code_challenge_method; 302',
  getBlockedParentalCategoryStats:
    'GET /oapi/v1/stats/blocked_parental_categories; ?time_from_millis!; ?time_to_millis!; ?dns_servers; ?devices; ?countries; 200 BlockedParentalCategoryQueriesStatsList; 400 ErrorResponse',
  getCategoriesQueriesStats:
    'GET /oapi/v1/stats/categories; ?time_from_millis!; ?time_to_millis!; ?dns_servers; ?devices; ?countries; 200 CategoryQueriesStatsList; 400 ErrorResponse',
  getCompaniesStats:
    'GET /oapi/v1/stats/companies; ?time_from_millis!; ?time_to_millis!; ?dns_servers; ?devices; ?countries; ?cursor; ?limit; 200 CompanyQueriesStatsList; 400 ErrorResponse',
  getCountriesQueriesStats:
    'GET /oapi/v1/stats/countries; ?time_from_millis!; ?time_to_millis!; ?dns_servers; ?devices; ?countries; ?cursor; ?limit; 200 CountryQueriesStatsList; 400 ErrorResponse',
  getDNSServerSettings: 'GET /oapi/v1/dns_servers/{dns_server_id}/settings; 200 DNSServerSettings; 404',
  getDetailedCompaniesStats:
    'GET /oapi/v1/stats/companies/detailed; ?time_from_millis!; ?time_to_millis!; ?dns_servers; ?devices; ?countries; ?cursor; ?limit; 200 CompanyDetailedQueriesStatsList; 400 ErrorResponse',
  getDeviceSettings: 'GET /oapi/v1/devices/{device_id}/settings; 200 DeviceSettings; 404',
  getDevices: 'GET /oapi/v2/devices; ?cursor; ?limit; ?dns_servers; ?devices; ?search; 200 DevicesResponse',
  getDevicesQueriesStats:
    'GET /oapi/v1/stats/devices; ?time_from_millis!; ?time_to_millis!; ?dns_servers; ?devices; ?countries; ?cursor; ?limit; 200 DeviceQueriesStatsList; 400 ErrorResponse',
  getDnsServers: 'GET /oapi/v2/dns_servers; ?cursor; ?limit; ?dns_servers; ?search; 200 DnsServersResponse',
  getDomainsQueriesStats:
    'GET /oapi/v1/stats/domains; ?time_from_millis!; ?time_to_millis!; ?dns_servers; ?devices; ?countries; ?cursor; ?limit; 200 DomainQueriesStatsList; 400 ErrorResponse',
  getQueryLog:
    'GET /oapi/v1/query_log; ?time_from_millis!; ?time_to_millis!; ?dns_servers; ?devices; ?countries; ?companies; ?statuses; ?categories; ?search; ?limit; ?cursor; 200 QueryLogResponse',
  getTimeQueriesStats:
    'GET /oapi/v1/stats/time; ?time_from_millis!; ?time_to_millis!; ?dns_servers; ?devices; ?countries; 200 TimeQueriesStatsList; 400 ErrorResponse',
  listParentalControlFilteringCategories:
    'GET /oapi/v1/parental_control_categories; 200 [ParentalControlFilteringCategory]',
};

export const contractSchemas15: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  AccessTokenCredentials: {
    client_id: 'string',
    code: 'string',
    code_verifier: 'string',
    grant_type: 'string!',
    mfa_token: 'string',
    password: 'string',
    redirect_uri: 'string',
    refresh_token: 'string',
    username: 'string',
  },
  BlockedFilteringCategoryUpdate: {
    enabled: 'boolean',
    id: 'string 1..64!',
  },
  BlockedParentalCategoryQueriesStats: {
    blocked: 'int64!',
    category: 'string!',
  },
  BlockedParentalCategoryQueriesStatsList: {
    stats: '[BlockedParentalCategoryQueriesStats]!',
  },
  CompanyDetailedQueriesStatsList: {
    navigation: 'Navigation!',
    pages: '[Page]',
    stats: '[CompanyDetailedQueriesStats]!',
  },
  CompanyQueriesStatsList: {
    navigation: 'Navigation!',
    stats: '[CompanyQueriesStats]!',
  },
  CountryQueriesStatsList: {
    navigation: 'Navigation!',
    stats: '[CountryQueriesStats]!',
  },
  DNSServer: {
    default: 'boolean!',
    device_ids: '[string]',
    devices_count: 'int32!',
    id: 'string!',
    name: 'string!',
    settings: 'DNSServerSettings!',
  },
  DeviceQueriesStatsList: {
    navigation: 'Navigation!',
    stats: '[DeviceQueriesStats]!',
  },
  DevicesResponse: {
    items: '[Device]!',
    navigation: 'Navigation!',
  },
  DnsServersResponse: {
    items: '[DNSServer]!',
    navigation: 'Navigation!',
  },
  DomainQueriesStatsList: {
    navigation: 'Navigation!',
    stats: '[DomainQueriesStats]!',
  },
  ErrorCodes:
    'BAD_REQUEST|FIELD_REQUIRED|FIELD_WRONG_VALUE|FIELD_REACHED_LIMIT|ALREADY_EXISTS|INSUFFICIENT_LICENSE_TYPE|RESOURCE_REACHED_LIMIT|TOO_MANY_REQUESTS|UNKNOWN|CERT_DOMAIN_NAME|CERT_SELF_SIGNED|CERT_VALIDITY_DATE|ACCESS_FORBIDDEN|INVITATION_ALREADY_ADDED|INVITATION_FOR_ACTIVE_MEMBER|INVITATION_FOR_OWNER|CUSTOM_FILTER_SOURCE_FORBIDDEN|CUSTOM_FILTER_SOURCE_UNREACHABLE',
  FilteringActionSource:
    'FILTERS|USER_FILTER|SAFEBROWSING|PARENTAL_SAFE_SEARCH|PARENTAL_YOUTUBE|PARENTAL_ADULT|PARENTAL_BLOCKED_SERVICE|PARENTAL_FILTERING_CATEGORY|PARENTAL_SCHEDULE|NEWLY_REGISTERED_DOMAINS|TYPOSQUATTING|HOMOGLYPH',
  FilteringInfo: {
    blocked_service_id: 'string',
    filter_id: 'string',
    filter_rule: 'string',
    filtering_category_id: 'string',
    filtering_status: 'FilteringActionStatus',
    filtering_type: 'FilteringActionSource',
  },
  Navigation: {
    next: 'NavigationPage',
    prev: 'NavigationPage',
  },
  NavigationPage: {
    page_cursor: 'string!',
    page_number: 'int32!',
  },
  ParentalControlFilteringCategory: {
    id: 'string!',
  },
  ParentalControlSettingsUpdate: {
    block_adult_websites_enabled: 'boolean',
    blocked_filtering_categories: '[BlockedFilteringCategoryUpdate]',
    blocked_services: '[BlockedWebServiceUpdate]',
    enabled: 'boolean',
    engines_safe_search_enabled: 'boolean',
    screen_time_schedule: 'ScheduleWeekUpdate',
    youtube_safe_search_enabled: 'boolean',
  },
  QueryLogItem: {
    asn: 'int32',
    category_type: 'CategoryType!',
    client_country: 'string',
    company_id: 'string!',
    device_id: 'string!',
    dns_proto_type: 'DnsProtoType',
    dns_request_type: 'string',
    dns_response_type: 'DnsProtoResponseType',
    dns_server_id: 'string!',
    dnssec: 'boolean!',
    domain: 'string!',
    filtering_info: 'FilteringInfo!',
    network: 'string',
    response_country: 'string',
    time_iso: 'date-time!',
    time_millis: 'int64!',
  },
  SafebrowsingSettings: {
    block_dangerous_domains: 'boolean!',
    block_nrd: 'boolean!',
    blocking_mode_settings: 'BlockingModeSettings!',
    enabled: 'boolean!',
    homoglyph_protection_enabled: 'boolean!',
    typosquatting_protection_enabled: 'boolean!',
  },
  SafebrowsingSettingsUpdate: {
    block_dangerous_domains: 'boolean',
    block_nrd: 'boolean',
    blocking_mode_settings: 'BlockingModeSettingsUpdate',
    enabled: 'boolean',
    homoglyph_protection_enabled: 'boolean',
    typosquatting_protection_enabled: 'boolean',
  },
};
