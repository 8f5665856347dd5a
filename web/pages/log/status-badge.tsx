import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { LogItem } from '../../api/log-wire.ts';

export type Status = NonNullable<LogItem['filtering_info']['filtering_status']>;

export const statuses = [
  'NONE',
  'REQUEST_BLOCKED',
  'RESPONSE_BLOCKED',
  'REQUEST_ALLOWED',
  'RESPONSE_ALLOWED',
  'MODIFIED',
] as const satisfies readonly Status[];

const colours: Readonly<Record<Status, string>> = {
  NONE: 'gray',
  UNKNOWN: 'gray',
  REQUEST_BLOCKED: 'red',
  RESPONSE_BLOCKED: 'red',
  REQUEST_ALLOWED: 'water',
  RESPONSE_ALLOWED: 'water',
  MODIFIED: 'blue',
};

export const isBlocked = (status: Status): boolean => status === 'REQUEST_BLOCKED' || status === 'RESPONSE_BLOCKED';

/** What became of a query: by word, and by colour for whoever sees it. */
export function StatusBadge({ status = 'UNKNOWN' }: { status?: Status | undefined }) {
  const { t } = useTranslation('log');
  return (
    <Badge variant="light" color={colours[status]} tt="none" fw={600} radius="sm">
      {t(`statuses.${status}`)}
    </Badge>
  );
}
