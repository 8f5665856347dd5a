import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DnsServer } from '../../api/wire.ts';

type Props = {
  readonly servers: readonly DnsServer[];
  /** Undefined: all DNS servers. */
  readonly server: string | undefined;
  readonly error?: string | undefined;
  readonly onChange: (server: string | undefined) => void;
};

export function ServerSelect({ servers, server, error, onChange }: Props) {
  const { t } = useTranslation('localNames');
  return (
    <NativeSelect
      label={t('server')}
      data={[{ value: '', label: t('allServers') }, ...servers.map(({ id, name }) => ({ value: id, label: name }))]}
      value={server ?? ''}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}
