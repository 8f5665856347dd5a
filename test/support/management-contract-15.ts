// The published interface, version 1.15: schemas that version 1.11 does not have, or has in another form. `!` marks
// required members.

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
