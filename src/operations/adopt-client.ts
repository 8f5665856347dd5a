import type { ClientIdentifier } from '../domain/client-identifiers.ts';
import type { AssignableNetworks } from '../domain/client-networks.ts';
import type { Device } from '../domain/device.ts';
import type { NewDevice } from '../domain/device-rules.ts';
import { type DomainError, invalid } from '../domain/domain-error.ts';
import type { NetworkClient } from '../domain/network-client.ts';
import type { Transaction } from '../domain/repositories.ts';
import type { Conflict } from '../domain/store-error.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { AuditNote } from './audit-entry.ts';
import { type CreateDeviceDeps, createDevice } from './create-device.ts';
import { setIdentifiers } from './set-identifiers.ts';

export type Adoption = { readonly device: NewDevice; readonly identifyBy: 'mac' | 'address' };

type Adopted = Result<{ readonly device: Device; readonly audit: AuditNote }, DomainError | Conflict>;

/** In a transaction that an error rolls back: creates a device that is recognised by the MAC address or the last address of the client. */
export async function adoptClient(
  tx: Transaction,
  deps: CreateDeviceDeps,
  client: NetworkClient,
  { device: requested, identifyBy }: Adoption,
  assignable: AssignableNetworks,
): Promise<Adopted> {
  const identifier = identifierOf(client, identifyBy);
  if (!identifier.ok) return identifier;
  const created = await createDevice(tx, deps, client.account, requested);
  if (!created.ok) return created;
  const { device, audit } = created.value;
  const identifiers = [identifier.value];
  const set = await setIdentifiers(tx, device, { identifiers, tags: [] }, assignable);
  if (!set.ok) return err(ofAdoption(set.error));
  return ok({ device, audit: { ...audit, after: { ...(audit.after as object), identifiers } } });
}

function identifierOf(
  { mac, addresses }: NetworkClient,
  by: Adoption['identifyBy'],
): Result<ClientIdentifier, DomainError> {
  const value = by === 'mac' ? mac : addresses[0]?.address;
  const missing = by === 'mac' ? 'the MAC address of this client is not known' : 'this client has no address';
  return value === undefined ? err(invalid('identify_by', missing)) : ok({ kind: by, value });
}

/** Reported without a field, because the identifier is not part of the request. */
const ofAdoption = (error: DomainError | Conflict): DomainError | Conflict =>
  error.kind === 'invalid'
    ? { ...error, errors: error.errors.map((fieldError) => ({ ...fieldError, field: 'identify_by' })) }
    : error;
