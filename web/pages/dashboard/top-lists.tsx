import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { devicesQuery } from '../../api/devices.ts';
import { networkClientsQuery } from '../../api/network-clients.ts';
import {
  categoryStatsQuery,
  companyIdOf,
  companyStatsQuery,
  countryStatsQuery,
  deviceStatsQuery,
  domainStatsQuery,
  listStatsQuery,
  type Scope,
  timeStatsQuery,
} from '../../api/statistics.ts';
import type { NetworkClient } from '../../api/wire.ts';
import { BarList } from '../../components/bar-list.tsx';
import { DomainName } from '../../components/domain-name.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';
import { useCompanyName } from '../../components/use-company-name.ts';
import { UNKNOWN_COUNTRY, useCountryName } from '../../components/use-country-name.ts';
import { useListName } from '../../components/use-list-name.ts';
import { logOfClient } from '../clients/log-of-client.ts';
import { useClientName } from '../clients/use-client-name.ts';
import { type LogSearch, wholeDomain } from '../log/log-search.ts';
import { useCategoryName } from '../log/use-category-name.ts';
import { BLOCKED_STATUSES, logSearch } from './log-search-of.ts';

const MAX_BARS = 8;

const LogLink = ({ scope, filter, children }: { scope: Scope; filter: LogSearch; children: ReactNode }) => (
  <Link className="subtle-link" to="/log" search={logSearch(scope, filter)} preload={false}>
    {children}
  </Link>
);

type QueryResult<Row> = {
  readonly data: readonly Row[] | undefined;
  readonly isError: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
};
type Bar = { readonly key: string; readonly label: ReactNode; readonly value: number };

type TopListProps<Row> = {
  readonly title: string;
  readonly query: QueryResult<Row>;
  readonly bar: (row: Row) => Bar;
  readonly colour?: 'blocked';
  /** All queries, of which the bars are shares; by default the sum of all rows. */
  readonly total?: number | undefined;
};

function TopList<Row>({ title, query, bar, colour, total }: TopListProps<Row>) {
  const { t } = useTranslation('dashboard');
  const all = query.data?.map(bar);
  const totalValue = total ?? all?.reduce((sum, { value }) => sum + value, 0) ?? 0;
  const bars = all
    ?.filter(({ value }) => value > 0)
    .toSorted((one, other) => other.value - one.value)
    .slice(0, MAX_BARS);
  return (
    <Section title={title}>
      {bars === undefined ? (
        query.isError ? (
          <ErrorState error={query.error} retry={query.refetch} />
        ) : (
          <LoadingState />
        )
      ) : bars.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('nothing')}
        </Text>
      ) : (
        <BarList
          label={title}
          total={totalValue}
          rows={bars.map((row) => ({ ...row, ...(colour !== undefined && { colour }) }))}
        />
      )}
    </Section>
  );
}

/** Queries of the whole period; lists of domains and companies are cut off, so their sum is less. */
function useTotal(scope: Scope, of: 'queries' | 'blocked'): number | undefined {
  const { data } = useQuery(timeStatsQuery(scope));
  return data?.reduce((sum, { value }) => sum + value[of], 0);
}

export function TopDomains({ scope, of }: { scope: Scope; of: 'queries' | 'blocked' }) {
  const { t } = useTranslation('dashboard');
  const query = useQuery(domainStatsQuery(scope));
  const total = useTotal(scope, of);
  const filter = of === 'blocked' ? BLOCKED_STATUSES : {};
  return (
    <TopList
      title={t(of === 'blocked' ? 'top.blocked' : 'top.domains')}
      query={query}
      total={total}
      {...(of === 'blocked' && { colour: 'blocked' })}
      bar={({ domain, value }) => ({
        key: domain,
        value: value[of],
        label: (
          <LogLink scope={scope} filter={{ search: wholeDomain(domain), ...filter }}>
            <DomainName name={domain} />
          </LogLink>
        ),
      })}
    />
  );
}

export function TopDevices({ scope }: { scope: Scope }) {
  const { t } = useTranslation('dashboard');
  const { data: devices } = useQuery(devicesQuery);
  return (
    <TopList
      title={t('top.devices')}
      query={useQuery(deviceStatsQuery(scope))}
      total={useTotal(scope, 'queries')}
      bar={({ device_id: id, value }) => ({
        key: id,
        value: value.queries,
        label: (
          <LogLink scope={scope} filter={{ devices: id }}>
            <bdi>{devices?.find((device) => device.id === id)?.name ?? id}</bdi>
          </LogLink>
        ),
      })}
    />
  );
}

/** Absent where the account has no network clients, as on a public server: then its texts are not loaded. */
export function TopClients() {
  const query = useQuery(networkClientsQuery);
  return query.data && query.data.items.length > 0 ? <ClientBars items={query.data.items} /> : null;
}

function ClientBars({ items }: { items: readonly NetworkClient[] }) {
  const { t } = useTranslation('dashboard');
  const clientName = useClientName();
  const query = useQuery(networkClientsQuery);
  return (
    <TopList
      title={t('top.clients')}
      query={{ ...query, data: [...items] }}
      bar={(client) => ({
        key: client.id,
        value: client.queries_last_day,
        label: (
          <Link className="subtle-link" to="/log" search={logOfClient(client) ?? {}} preload={false}>
            <bdi>{clientName(client)}</bdi>
          </Link>
        ),
      })}
    />
  );
}

export function TopCompanies({ scope }: { scope: Scope }) {
  const { t } = useTranslation('dashboard');
  const companyName = useCompanyName();
  const navigate = useNavigate();
  const opening = useAction((domain: string) => companyIdOf(domain, scope), {
    // Log rows expire before statistics do; without a row the domain is used as the filter.
    onDone: (id, domain) =>
      void navigate({
        to: '/log',
        search: logSearch(scope, id === undefined ? { search: wholeDomain(domain) } : { companies: id }),
      }),
  });
  return (
    <TopList
      title={t('top.companies')}
      query={useQuery(companyStatsQuery(scope))}
      total={useTotal(scope, 'queries')}
      bar={({ company_name: name, top_queries_domain: domain, value }) => ({
        key: name,
        value: value.queries,
        label: (
          <button type="button" className="subtle-link" onClick={() => opening.mutate(domain)}>
            <bdi>{companyName(name)}</bdi>
          </button>
        ),
      })}
    />
  );
}

/** Blocked queries by the list that blocked them. */
export function TopFilterLists({ scope }: { scope: Scope }) {
  const { t } = useTranslation('dashboard');
  const listName = useListName();
  return (
    <TopList
      title={t('top.lists')}
      query={useQuery(listStatsQuery(scope))}
      total={useTotal(scope, 'blocked')}
      colour="blocked"
      bar={({ filter_id: id, blocked }) => ({
        key: id,
        value: blocked,
        label: (
          <LogLink scope={scope} filter={{ lists: id, ...BLOCKED_STATUSES }}>
            <bdi>{listName(id)}</bdi>
          </LogLink>
        ),
      })}
    />
  );
}

export function TopCategories({ scope }: { scope: Scope }) {
  const { t } = useTranslation('dashboard');
  const categoryName = useCategoryName();
  return (
    <TopList
      title={t('top.categories')}
      query={useQuery(categoryStatsQuery(scope))}
      bar={({ category_type: category, queries }) => ({
        key: category,
        value: queries,
        label: (
          <LogLink scope={scope} filter={{ categories: category }}>
            {categoryName(category)}
          </LogLink>
        ),
      })}
    />
  );
}

export function TopCountries({ scope }: { scope: Scope }) {
  const { t } = useTranslation('dashboard');
  const countryName = useCountryName();
  const query = useQuery(countryStatsQuery(scope));
  // Without a GeoIP database none is known.
  if (query.data?.every(({ country }) => country === UNKNOWN_COUNTRY)) return null;
  return (
    <TopList
      title={t('top.countries')}
      query={query}
      bar={({ country, value }) => ({
        key: country,
        value: value.queries,
        label: (
          <LogLink scope={scope} filter={{ countries: country }}>
            {countryName(country)}
          </LogLink>
        ),
      })}
    />
  );
}
