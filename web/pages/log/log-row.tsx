import { memo } from 'react';
import { showName } from '../../components/idn.ts';
import type { LogRow } from './log-rows.ts';
import classes from './log-table.module.css';
import { type Status, StatusMark } from './status-badge.tsx';

type Props = {
  readonly row: LogRow;
  readonly index: number;
  readonly device: string;
  readonly country: string;
  readonly time: string;
  readonly status: Status;
  readonly statusWords: string;
  readonly isOpen: boolean;
  readonly onOpen: (row: LogRow) => void;
};

/**
 * Of one height, whatever stands in it, so that its place is known before it is drawn; and as few elements as it can be, because
 * thousands are drawn in a second. The name is shown as DnsName does it, without an element more.
 */
export const LogTableRow = memo(function LogTableRow(props: Props) {
  const { row, index, device, country, time, status, statusWords, isOpen, onOpen } = props;
  const shown = showName(row.domain);
  return (
    <tr aria-rowindex={index + 2} data-index={index} data-open={isOpen || undefined} className={classes['row']}>
      <td className={classes['time']}>{time}</td>
      <td className={classes['name']}>
        <button
          type="button"
          dir="ltr"
          className={classes['open']}
          title={shown === row.domain ? undefined : row.domain}
          onClick={() => onOpen(row)}
        >
          {shown}
        </button>
      </td>
      <td className={classes['type']}>{row.dns_request_type?.replace(/^Type/, '')}</td>
      <td className={classes['status']}>
        <StatusMark status={status} words={statusWords} />
      </td>
      <td className={classes['device']} dir="auto">
        {device}
      </td>
      <td className={classes['country']}>{country}</td>
    </tr>
  );
});
