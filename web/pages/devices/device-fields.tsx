import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DeviceCreate, DeviceType, DnsServer } from '../../api/wire.ts';
import { deviceTypes } from './device-icons.ts';

type Props = {
  readonly value: DeviceCreate;
  readonly onChange: (value: DeviceCreate) => void;
  readonly servers: readonly DnsServer[];
  readonly errors: Readonly<Record<string, string>>;
  readonly isReadOnly?: boolean;
};

const MAX_NAME = 64;

export function DeviceFields({ value, onChange, servers, errors, isReadOnly = false }: Props) {
  const { t } = useTranslation('devices');
  return (
    <Stack>
      <TextInput
        label={t('name')}
        required
        maxLength={MAX_NAME}
        readOnly={isReadOnly}
        autoComplete="off"
        data-autofocus
        value={value.name}
        error={errors['name']}
        onChange={(event) => onChange({ ...value, name: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('type')}
        disabled={isReadOnly}
        value={value.device_type}
        error={errors['device_type']}
        data={deviceTypes.map((type) => ({ value: type, label: t(`types.${type}`) }))}
        onChange={(event) => onChange({ ...value, device_type: event.currentTarget.value as DeviceType })}
      />
      <NativeSelect
        label={t('server')}
        disabled={isReadOnly}
        value={value.dns_server_id}
        error={errors['dns_server_id']}
        data={servers.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(event) => onChange({ ...value, dns_server_id: event.currentTarget.value })}
      />
    </Stack>
  );
}
