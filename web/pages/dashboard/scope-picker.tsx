import { NativeSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { devicesQuery } from '../../api/devices.ts';
import { serversQuery } from '../../api/servers.ts';
import { periodText } from '../../components/period.ts';
import { PeriodPicker } from '../../components/period-picker.tsx';
import classes from './scope-picker.module.css';
import { type ScopeSearch, scopeOf } from './scope-search.ts';

/** More devices are found by typing: thousands of options would slow the page down. */
const MANY_DEVICES = 100;
const MAX_OPTIONS = 50;

type Props = { readonly search: ScopeSearch; readonly onChange: (change: ScopeSearch) => void };

export function ScopePicker({ search, onChange }: Props) {
  const { t } = useTranslation('dashboard');
  const { data: servers = [] } = useQuery(serversQuery);
  const { data: devices = [] } = useQuery(devicesQuery);
  const { period, server, device } = scopeOf(search);
  const ofServer = devices.filter(({ dns_server_id }) => server === undefined || dns_server_id === server);
  const options = (all: string, things: readonly { id: string; name: string }[]) => [
    { value: '', label: all },
    ...things.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <div className={classes['filters']}>
      <NativeSelect
        aria-label={t('scope.server')}
        data={options(t('scope.allServers'), servers)}
        value={server ?? ''}
        // The selected device may belong to another server.
        onChange={(event) => onChange({ server: event.currentTarget.value, device: '' })}
      />
      {ofServer.length > MANY_DEVICES ? (
        <Select
          searchable
          clearable
          limit={MAX_OPTIONS}
          aria-label={t('scope.device')}
          placeholder={t('scope.allDevices')}
          data={ofServer.map(({ id, name }) => ({ value: id, label: name }))}
          value={device ?? null}
          clearButtonProps={{ 'aria-label': t('scope.allDevices') }}
          onChange={(id) => onChange({ device: id ?? '' })}
        />
      ) : (
        <NativeSelect
          aria-label={t('scope.device')}
          data={options(t('scope.allDevices'), ofServer)}
          value={device ?? ''}
          onChange={(event) => onChange({ device: event.currentTarget.value })}
        />
      )}
      <PeriodPicker period={period} onChange={(next) => onChange({ period: periodText(next) })} />
    </div>
  );
}
