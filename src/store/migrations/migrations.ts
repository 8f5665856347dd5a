import { accountsAndSettings } from './01-accounts-and-settings.ts';
import { ddnsNames } from './02-ddns-names.ts';
import { customLists } from './03-custom-lists.ts';
import { addressProofs } from './04-address-proofs.ts';
import { operatorAndRefreshTokens } from './05-operator-and-refresh-tokens.ts';
import { deletedAccounts } from './06-deleted-accounts.ts';
import { clientNetworks } from './07-client-networks.ts';
import { localNames } from './08-local-names.ts';
import { deviceIdentifiers } from './09-device-identifiers.ts';
import { networkClients } from './10-network-clients.ts';
import { forwardRuleStrategy } from './11-forward-rule-strategy.ts';
import { storedReplies } from './12-stored-replies.ts';
import { changes } from './13-changes.ts';
import { memberships } from './14-memberships.ts';
import { devicePauses } from './15-device-pauses.ts';
import { nodes } from './16-nodes.ts';
import { receivedBatches } from './17-received-batches.ts';
import { sharedSecrets } from './19-shared-secrets.ts';
import { sessionOrigins } from './20-session-origins.ts';
import { passkeys } from './21-passkeys.ts';
import { sharedLists } from './22-shared-lists.ts';

/**
 * SQL statements of one schema version. The position in the list is the version, so released migrations never change. `expands`: the
 * program of the version before can use the database, see docs/upgrade.md.
 */
export type Migration = readonly string[] | { readonly expands: readonly string[] };

export const migrations: readonly Migration[] = [
  accountsAndSettings,
  ddnsNames,
  customLists,
  addressProofs,
  operatorAndRefreshTokens,
  deletedAccounts,
  clientNetworks,
  localNames,
  deviceIdentifiers,
  networkClients,
  forwardRuleStrategy,
  storedReplies,
  changes,
  memberships,
  devicePauses,
  nodes,
  receivedBatches,
  sessionOrigins,
  { expands: sharedSecrets },
  { expands: passkeys },
  { expands: sharedLists },
];
