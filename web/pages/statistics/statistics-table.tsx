import { Button, Group, Table, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Subject } from '../../api/statistics-rows.ts';
import { DomainName } from '../../components/domain-name.tsx';
import { useFormat } from '../../components/format.tsx';
import { type ComparedRow, type SortColumn, type Sorting, shareOf, sortedRows } from './comparison.ts';
import classes from './statistics-table.module.css';

type Props = {
  readonly by: Subject;
  readonly rows: readonly ComparedRow[];
  readonly columns: readonly SortColumn[];
  readonly nameOf: (key: string) => string;
};

const FIRST_ROWS = 100;

export function StatisticsTable({ by, rows, columns, nameOf }: Props) {
  const { t } = useTranslation('statistics');
  const { number } = useFormat();
  const [sorting, setSorting] = useState<Sorting>({
    column: by === 'time' ? 'key' : 'queries',
    isUp: false,
  });
  const [isAll, setAll] = useState(false);
  const sorted = sortedRows(rows, sorting, nameOf, by);
  const shown = isAll ? sorted : sorted.slice(0, FIRST_ROWS);
  const sort = (column: SortColumn): void =>
    setSorting({ column, isUp: sorting.column === column ? !sorting.isUp : column === 'key' });
  return (
    <>
      <div className={classes['container']}>
        <Table highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Heading
                  key={column}
                  column={column}
                  label={column === 'key' ? t(`subjects.${by}`) : t(`columns.${column}`)}
                  isNumber={column !== 'key'}
                  order={sorting.column === column ? (sorting.isUp ? 'ascending' : 'descending') : 'none'}
                  onClick={() => sort(column)}
                />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((row) => (
              <Table.Tr key={row.key}>
                {columns.map((column) => (
                  <Cell key={column} {...{ by, row, column, columns, nameOf }} />
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {sorted.length > shown.length && (
        <Group mt="sm">
          <Text size="sm" c="dimmed">
            {t('shown', { shown: number(shown.length), all: number(sorted.length) })}
          </Text>
          <Button size="compact-sm" variant="light" onClick={() => setAll(true)}>
            {t('showAll')}
          </Button>
        </Group>
      )}
    </>
  );
}

type HeadingProps = {
  readonly column: SortColumn;
  readonly label: string;
  readonly isNumber: boolean;
  readonly order: 'ascending' | 'descending' | 'none';
  readonly onClick: () => void;
};

function Heading({ column, label, isNumber, order, onClick }: HeadingProps) {
  const Arrow = order === 'ascending' ? IconArrowUp : IconArrowDown;
  return (
    <Table.Th aria-sort={order} ta={isNumber ? 'end' : 'start'} data-column={column}>
      <UnstyledButton fz="sm" fw={600} style={{ whiteSpace: 'nowrap' }} onClick={onClick}>
        {label} {order !== 'none' && <Arrow size={13} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  );
}

type CellProps = Omit<Props, 'rows'> & { readonly row: ComparedRow; readonly column: SortColumn };

/** Columns without room are shown below the number that they belong to. */
const detailsOf: Readonly<Partial<Record<SortColumn, readonly SortColumn[]>>> = {
  queries: ['before', 'change'],
  blocked: ['share'],
};

function Cell({ by, row, column, columns, nameOf }: CellProps) {
  const { t } = useTranslation('statistics');
  const { number, share } = useFormat();
  if (column === 'key') {
    return (
      <Table.Td maw={420} style={{ overflowWrap: 'anywhere' }}>
        {by === 'domains' ? <DomainName name={row.key} /> : <bdi>{nameOf(row.key)}</bdi>}
      </Table.Td>
    );
  }
  const texts: Readonly<Record<typeof column, string>> = {
    queries: number(row.queries),
    blocked: number(row.blocked ?? 0),
    share: share(shareOf(row)),
    before: number(row.before ?? 0),
    change: row.change === undefined ? '–' : signed(share(row.change), row.change),
  };
  return (
    <Table.Td ta="end" data-column={column}>
      {texts[column]}
      {detailsOf[column]
        ?.filter((detail) => columns.includes(detail))
        .map((detail) => (
          <span key={detail} className={classes['detail']} data-column={detail}>
            {detail === 'before' ? `${t('columns.before')}: ${texts[detail]}` : texts[detail as 'share' | 'change']}
          </span>
        ))}
    </Table.Td>
  );
}

const signed = (text: string, value: number): string => (value > 0 ? `+${text}` : text);
