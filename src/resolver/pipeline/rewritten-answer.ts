import type { ResourceRecord } from '../../dns/message.ts';
import { classes } from '../../dns/numbers.ts';
import {
  mailExchangeData,
  nameData,
  serviceBindingData,
  serviceLocationData,
  textData,
} from '../../dns/record-data.ts';
import type { RecordValue } from '../../rules/rule.ts';

/** A value of a `$dnsrewrite` rule as RDATA; undefined if it contains an invalid name. */
function recordData(value: RecordValue): Uint8Array | undefined {
  switch (value.kind) {
    case 'address':
      return value.bytes;
    case 'name':
      return nameData(value.name);
    case 'text':
      return textData(value.text);
    case 'mail exchange':
      return mailExchangeData(value.preference, target(value.exchange));
    case 'service location':
      return serviceLocationData(value.priority, value.weight, value.port, target(value.target));
    case 'service binding':
      return serviceBindingData(value.priority, target(value.target), value.parameters);
  }
}

/** In rules, the root name (meaning "this name itself" or "none") is written as an empty name. */
const target = (name: string): string => (name === '' ? '.' : name);

export function rewrittenRecords(
  name: Uint8Array,
  type: number,
  values: readonly RecordValue[],
  ttl: number,
): readonly ResourceRecord[] {
  return values.flatMap((value) => {
    const data = recordData(value);
    return data ? [{ name, type, class: classes.IN, ttl, data }] : [];
  });
}
