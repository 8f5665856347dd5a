import Type from 'typebox';
import { invalid } from '../domain/domain-error.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { ApiError } from './errors.ts';
import { int64 } from './wire/named.ts';

// Largest time of a JavaScript Date. Clients may send larger integers for "until now".
const LAST_TIME = 8.64e15;

const list = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { description, maxItems: 1000 }));

/** Parameters of all reads of the query log. */
export const rangeParameters = {
  time_from_millis: int64({
    minimum: 0,
    description: 'Start of the time range, in milliseconds since the Unix epoch.',
  }),
  time_to_millis: int64({
    minimum: 0,
    description: 'End of the time range (inclusive), in milliseconds since the Unix epoch.',
  }),
  devices: list('Filter by device.'),
  dns_servers: list('Filter by DNS server.'),
  countries: list('Filter by country of the response address.'),
};

type Update = {
  readonly time_from_millis: number;
  readonly time_to_millis: number;
  readonly devices?: readonly string[];
  readonly dns_servers?: readonly string[];
  readonly countries?: readonly string[];
};

type Range = {
  readonly from: number;
  readonly to: number;
  readonly devices?: readonly string[];
  readonly dnsServers?: readonly string[];
  readonly countries?: readonly string[];
};

export function rangeFromWire(input: Update): Result<Range, ApiError> {
  const { devices, dns_servers: dnsServers, countries } = input;
  const [from, to] = [Math.min(input.time_from_millis, LAST_TIME), Math.min(input.time_to_millis, LAST_TIME)];
  if (from > to) return err(invalid('time_to_millis', 'must not be before time_from_millis'));
  return ok({
    from,
    to,
    ...(devices && { devices }),
    ...(dnsServers && { dnsServers }),
    // Countries are stored in upper case.
    ...(countries && { countries: countries.map((country) => country.toUpperCase()) }),
  });
}
