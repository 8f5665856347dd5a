import { Badge, Group, Loader, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ListHealth } from '../../../api/wire.ts';
import { TimeAgo, useFormat } from '../../../components/format.tsx';
import { serviceMessage } from '../../../components/service-message.ts';
import { useBytes } from '../../../components/use-bytes.ts';

type HealthFields = Pick<
  ListHealth,
  'rules_count' | 'invalid_count' | 'is_in_use' | 'time_updated' | 'problem' | 'download'
> &
  Partial<Pick<ListHealth, 'is_built_in'>>;

type Props = {
  readonly health: HealthFields | undefined;
  /** In the saved settings: the service downloads it. */
  readonly isOn: boolean;
  /** Switched on, but not saved yet. */
  readonly isUnsaved?: boolean;
};

/** Size, age and errors of a list. */
export function ListHealthSummary({ health, isOn, isUnsaved = false }: Props) {
  const { t } = useTranslation('servers');
  const { number } = useFormat();
  const bytes = useBytes();
  const progressText = ({ received_bytes: received, total_bytes: total }: NonNullable<ListHealth['download']>) =>
    total === undefined || total === 0
      ? t('list.downloaded', { size: bytes(received) })
      : t('list.downloading', { share: number(received / total, { style: 'percent' }), size: bytes(total) });
  if (!health) return <Text size="sm">{t('list.unknown')}</Text>;
  const {
    time_updated: updated,
    problem,
    rules_count: rules = 0,
    invalid_count: invalid = 0,
    is_in_use: isInUse,
  } = health;
  return (
    <>
      <Group gap={6} fz="sm">
        {updated === undefined ? (
          <Text size="sm" c="dimmed">
            {isOn && problem === undefined && <Loader size={12} mr={6} aria-hidden />}
            {health.is_built_in
              ? t('list.builtIn', { formatted: number(rules) })
              : isOn && health.download
                ? progressText(health.download)
                : t(isOn ? 'list.soon' : isUnsaved ? 'list.afterSave' : 'list.notFetched')}
          </Text>
        ) : (
          <>
            <span>{t('list.rules', { count: rules, formatted: number(rules) })}</span>
            <span aria-hidden>·</span>
            <span>
              {t('list.updated')} <TimeAgo millis={Date.parse(updated)} />
            </span>
            {invalid > 0 && (
              <>
                <span aria-hidden>·</span>
                <span>{t('list.invalid', { count: invalid, formatted: number(invalid) })}</span>
              </>
            )}
            {isInUse && problem === undefined && (
              <Badge size="sm" variant="dot" color="green">
                {t('list.healthy')}
              </Badge>
            )}
          </>
        )}
      </Group>
      {problem !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)">
          {t('list.problem', { problem: serviceMessage(problem) })}
        </Text>
      )}
    </>
  );
}
