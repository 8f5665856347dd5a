import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { listStatsQuery } from '../../../api/statistics.ts';
import { useFormat } from '../../../components/format.tsx';
import { type Period, periodText } from '../../../components/period.ts';
import { useEditor } from '../draft/use-editor.ts';

const week: Period = { kind: 'last', minutes: 7 * 24 * 60 };

/** Queries of this profile that the list has blocked, with a link to them. */
export function ListHits({ list }: { list: string }) {
  const { t } = useTranslation('servers');
  const { number } = useFormat();
  const { server } = useEditor();
  const { data } = useQuery(listStatsQuery({ period: week, server: server.id }));
  if (!data) return null;
  const blocked = data.find(({ filter_id }) => filter_id === list)?.blocked ?? 0;
  const text = t('list.hits', { count: blocked, formatted: number(blocked) });
  return (
    <Text size="sm" c="dimmed">
      {blocked === 0 ? (
        text
      ) : (
        <Link
          className="subtle-link"
          to="/log"
          search={{
            period: periodText(week),
            servers: server.id,
            lists: list,
            statuses: 'REQUEST_BLOCKED,RESPONSE_BLOCKED',
          }}
          preload={false}
        >
          {text}
        </Link>
      )}
    </Text>
  );
}
