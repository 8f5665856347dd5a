import { changed } from '../domain/audit.ts';
import { type ClientIdentifier, clientIdentifiers, identifierError } from '../domain/client-identifiers.ts';
import type { AssignableNetworks } from '../domain/client-networks.ts';
import type { Device } from '../domain/device.ts';
import { parseTags } from '../domain/device-tags.ts';
import { type DomainError, type FieldError, invalid } from '../domain/domain-error.ts';
import type { Transaction } from '../domain/repositories.ts';
import type { Conflict } from '../domain/store-error.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { AuditNote } from './audit-entry.ts';

export type RequestedIdentifiers = {
  readonly identifiers: readonly ClientIdentifier[];
  readonly tags: readonly string[];
};

type SetIdentifiers = RequestedIdentifiers & { readonly audit: AuditNote };

/** In a transaction that an error rolls back: replaces the identifiers and tags of a device. */
export async function setIdentifiers(
  tx: Transaction,
  device: Device,
  requested: RequestedIdentifiers,
  assignable: AssignableNetworks,
): Promise<Result<SetIdentifiers, DomainError | Conflict>> {
  const before = await tx.deviceIdentifiers.ofDevice(device.account, device.id);
  const identifiers = clientIdentifiers(requested.identifiers, before, assignable);
  if (!identifiers.ok) return identifiers;
  const tags = parseTags(requested.tags);
  if (!tags.ok) return tags;
  const errors = await takenBy(tx, device, identifiers.value);
  if (errors.length > 0) return err({ kind: 'invalid', errors });
  const replaced = await tx.deviceIdentifiers.replace(device.account, device.id, identifiers.value);
  // Another account has added one of them since the check.
  if (!replaced.ok) return err(invalid('identifiers', 'must not contain an identifier of another device'));
  const updated = await tx.devices.update({ ...device, tags: tags.value });
  if (!updated.ok) return updated;
  const after = { identifiers: identifiers.value, tags: tags.value };
  const audit = {
    action: 'device.identifiers',
    subject: device.id,
    ...changed({ identifiers: before, tags: device.tags }, after),
  };
  return ok({ ...after, audit });
}

/** An error for each identifier of another device. Devices of other accounts are not named. */
async function takenBy(
  tx: Transaction,
  device: Device,
  identifiers: readonly ClientIdentifier[],
): Promise<readonly FieldError[]> {
  const errors: FieldError[] = [];
  const holders = await tx.deviceIdentifiers.holders(identifiers.map(({ value }) => value));
  for (const [index, { kind, value }] of identifiers.entries()) {
    const linked = kind === 'address' ? await tx.devices.linkedTo(value) : undefined;
    const others = [...holders.filter((holder) => holder.value === value), ...(linked ? [{ device: linked.id }] : [])];
    for (const other of others) {
      if (other.device === device.id) continue;
      // Undefined for a device of another account.
      const named = await tx.devices.find(device.account, other.device);
      errors.push(identifierError(index, named ? `belongs to the device "${named.name}"` : 'is in use'));
    }
  }
  return errors;
}
