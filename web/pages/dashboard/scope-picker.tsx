import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { devicesQuery } from '../../api/devices.ts';
import { serversQuery } from '../../api/servers.ts';
import { periodText } from '../../components/period.ts';
import { PeriodPicker } from '../../components/period-picker.tsx';
import classes from './scope-picker.module.css';
import { type ScopeSearch, scopeOf } from './scope-search.ts';

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
      <NativeSelect
        aria-label={t('scope.device')}
        data={options(t('scope.allDevices'), ofServer)}
        value={device ?? ''}
        onChange={(event) => onChange({ device: event.currentTarget.value })}
      />
      <PeriodPicker period={period} onChange={(next) => onChange({ period: periodText(next) })} />
    </div>
  );
}
