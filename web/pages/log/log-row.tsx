import { UnstyledButton } from '@mantine/core';
import { memo } from 'react';
import { DnsName } from '../../parts/dns-name.tsx';
import type { LogRow } from './log-rows.ts';
import classes from './log-table.module.css';
import { StatusBadge } from './status-badge.tsx';

type Props = {
  readonly row: LogRow;
  readonly index: number;
  readonly device: string;
  readonly country: string;
  readonly time: string;
  readonly isOpen: boolean;
  readonly onOpen: (row: LogRow) => void;
};

/** Of one height, whatever stands in it: so the place of every row is known before it is drawn. */
export const LogTableRow = memo(function LogTableRow({ row, index, device, country, time, isOpen, onOpen }: Props) {
  return (
    <tr aria-rowindex={index + 2} data-index={index} data-open={isOpen || undefined} className={classes['row']}>
      <td className={classes['time']}>{time}</td>
      <td className={classes['name']}>
        <UnstyledButton className={classes['open']} onClick={() => onOpen(row)}>
          <DnsName name={row.domain} />
        </UnstyledButton>
      </td>
      <td className={classes['type']}>{row.dns_request_type?.replace(/^Type/, '')}</td>
      <td className={classes['status']}>
        <StatusBadge status={row.filtering_info.filtering_status} />
      </td>
      <td className={classes['device']}>
        <bdi>{device}</bdi>
      </td>
      <td className={classes['country']}>{country}</td>
    </tr>
  );
});
