import { Switch } from '@mantine/core';

type Props = {
  readonly label: string;
  readonly hint?: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly error?: string | undefined;
  readonly onChange: (isOn: boolean) => void;
};

export const SettingSwitch = ({ label, hint, isOn, isDisabled = false, error, onChange }: Props) => (
  <Switch
    label={label}
    description={hint}
    checked={isOn}
    disabled={isDisabled}
    error={error}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
);
