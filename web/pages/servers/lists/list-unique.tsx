import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listOverlapQuery } from '../../../api/server-extensions.ts';
import { useFormat } from '../../../components/format.tsx';
import { useEditor } from '../draft/use-editor.ts';

/** A list with a smaller share of domains of its own is hardly needed. */
const LITTLE = 0.05;

/** Domains that only this list of the profile has. */
export function ListUnique({ list }: { list: string }) {
  const { t } = useTranslation('servers');
  const { number } = useFormat();
  const { server } = useEditor();
  const { data = [] } = useQuery(listOverlapQuery(server.id));
  const found = data.find(({ id }) => id === list);
  // A single list has no other to share domains with.
  if (!found || data.length < 2 || found.domains_count === 0) return null;
  const { domains_count: domains, unique_count: unique } = found;
  const isLittle = unique / domains < LITTLE;
  return (
    <Text size="sm" c={isLittle ? 'var(--state-partly)' : 'dimmed'}>
      {unique === 0
        ? t('list.noneUnique')
        : [
            t('list.unique', { unique: number(unique), domains: number(domains) }),
            ...(isLittle ? [t('list.littleNew')] : []),
          ].join('. ')}
    </Text>
  );
}
