import { Anchor, Drawer, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { companiesQuery } from '../../api/catalogue.ts';
import { devicesQuery } from '../../api/devices.ts';
import { networkClientsQuery } from '../../api/network-clients.ts';
import { serversQuery } from '../../api/servers.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { DomainName } from '../../components/domain-name.tsx';
import { TimeText } from '../../components/format.tsx';
import { RuleText } from '../../components/rule-text.tsx';
import { useCanEdit } from '../../components/use-can-edit.ts';
import { useCategoryName } from '../../components/use-category-name.ts';
import { useCountryName } from '../../components/use-country-name.ts';
import { useListName } from '../../components/use-list-name.ts';
import { AllowPrivate } from './allow-private.tsx';
import { clientNames } from './client-names.ts';
import { CurrentDecision } from './current-decision.tsx';
import classes from './log-details.module.css';
import type { LogRow } from './log-rows.ts';
import { type LogSearch, wholeDomain } from './log-search.ts';
import { responseCode } from './response-code.ts';
import { RuleMenu } from './rule-menu.tsx';
import { isBlocked, StatusBadge } from './status-badge.tsx';
import { useLatency } from './use-latency.ts';
import { REBINDING_PROTECTION, useRecordedReason } from './use-reason.ts';

type Props = {
  readonly row: LogRow | undefined;
  readonly onClose: () => void;
  readonly onFilter: (change: LogSearch) => void;
};

/** Details of one query. */
export function LogDetails({ row, onClose, onFilter }: Props) {
  const { t } = useTranslation(['log', 'common']);
  return (
    <Drawer
      opened={row !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={t('details.title')}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      styles={{ title: { fontWeight: 650, fontSize: '1.125rem' } }}
      // The panel header must not be a banner landmark of the page.
      attributes={{ header: { role: 'presentation' } }}
    >
      {row && <Details key={row.key} row={row} onFilter={onFilter} />}
    </Drawer>
  );
}

function Details({ row, onFilter }: { row: LogRow; onFilter: Props['onFilter'] }) {
  const { t } = useTranslation('log');
  const canEdit = useCanEdit();
  const { data: servers } = useQuery(serversQuery);
  const { data: devices } = useQuery(devicesQuery);
  const device = devices?.find(({ id }) => id === row.device_id);
  const { filtering_info: filtering, dns_server_id: server } = row;
  const status = filtering.filtering_status ?? 'UNKNOWN';
  const isServerThere = servers?.some(({ id }) => id === server) ?? false;
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap">
          <Text fw={600} component="div" miw={0}>
            <DomainName name={row.domain} />
          </Text>
          <CopyButton text={row.domain} label={t('columns.name')} />
        </Group>
        <Group gap="xs">
          <StatusBadge status={status} />
          {filtering.filtering_type && <Text size="sm">{t(`sources.${filtering.filtering_type}`)}</Text>}
        </Group>
      </Stack>
      {canEdit && isServerThere && (
        <Group gap="xs">
          {(isBlocked(status) ? (['allow', 'block'] as const) : (['block', 'allow'] as const)).map((action) => (
            <RuleMenu key={action} decision={{ action, row, device }} />
          ))}
          {filtering.filter_rule === REBINDING_PROTECTION && <AllowPrivate domain={row.domain} server={server} />}
        </Group>
      )}
      <Facts row={row} onFilter={onFilter} />
      {isServerThere && <CurrentDecision row={row} server={server} />}
    </Stack>
  );
}

function Facts({ row, onFilter }: { row: LogRow; onFilter: Props['onFilter'] }) {
  const { t } = useTranslation('log');
  const country = useCountryName();
  const { data: devices = [] } = useQuery(devicesQuery);
  const { data: servers = [] } = useQuery(serversQuery);
  const { data: clients } = useQuery(networkClientsQuery);
  const { data: companies } = useQuery(companiesQuery);
  const nameOf = useListName();
  const latencyText = useLatency();
  const categoryName = useCategoryName();
  const { filtering_info: filtering, device_id: device, dns_server_id: server, company_id: company } = row;
  const filterLink = (change: LogSearch, label: ReactNode) => (
    <Anchor component="button" type="button" size="sm" onClick={() => onFilter(change)}>
      {label}
    </Anchor>
  );
  const facts: readonly (readonly [name: Fact, value: ReactNode])[] = [
    ['time', <TimeText key="time" millis={row.time_millis} />],
    ['list', filtering.filter_id && <bdi>{nameOf(filtering.filter_id)}</bdi>],
    ['rule', filtering.filter_rule && <RuleOrReason rule={filtering.filter_rule} />],
    ['service', filtering.blocked_service_id],
    ['content', filtering.filtering_category_id && categoryName(filtering.filtering_category_id)],
    ['device', device && <DeviceLink id={device} name={devices.find(({ id }) => id === device)?.name} />],
    ['server', server && <bdi>{servers.find(({ id }) => id === server)?.name ?? server}</bdi>],
    ['type', row.dns_request_type?.replace(/^Type/, '')],
    ['response', responseCode(row.dns_response_type)],
    ['latency', latencyText(row.latency_millis)],
    ['protocol', row.dns_proto_type && t(`protocols.${row.dns_proto_type}`)],
    ['dnssec', row.dnssec ? t('details.yes') : t('details.no')],
    ['company', company !== 'unknown' && (companies?.find(({ id }) => id === company)?.name ?? company)],
    ['category', t(`categories.${row.category_type}`)],
    ['country', row.response_country && country(row.response_country)],
    ['client', row.client_address && clientNames(clients?.items ?? []).get(row.client_address)],
    ['clientAddress', row.client_address],
    ['clientCountry', row.client_country && country(row.client_country)],
    ['network', networkText(row)],
  ];
  return (
    <Stack gap="xs">
      <dl className={classes['facts']}>
        {facts
          .filter(([, value]) => value !== undefined && value !== '' && value !== false)
          .map(([name, value]) => (
            <div key={name} className={classes['fact']}>
              <dt>{t(`details.${name}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <Group gap="md">
        {filterLink({ search: wholeDomain(row.domain) }, t('only.name'))}
        {device !== '' && filterLink({ devices: device }, t('only.device'))}
        {row.client_address !== undefined && filterLink({ clients: row.client_address }, t('only.client'))}
        {filtering.filter_id !== undefined && filterLink({ lists: filtering.filter_id }, t('only.list'))}
        {company !== 'unknown' && filterLink({ companies: company }, t('only.company'))}
      </Group>
    </Stack>
  );
}

function RuleOrReason({ rule }: { rule: string }) {
  const reason = useRecordedReason()(rule);
  return reason ?? <RuleText rule={rule} />;
}

type Fact =
  | 'time'
  | 'list'
  | 'rule'
  | 'service'
  | 'content'
  | 'device'
  | 'server'
  | 'type'
  | 'response'
  | 'latency'
  | 'protocol'
  | 'dnssec'
  | 'company'
  | 'category'
  | 'country'
  | 'client'
  | 'clientAddress'
  | 'clientCountry'
  | 'network';

const networkText = ({ network, asn }: LogRow): string =>
  [network, asn === undefined ? undefined : `AS${asn}`].filter(Boolean).join(', ');

/** Deleted devices are shown by id. */
const DeviceLink = ({ id, name }: { id: string; name: string | undefined }) =>
  name === undefined ? (
    <bdi>{id}</bdi>
  ) : (
    <Anchor size="sm" renderRoot={(props) => <Link to="/devices/$deviceId" params={{ deviceId: id }} {...props} />}>
      <bdi>{name}</bdi>
    </Anchor>
  );
