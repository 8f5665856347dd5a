// The published interface, version 1.11, as a table of features that clients rely on. `!` marks required members.

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
