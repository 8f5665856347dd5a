import type { Deps } from '../api/deps.ts';
import type { Dns } from '../dns-server/open-dns.ts';
import { type DomainError, invalid } from '../domain/domain-error.ts';
import { typeNumber } from '../kit/dns-numbers.ts';
import { parseMac } from '../kit/mac-address.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { type AnswerPart, readAnswerPart } from '../resolver/explain/explain-answer.ts';
import { addressBytes } from '../resolver/identity/address-key.ts';
import type { DescribedClient } from '../resolver/identity/identify.ts';
import { readHostName } from '../rules/read-host-name.ts';

/** Adapts the explanation of the resolver thread to the management API. */
export const explainWith =
  ({ explain }: Pick<Dns, 'explain'>): Deps['explain'] =>
  async ({ account, dnsServer, device, name: nameText, type: typeText, answer, clientAddress, client }) => {
    const name = readHostName(nameText.trim());
    if (!name.ok) return err(invalid('name', name.error));
    const type = typeNumber(typeText.trim().toUpperCase());
    if (type === undefined) return err(invalid('type', 'must be a type of DNS record such as A, AAAA or HTTPS'));
    const parts: AnswerPart[] = [];
    for (const [nth, text] of answer.entries()) {
      const part = readAnswerPart(text.trim());
      if (!part.ok) return err(invalid(`answer[${nth}]`, part.error));
      parts.push(part.value);
    }
    const address = clientAddress === undefined ? undefined : addressBytes(clientAddress);
    if (clientAddress !== undefined && !address) return err(invalid('client_address', 'must be an IP address'));
    const described = client && readClient(client);
    if (described && !described.ok) return described;
    const query = {
      name: name.value,
      type,
      answer: parts,
      clientAddress: address ?? described?.value.address,
    };
    const explained = await explain({ account, dnsServer, device, client: described?.value, query });
    return explained ? ok(explained) : err({ kind: 'not found', what: 'DNS server' });
  };

type Described = NonNullable<Parameters<Deps['explain']>[0]['client']>;

function readClient({ address: text, mac: macText, host_name: name }: Described): Result<DescribedClient, DomainError> {
  const address = text === undefined ? undefined : addressBytes(text.trim());
  if (text !== undefined && !address) return err(invalid('client.address', 'must be an IP address'));
  const mac = macText === undefined ? undefined : parseMac(macText);
  if (macText !== undefined && mac === undefined)
    return err(invalid('client.mac', 'must be a MAC address such as a0:b1:c2:d3:e4:f5'));
  return ok({ address, mac, names: name === undefined ? [] : [name] });
}

/** Used if DNS is off. */
export const explainNothing: Deps['explain'] = async () =>
  err(invalid('name', 'the DNS server is not running on this node'));
