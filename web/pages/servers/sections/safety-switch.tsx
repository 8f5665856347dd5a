import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { safetyListsQuery } from '../../../api/catalogue.ts';
import type { SafetyList } from '../../../api/wire.ts';
import { useFormat } from '../../../components/format.tsx';
import { serviceMessage } from '../../../components/service-message.ts';
import { SettingSwitch } from './setting-switch.tsx';

type Props = {
  readonly setting: SafetyList['setting'];
  readonly label: string;
  readonly hint: string;
  readonly isOn: boolean;
  readonly isDisabled: boolean;
  readonly error: string | undefined;
  readonly onChange: (isOn: boolean) => void;
};

/** A switch that needs lists: says so when it blocks nothing. */
export function SafetySwitch({ setting, hint, isOn, isDisabled, error, ...rest }: Props) {
  const { t } = useTranslation('servers');
  const { number } = useFormat();
  const { data = [] } = useQuery(safetyListsQuery);
  const safetyList = data.find((list) => list.setting === setting);
  const state = safetyList?.state;
  const count = safetyList?.rules_count ?? 0;
  // It can still be turned off.
  const hasNoList = state === 'no_list' && !isOn;
  const problem =
    state === 'no_list'
      ? t('safety.noList')
      : isOn && state === 'failed'
        ? t('safety.failed', { problem: serviceMessage(safetyList?.problem ?? '') })
        : undefined;
  const text =
    isOn && state === 'ready'
      ? `${hint} ${t('safety.rules', { count, number: number(count) })}`
      : isOn && state === 'loading'
        ? `${hint} ${t('safety.loading')}`
        : hint;
  return (
    <SettingSwitch {...rest} hint={text} isOn={isOn} isDisabled={isDisabled || hasNoList} error={error ?? problem} />
  );
}
