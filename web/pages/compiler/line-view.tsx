import { Box, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../components/format.tsx';
import { RuleText } from '../../components/rule-text.tsx';
import { queryWorker } from './compilation.ts';
import classes from './line-view.module.css';
import type { LineSet } from './worker-messages.ts';

const LINE_PX = 22;
const CHUNK = 500;
// Browsers limit the height of elements; this many lines fit in all of them.
const PART_LINES = 200_000;

type Props = {
  readonly of: LineSet;
  readonly count: number;
  /** Changes with the list. */
  readonly version: string;
  readonly label: string;
};

/** Virtual list of lines; only visible lines are fetched and rendered. */
export function LineView({ of, count, version, label }: Props) {
  const [part, setPart] = useState(0);
  const first = Math.min(part, Math.floor(Math.max(count - 1, 0) / PART_LINES)) * PART_LINES;
  const last = Math.min(first + PART_LINES, count);
  return (
    <>
      {count > PART_LINES && (
        <Parts first={first} last={last} count={count} onChange={(to) => setPart(to / PART_LINES)} />
      )}
      <Window key={`${version} ${of} ${first}`} {...{ of, version, label, first, last }} />
    </>
  );
}

type PartsProps = {
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly onChange: (first: number) => void;
};

function Parts({ first, last, count, onChange }: PartsProps) {
  const { t } = useTranslation('compiler');
  const { number } = useFormat();
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" disabled={first === 0} onClick={() => onChange(first - PART_LINES)}>
        {t('lines.back')}
      </Button>
      <Text size="sm">{t('lines.part', { from: number(first + 1), to: number(last), all: number(count) })}</Text>
      <Button size="xs" variant="default" disabled={last === count} onClick={() => onChange(first + PART_LINES)}>
        {t('lines.on')}
      </Button>
    </Group>
  );
}

type WindowProps = Omit<Props, 'count'> & { readonly first: number; readonly last: number };

function Window({ of, version, label, first, last }: WindowProps) {
  const scroller = useRef<HTMLElement>(null);
  const lines = useVirtualizer({
    count: last - first,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
  });
  const visible = lines.getVirtualItems();
  const from = Math.floor((first + (visible[0]?.index ?? 0)) / CHUNK) * CHUNK;
  const to = Math.ceil((first + (visible.at(-1)?.index ?? 0) + 1) / CHUNK) * CHUNK;
  const { data } = useQuery({
    queryKey: ['compiled lines', version, of, from, to],
    queryFn: async () => ({ from, texts: await queryWorker<string[]>({ kind: 'lines', of, from, to }) }),
    placeholderData: (before) => before,
    gcTime: 0,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scroll containers must be focusable for keyboard users
    <section ref={scroller} className={classes['frame']} aria-label={label} tabIndex={0} dir="ltr">
      <Box pos="relative" h={lines.getTotalSize()}>
        {visible.map(({ index, start }) => (
          <div key={index} className={classes['line']} style={{ transform: `translateY(${start}px)` }}>
            <span className={classes['number']} aria-hidden>
              {first + index + 1}
            </span>
            <RuleText rule={data?.texts[first + index - data.from] ?? ''} />
          </div>
        ))}
      </Box>
    </section>
  );
}
