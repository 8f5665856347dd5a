import { accountOperations } from './account.ts';
import { accountLimitOperations } from './account-limits.ts';
import { alertOperations } from './alerts.ts';
import { apiKeyOperations } from './api-keys.ts';
import { authorizationOperations } from './authorizations.ts';
import { catalogueOperations } from './catalogue.ts';
import { customListOperations } from './custom-lists.ts';
import { customUpstreamOperations } from './custom-upstreams.ts';
import { dedicatedAddressOperations } from './dedicated-addresses.ts';
import { deviceIdentifierOperations } from './device-identifiers.ts';
import { deviceOperations } from './devices.ts';
import { dnsServerOperations } from './dns-servers.ts';
import { explainOperations } from './explain.ts';
import { forwardRuleOperations } from './forward-rules.ts';
import { invitationOperations } from './invitations.ts';
import { lastQueryOperations } from './last-queries.ts';
import { linkedAddressOperations } from './linked-addresses.ts';
import { listChangeOperations } from './list-changes.ts';
import { listHealthOperations } from './list-health.ts';
import { listOverlapOperations } from './list-overlap.ts';
import { liveLogOperations } from './live-log.ts';
import { localNameSettingOperations } from './local-name-settings.ts';
import { localRecordOperations } from './local-records.ts';
import { logStatisticsOperations } from './log-statistics.ts';
import { maintenanceOperations } from './maintenance.ts';
import { memberOperations } from './members.ts';
import { mobileProfileOperations } from './mobile-profiles.ts';
import { myAccountOperations } from './my-accounts.ts';
import { mySessionOperations } from './my-sessions.ts';
import { networkClientOperations } from './network-clients.ts';
import { networkOperations } from './networks.ts';
import { nodeOperations } from './nodes.ts';
import type { Operation } from './operation.ts';
import { operatorSettingOperations } from './operator-settings.ts';
import { passkeySignInOperations } from './passkey-sign-in.ts';
import { passkeyOperations } from './passkeys.ts';
import { pauseOperations } from './pauses.ts';
import { protectionOperations } from './protection.ts';
import { queryLogOperations } from './query-log.ts';
import { restoreBackupOperations } from './restore-backup.ts';
import { restoreDnsServerOperations } from './restore-dns-server.ts';
import { ruleProblemOperations } from './rule-problems.ts';
import { safetyListOperations } from './safety-lists.ts';
import { secondFactorOperations } from './second-factor.ts';
import { serverCustomListOperations } from './server-custom-lists.ts';
import { sessionOperations } from './session-routes.ts';
import { setUpOperations } from './set-up.ts';
import { setUpBackupOperations } from './set-up-backup.ts';
import { settingsEntryOperations } from './settings-entries.ts';
import { skippedRulesOperations } from './skipped-rules.ts';
import { statisticsOperations } from './statistics.ts';
import { systemOperations } from './system.ts';
import { temporaryRuleOperations } from './temporary-rules.ts';
import { tokenOperations } from './tokens.ts';

/** All operations: the published API below /oapi, extensions below /api/v1. */
export const operations: readonly Operation[] = [
  ...tokenOperations,
  ...authorizationOperations,
  ...accountLimitOperations,
  ...accountOperations,
  ...deviceOperations,
  ...mobileProfileOperations,
  ...dedicatedAddressOperations,
  ...linkedAddressOperations,
  ...networkOperations,
  ...localRecordOperations,
  ...forwardRuleOperations,
  ...localNameSettingOperations,
  ...deviceIdentifierOperations,
  ...networkClientOperations,
  ...dnsServerOperations,
  ...restoreDnsServerOperations,
  ...settingsEntryOperations,
  ...temporaryRuleOperations,
  ...customUpstreamOperations,
  ...serverCustomListOperations,
  ...explainOperations,
  ...protectionOperations,
  ...pauseOperations,
  ...alertOperations,
  ...ruleProblemOperations,
  ...skippedRulesOperations,
  ...catalogueOperations,
  ...listHealthOperations,
  ...listChangeOperations,
  ...listOverlapOperations,
  ...safetyListOperations,
  ...customListOperations,
  ...queryLogOperations,
  ...liveLogOperations,
  ...lastQueryOperations,
  ...statisticsOperations,
  ...logStatisticsOperations,
  ...setUpOperations,
  ...setUpBackupOperations,
  ...mySessionOperations,
  ...myAccountOperations,
  ...sessionOperations,
  ...passkeySignInOperations,
  ...secondFactorOperations,
  ...passkeyOperations,
  ...memberOperations,
  ...invitationOperations,
  ...apiKeyOperations,
  ...systemOperations,
  ...maintenanceOperations,
  ...restoreBackupOperations,
  ...operatorSettingOperations,
  ...nodeOperations,
];
