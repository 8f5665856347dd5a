import Type, { type Static } from 'typebox';
import { invalid } from '../domain/domain-error.ts';
import type { LogQuery } from '../domain/log-query.ts';
import { formatIp, parseIp } from '../kit/ip-address.ts';
import { formatNetwork, parseNetwork } from '../kit/ip-network.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { ApiError } from './errors.ts';
import { CategoryType, FilteringActionStatus } from './wire/query-log.ts';

/** Filters of the query log and the live log in addition to those of statistics. */
export const filterParameters = {
  companies: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { description: 'Filter by company id.' })),
  statuses: Type.Optional(Type.Array(FilteringActionStatus, { description: 'Filter by filtering result.' })),
  categories: Type.Optional(Type.Array(CategoryType, { description: 'Filter by category.' })),
  client_addresses: Type.Optional(
    Type.Array(Type.String({ maxLength: 49 }), {
      maxItems: 100,
      description: 'Filter by address or network of the client, as in `client_address` of the entries.',
    }),
  ),
  filter_ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 255 }), {
      maxItems: 1000,
      description: 'Filter by the list that decided, as in `filter_id` of the entries.',
    }),
  ),
  search: Type.Optional(
    Type.String({ maxLength: 255, description: 'Substring of the domain; in double quotes, the whole domain.' }),
  ),
};

const Filters = Type.Object(filterParameters);

type Filters = Pick<LogQuery, 'companies' | 'statuses' | 'categories' | 'clientAddresses' | 'lists' | 'search'>;

export function filtersFromWire(query: Static<typeof Filters>): Result<Filters, ApiError> {
  const { companies, statuses, categories, filter_ids: lists, search } = query;
  const clientAddresses = query.client_addresses?.map(addressText);
  const wrong = clientAddresses?.indexOf(undefined) ?? -1;
  if (wrong !== -1) return err(invalid(`client_addresses[${wrong}]`, 'must be an IP address or a network'));
  return ok({
    ...(companies && { companies }),
    ...(statuses && { statuses }),
    ...(categories && { categories }),
    ...(clientAddresses && { clientAddresses: clientAddresses.filter((address) => address !== undefined) }),
    ...(lists && { lists }),
    ...(search && { search: search.toLowerCase() }),
  });
}

/** Canonical form, as in the log. */
function addressText(text: string): string | undefined {
  const [address, network] = [parseIp(text), parseNetwork(text)];
  return address ? formatIp(address) : network && formatNetwork(network);
}
