// Types of requests and responses, from the client library.
import type { Device, Protection, ProtectionPause } from '../../src/client/operations.ts';

export type {
  AccountAlert,
  BlockingModeSettings as BlockingSettings,
  ChosenCustomLists,
  ClientNetworks as Networks,
  ClientNetworksUpdate as NetworksUpdate,
  CustomList,
  Device,
  DeviceCreate,
  DeviceIdentifiers,
  DeviceIdentifiersUpdate,
  DeviceSettingsUpdate,
  DeviceUpdate,
  DNSServer as DnsServer,
  DNSServerSettings as ServerSettings,
  DNSServerSettingsUpdate as ServerSettingsUpdate,
  DNSServerUpstreams as Upstreams,
  ExplainQuestion,
  Explanation,
  FilterList,
  ForwardRule,
  ForwardRuleInput,
  ForwardRules,
  HostsImportResult,
  LinkedAddress,
  LinkedAddressUpdate,
  ListHealth,
  LocalNameSettings,
  LocalNameSettingsUpdate,
  LocalRecord,
  LocalRecordInput,
  Member,
  NetworkClient,
  NetworkClientAdoption,
  QueryLogItem as LogItem,
  SafetyList,
  Session,
  SignedInMember,
  TemporaryRule,
  UpstreamStrategy,
  WebService,
} from '../../src/client/operations.ts';

export type DeviceType = Device['device_type'];
/** Of the account, a DNS server or a device. */
export type ProtectionView = Pick<Protection, 'state' | 'paused_until' | 'reasons'>;
export type PauseLength = Pick<ProtectionPause, 'minutes' | 'until'>;
