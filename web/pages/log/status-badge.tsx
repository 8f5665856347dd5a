import { useTranslation } from 'react-i18next';
import type { LogItem } from '../../api/wire.ts';
import classes from './status-badge.module.css';

export type Status = NonNullable<LogItem['filtering_info']['filtering_status']>;

export const statuses = [
  'NONE',
  'REQUEST_BLOCKED',
  'RESPONSE_BLOCKED',
  'REQUEST_ALLOWED',
  'RESPONSE_ALLOWED',
  'MODIFIED',
] as const satisfies readonly Status[];

const colours: Readonly<Record<Status, 'gray' | 'red' | 'water' | 'blue'>> = {
  NONE: 'gray',
  UNKNOWN: 'gray',
  REQUEST_BLOCKED: 'red',
  RESPONSE_BLOCKED: 'red',
  REQUEST_ALLOWED: 'water',
  RESPONSE_ALLOWED: 'water',
  MODIFIED: 'blue',
};

export const isBlocked = (status: Status): boolean => status === 'REQUEST_BLOCKED' || status === 'RESPONSE_BLOCKED';

export function useStatusText(): (status: Status) => string {
  const { t } = useTranslation('log');
  return (status) => t(`statuses.${status}`);
}

/** Result of a query as text with a colour. */
export const StatusLabel = ({ status, text }: { status: Status; text: string }) => (
  <span className={classes['badge']} data-colour={colours[status]}>
    {text}
  </span>
);

export function StatusBadge({ status = 'UNKNOWN' }: { status?: Status | undefined }) {
  return <StatusLabel status={status} text={useStatusText()(status)} />;
}
