import { memo } from 'react';
import { displayDomain } from '../../components/idn.ts';
import type { LogRow } from './log-rows.ts';
import classes from './log-table.module.css';
import { type Status, StatusLabel } from './status-badge.tsx';

type Props = {
  readonly row: LogRow;
  readonly index: number;
  readonly device: string;
  readonly country: string;
  readonly time: string;
  readonly status: Status;
  readonly statusText: string;
  readonly isOpen: boolean;
  readonly onOpen: (row: LogRow) => void;
};

/**
 * Row of fixed height, so that its position is known before it renders, with as few elements as possible, because thousands
 * render per second. Displays the domain like DomainName, but without its wrapper element.
 */
export const LogTableRow = memo(function LogTableRow(props: Props) {
  const { row, index, device, country, time, status, statusText, isOpen, onOpen } = props;
  const displayed = displayDomain(row.domain);
  return (
    <tr aria-rowindex={index + 2} data-index={index} data-open={isOpen || undefined} className={classes['row']}>
      <td className={classes['time']}>{time}</td>
      <td className={classes['name']}>
        <button
          type="button"
          dir="ltr"
          className={classes['open']}
          title={displayed === row.domain ? undefined : row.domain}
          onClick={() => onOpen(row)}
        >
          {displayed}
        </button>
      </td>
      <td className={classes['type']}>{row.dns_request_type?.replace(/^Type/, '')}</td>
      <td className={classes['status']}>
        <StatusLabel status={status} text={statusText} />
      </td>
      <td className={classes['device']} dir="auto">
        {device}
      </td>
      <td className={classes['country']}>{country}</td>
    </tr>
  );
});
