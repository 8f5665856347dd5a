import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BlockingSettings } from '../../../api/wire.ts';
import { useEditor } from '../draft/use-editor.ts';

type Props = {
  readonly label: string;
  readonly path: string;
  readonly value: BlockingSettings;
  readonly isDisabled: boolean;
  /** Label of the mode NONE, if it means the mode of other blocked domains. */
  readonly inheritedLabel?: string;
  readonly onChange: (value: BlockingSettings) => void;
};

type Mode = BlockingSettings['blocking_mode'];
const modes: readonly Mode[] = ['NULL_IP', 'NXDOMAIN', 'REFUSED', 'CUSTOM_IP', 'NONE'];
const addresses = [
  { member: 'ipv4_blocking_address', example: '192.0.2.1' },
  { member: 'ipv6_blocking_address', example: '2001:db8::1' },
] as const;

/** Blocking mode and its addresses. */
export function BlockingFields({ label, path, value, isDisabled, inheritedLabel, onChange }: Props) {
  const { t } = useTranslation('servers');
  const { errorOf } = useEditor();
  // The API keeps addresses that are missing, so removed ones must be sent as empty strings.
  const complete: BlockingSettings = {
    ipv4_blocking_address: '',
    ipv6_blocking_address: '',
    ...value,
  };
  const mode = value.blocking_mode;
  return (
    <Stack>
      <NativeSelect
        label={label}
        description={mode === 'NONE' && inheritedLabel !== undefined ? undefined : t(`modes.hint_${mode}`)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maw={420}
        disabled={isDisabled}
        value={mode}
        error={errorOf(`${path}.blocking_mode`)}
        data={modes.map((value) => ({
          value,
          label: (value === 'NONE' ? inheritedLabel : undefined) ?? t(`modes.${value}`),
        }))}
        onChange={(event) => onChange({ ...complete, blocking_mode: event.currentTarget.value as Mode })}
      />
      {mode === 'CUSTOM_IP' &&
        addresses.map(({ member, example }) => (
          <TextInput
            key={member}
            label={t(`modes.${member}`)}
            placeholder={example}
            dir="ltr"
            maw={420}
            autoComplete="off"
            disabled={isDisabled}
            value={complete[member] ?? ''}
            error={errorOf(`${path}.${member}`)}
            onChange={(event) => onChange({ ...complete, [member]: event.currentTarget.value })}
          />
        ))}
    </Stack>
  );
}
