import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BlockingSettings } from '../../../api/wire.ts';
import { useEditor } from '../draft/use-editor.ts';

type Props = {
  readonly label: string;
  readonly path: string;
  readonly value: BlockingSettings | undefined;
  readonly isDisabled: boolean;
  /** What is said while there is no mode of its own. */
  readonly withoutOwn?: string;
  readonly onChange: (value: BlockingSettings) => void;
};

type Mode = BlockingSettings['blocking_mode'];
const modes: readonly Mode[] = ['NULL_IP', 'NXDOMAIN', 'REFUSED', 'CUSTOM_IP', 'NONE'];
const addresses = [
  { member: 'ipv4_blocking_address', like: '192.0.2.1' },
  { member: 'ipv6_blocking_address', like: '2001:db8::1' },
] as const;

/** How a blocked name is answered. */
export function BlockingFields({ label, path, value, isDisabled, withoutOwn, onChange }: Props) {
  const { t } = useTranslation('servers');
  const { errorOf } = useEditor();
  // An address that is left out stays as it is: whoever takes one away has to say so.
  const whole: BlockingSettings = {
    ipv4_blocking_address: '',
    ipv6_blocking_address: '',
    blocking_mode: 'NULL_IP',
    ...value,
  };
  const mode = value?.blocking_mode;
  return (
    <Stack>
      <NativeSelect
        label={label}
        description={mode && t(`modes.hint_${mode}`)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maw={420}
        disabled={isDisabled}
        value={mode ?? ''}
        error={errorOf(`${path}.blocking_mode`)}
        data={[
          ...(mode === undefined && withoutOwn !== undefined ? [{ value: '', label: withoutOwn }] : []),
          ...modes.map((value) => ({ value, label: t(`modes.${value}`) })),
        ]}
        onChange={(event) => onChange({ ...whole, blocking_mode: event.currentTarget.value as Mode })}
      />
      {mode === 'CUSTOM_IP' &&
        addresses.map(({ member, like }) => (
          <TextInput
            key={member}
            label={t(`modes.${member}`)}
            placeholder={like}
            dir="ltr"
            maw={420}
            autoComplete="off"
            disabled={isDisabled}
            value={whole[member] ?? ''}
            error={errorOf(`${path}.${member}`)}
            onChange={(event) => onChange({ ...whole, [member]: event.currentTarget.value })}
          />
        ))}
    </Stack>
  );
}
