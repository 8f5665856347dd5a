import { SimpleGrid, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ExplainQuestion } from '../../../api/wire.ts';

type Client = Readonly<Record<'address' | 'mac' | 'host_name', string>>;

export const noClient: Client = { address: '', mac: '', host_name: '' };

/** The filled fields. */
export const clientOf = (client: Client): NonNullable<ExplainQuestion['client']> =>
  Object.fromEntries(
    Object.entries(client)
      .map(([field, text]) => [field, text.trim()])
      .filter(([, text]) => text !== ''),
  );

const fields = [
  ['address', '192.168.1.20'],
  ['mac', 'a0:b1:c2:d3:e4:f5'],
  ['host_name', 'laptop.lan'],
] as const;

type Props = {
  readonly value: Client;
  readonly onChange: (value: Client) => void;
  readonly errors: Readonly<Record<string, string>>;
};

/** Describes a client without a device id. */
export function ClientFields({ value, onChange, errors }: Props) {
  const { t } = useTranslation('servers');
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      {fields.map(([field, placeholder]) => (
        <TextInput
          key={field}
          label={t(`test.client.${field}`)}
          placeholder={placeholder}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={300}
          value={value[field]}
          error={errors[`client.${field}`]}
          onChange={(event) => onChange({ ...value, [field]: event.currentTarget.value })}
        />
      ))}
    </SimpleGrid>
  );
}
