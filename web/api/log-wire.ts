// Types of the query log and statistics, derived from the API schemas.
import type { Static } from 'typebox';
import type * as explanation from '../../src/api/wire/explanation.ts';
import type * as clients from '../../src/api/wire/network-clients.ts';
import type * as log from '../../src/api/wire/query-log.ts';
import type * as statistics from '../../src/api/wire/statistics.ts';

export type LogItem = LogPage['items'][number];
export type LogPage = Static<typeof log.QueryLogResponse>;
export type Explanation = Static<typeof explanation.Explanation>;
export type TimeStats = Static<typeof statistics.TimeQueriesStatsList>['stats'];
export type DomainStats = Static<typeof statistics.DomainQueriesStatsList>['stats'];
export type CompanyStats = Static<typeof statistics.CompanyDetailedQueriesStatsList>['stats'];
export type CountryStats = Static<typeof statistics.CountryQueriesStatsList>['stats'];
export type CategoryStats = Static<typeof statistics.CategoryQueriesStatsList>['stats'];
export type ClientStats = Static<typeof clients.NetworkClientStatsList>['stats'];
export type DeviceStats = Static<typeof statistics.DeviceQueriesStatsList>['stats'];
