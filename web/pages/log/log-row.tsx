import { IconBan, IconCheck, type IconProps } from '@tabler/icons-react';
import { type ComponentType, memo } from 'react';
import { displayDomain } from '../../components/idn.ts';
import type { LogRow } from './log-rows.ts';
import classes from './log-table.module.css';
import { splitDomain } from './split-domain.ts';
import { isBlocked, type Status, StatusLabel } from './status-badge.tsx';

export type RowClient = { readonly name: string; readonly icon: ComponentType<IconProps> };

type Props = {
  readonly row: LogRow;
  readonly index: number;
  readonly client: RowClient;
  readonly time: string;
  readonly status: Status;
  readonly statusText: string;
  readonly reason: string;
  /** Empty if it is unknown. */
  readonly latency: string;
  /** Label of the button that allows or blocks the domain; undefined if the user may not. */
  readonly actionText: string | undefined;
  readonly isOpen: boolean;
  /** The one row that the Tab key reaches. */
  readonly isTabStop: boolean;
};

/**
 * Row of fixed height, so that its position is known before it renders, with as few elements as possible, because thousands
 * render per second. Clicks are handled by the table. Displays the domain like DomainName, but shortened in the middle.
 */
export const LogTableRow = memo(function LogTableRow(props: Props) {
  const { row, index, client, time, status, statusText, reason, latency, actionText, isOpen, isTabStop } = props;
  const displayed = displayDomain(row.domain);
  const [start, end] = splitDomain(displayed);
  const ActionIcon = isBlocked(status) ? IconCheck : IconBan;
  return (
    <tr aria-rowindex={index + 2} data-index={index} data-open={isOpen || undefined} className={classes['row']}>
      <td className={classes['time']}>{time}</td>
      <td className={classes['device']} dir="auto" title={client.name}>
        <client.icon size={16} stroke={1.6} aria-hidden />
        <span>{client.name}</span>
      </td>
      <td className={classes['name']}>
        <button
          type="button"
          dir="ltr"
          className={classes['open']}
          aria-label={displayed}
          title={row.domain}
          tabIndex={isTabStop ? 0 : -1}
          data-do="open"
        >
          <span className={classes['start']}>{start}</span>
          {end !== '' && <span className={classes['rest']}>{end}</span>}
        </button>
      </td>
      <td className={classes['type']}>{row.dns_request_type?.replace(/^Type/, '')}</td>
      <td className={classes['status']}>
        <StatusLabel status={status} text={statusText} />
        {reason !== '' && (
          <span className={classes['reason']} title={reason} dir="auto">
            {reason}
          </span>
        )}
      </td>
      <td className={classes['latency']}>{latency}</td>
      <td className={classes['action']}>
        {actionText !== undefined && (
          <button
            type="button"
            className={classes['act']}
            aria-label={`${actionText}: ${displayed}`}
            title={actionText}
            tabIndex={-1}
            data-do="decide"
          >
            <ActionIcon size={17} stroke={1.8} aria-hidden />
          </button>
        )}
      </td>
    </tr>
  );
});
