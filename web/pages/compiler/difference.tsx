import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../components/format.tsx';
import { LineView } from './line-view.tsx';
import type { Summary } from './worker-messages.ts';

type Props = { readonly difference: Summary['difference']; readonly version: string };

/** Rules added and removed since the previous version. */
export function Difference({ difference, version }: Props) {
  const { t } = useTranslation('compiler');
  const { number, time } = useFormat();
  if (!difference) return <Text size="sm">{t('difference.none')}</Text>;
  const { added, removed, before } = difference;
  const against =
    before === undefined ? t('difference.here') : t('difference.kept', { time: time(new Date(before).getTime()) });
  if (added + removed === 0)
    return (
      <Text size="sm">
        {t('difference.same')} {against}
      </Text>
    );
  return (
    <Stack gap="sm">
      <Text size="sm">{against}</Text>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <div>
          <Title order={3} mb="xs">
            {t('difference.added', { number: number(added) })}
          </Title>
          <LineView of="added" count={added} version={version} label={t('difference.added', { number: added })} />
        </div>
        <div>
          <Title order={3} mb="xs">
            {t('difference.removed', { number: number(removed) })}
          </Title>
          <LineView
            of="removed"
            count={removed}
            version={version}
            label={t('difference.removed', { number: removed })}
          />
        </div>
      </SimpleGrid>
    </Stack>
  );
}
