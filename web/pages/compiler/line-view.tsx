import { Box, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../components/format.tsx';
import { RuleText } from '../../components/rule-text.tsx';
import { ask } from './compilation.ts';
import classes from './line-view.module.css';
import type { ShownLines } from './worker-messages.ts';

const LINE_PX = 22;
const CHUNK = 500;
// No browser has elements of any height; so many lines have room in all of them.
const PART = 200_000;

type Props = {
  readonly of: ShownLines;
  readonly count: number;
  /** Another list has another. */
  readonly version: string;
  readonly label: string;
};

/** Lines of a list, of which only those are fetched and drawn that are seen. */
export function LineView({ of, count, version, label }: Props) {
  const [part, setPart] = useState(0);
  const first = Math.min(part, Math.floor(Math.max(count - 1, 0) / PART)) * PART;
  const last = Math.min(first + PART, count);
  return (
    <>
      {count > PART && <Parts first={first} last={last} count={count} onChange={(to) => setPart(to / PART)} />}
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
      <Button size="xs" variant="default" disabled={first === 0} onClick={() => onChange(first - PART)}>
        {t('lines.back')}
      </Button>
      <Text size="sm">{t('lines.part', { from: number(first + 1), to: number(last), all: number(count) })}</Text>
      <Button size="xs" variant="default" disabled={last === count} onClick={() => onChange(first + PART)}>
        {t('lines.on')}
      </Button>
    </Group>
  );
}

type WindowProps = Omit<Props, 'count'> & { readonly first: number; readonly last: number };

function Window({ of, version, label, first, last }: WindowProps) {
  const frame = useRef<HTMLElement>(null);
  const lines = useVirtualizer({
    count: last - first,
    getScrollElement: () => frame.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
  });
  const seen = lines.getVirtualItems();
  const from = Math.floor((first + (seen[0]?.index ?? 0)) / CHUNK) * CHUNK;
  const to = Math.ceil((first + (seen.at(-1)?.index ?? 0) + 1) / CHUNK) * CHUNK;
  const { data } = useQuery({
    queryKey: ['compiled lines', version, of, from, to],
    queryFn: async () => ({ from, texts: await ask<string[]>({ kind: 'lines', of, from, to }) }),
    placeholderData: (before) => before,
    gcTime: 0,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with the keyboard, too
    <section ref={frame} className={classes['frame']} aria-label={label} tabIndex={0} dir="ltr">
      <Box pos="relative" h={lines.getTotalSize()}>
        {seen.map(({ index, start }) => (
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
