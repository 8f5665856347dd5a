import Type from 'typebox';
import { invalid } from '../domain/domain-error.ts';
import { parseLogCursor } from '../domain/log-query.ts';
import { err, ok } from '../kit/result.ts';
import { filterParameters, filtersFromWire } from './log-filters.ts';
import { mutation, type Operation, query } from './operation.ts';
import { rangeFromWire, rangeParameters } from './time-range.ts';
import { int32 } from './wire/named.ts';
import { QueryLogResponse } from './wire/query-log.ts';

const group = 'Query log';
const DEFAULT_LIMIT = 20;

export const queryLogOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/oapi/v1/query_log',
    operationId: 'getQueryLog',
    group,
    summary: 'Get the query log',
    description: 'Filters are combined. The cursors of a page are used with the same filters.',
    query: Type.Object({
      ...rangeParameters,
      ...filterParameters,
      limit: Type.Optional(
        int32({ minimum: 1, maximum: 1000, default: DEFAULT_LIMIT, description: 'Entries per page.' }),
      ),
      cursor: Type.Optional(Type.String({ maxLength: 100, description: 'The `page_cursor` of a previous response.' })),
    }),
    reply: QueryLogResponse,
    responseDescription: 'A page of the query log, newest first.',
    errors: [400],
    run: async (_store, { caller, query }, { log }) => {
      const range = rangeFromWire(query);
      if (!range.ok) return range;
      const filters = filtersFromWire(query);
      if (!filters.ok) return filters;
      const { limit = DEFAULT_LIMIT, cursor } = query;
      const position = cursor === undefined ? undefined : parseLogCursor(cursor);
      if (cursor !== undefined && !position) return err(invalid('cursor', 'is not a valid cursor'));
      const content = await log.pageJson(caller.account, {
        ...range.value,
        ...filters.value,
        limit,
        ...(position && { cursor: position }),
      });
      return ok({ headers: { 'content-type': 'application/json' }, content });
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/oapi/v1/query_log',
    operationId: 'clearQueryLog',
    group,
    summary: 'Clear the query log and statistics',
    description:
      'Hourly and daily query totals are retained because the request limit of the plan is counted from them. Deleted data is overwritten on disk within one minute.',
    status: 202,
    responseDescription: 'The query log is being cleared.',
    prepare: async ({ log }, { caller }) => ok(await log.clear(caller.account)),
    run: async () => ok({ reply: undefined, audit: { action: 'query_log.clear' } }),
  }),
];
