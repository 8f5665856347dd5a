import type { Deps } from '../api/deps.ts';
import type { Dns } from '../dns-server/open-dns.ts';
import { invalid } from '../domain/domain-error.ts';
import { typeNumber } from '../kit/dns-numbers.ts';
import { err, ok } from '../kit/result.ts';
import { type AnswerPart, readAnswerPart } from '../resolver/explain/explain-answer.ts';
import { addressBytes } from '../resolver/identity/address-key.ts';
import { readHostName } from '../rules/read-host-name.ts';

/** Adapts the explanation of the resolver thread to the management API. */
export const explainWith =
  ({ explain }: Pick<Dns, 'explain'>): Deps['explain'] =>
  async ({ dnsServer, device, name: nameText, type: typeText, answer, clientAddress }) => {
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
    const query = { name: name.value, type, answer: parts, clientAddress: address };
    const explained = await explain({ dnsServer, device, query });
    return explained ? ok(explained) : err({ kind: 'not found', what: 'DNS server' });
  };

/** DNS is off. */
export const explainNothing: Deps['explain'] = async () =>
  err(invalid('name', 'the DNS server is not running on this node'));
