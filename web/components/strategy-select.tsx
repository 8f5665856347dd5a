import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { UpstreamStrategy } from '../api/wire.ts';

type Choice = UpstreamStrategy | 'default';

const choices: readonly Choice[] = ['default', 'fastest', 'parallel', 'ordered'];

type Props = {
  readonly upstreams: readonly string[];
  /** Undefined: the operator's. */
  readonly strategy: UpstreamStrategy | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (strategy: UpstreamStrategy | undefined) => void;
};

/** Hidden for a single upstream, where nothing is selected. */
export function StrategySelect({ upstreams, strategy, isReadOnly, onChange }: Props) {
  const { t } = useTranslation('common');
  if (upstreams.length < 2) return null;
  return (
    <NativeSelect
      label={t('strategy.label')}
      description={t(`strategy.hints.${strategy ?? 'default'}`)}
      maw={560}
      data={choices.map((value) => ({ value, label: t(`strategy.names.${value}`) }))}
      value={strategy ?? 'default'}
      disabled={isReadOnly}
      onChange={(event) => {
        const chosen = choices.find((choice) => choice === event.currentTarget.value);
        onChange(chosen === 'default' ? undefined : chosen);
      }}
    />
  );
}
