import { ActionIcon, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconSearch, IconTrash } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyWithUndo } from '../../../components/notify.tsx';
import { RuleText } from '../../../components/rule-text.tsx';
import { serviceMessage } from '../../../components/service-message.ts';
import { kindOf, lineError, switchOff, switchOn } from './rule-language.ts';
import classes from './rules.module.css';

type Props = {
  readonly rules: readonly string[];
  readonly isReadOnly: boolean;
  readonly onChange: (rules: string[]) => void;
};

const ROW_PX = 44;

/** Rules with switches. A disabled rule is stored as a comment, which other programs understand too. */
export function RuleSwitches({ rules, isReadOnly, onChange }: Props) {
  const { t } = useTranslation('servers');
  const [search, setSearch] = useState('');
  const scroller = useRef<HTMLDivElement>(null);
  const query = search.trim().toLowerCase();
  const rows = rules
    .map((line, lineIndex) => ({ line, lineIndex, kind: kindOf(line) }))
    .filter(({ line, kind }) => (kind === 'on' || kind === 'off') && line.toLowerCase().includes(query));
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const replace = (lineIndex: number, line: string): void =>
    onChange(rules.map((other, i) => (i === lineIndex ? line : other)));
  const remove = (lineIndex: number): void => {
    onChange(rules.filter((_, i) => i !== lineIndex));
    notifyWithUndo(t('rules.removed'), () => onChange([...rules]));
  };
  if (rules.length === 0) return <Text>{t('rules.none')}</Text>;
  return (
    <Stack gap="xs">
      <TextInput
        type="search"
        maw={360}
        aria-label={t('rules.search')}
        placeholder={t('rules.search')}
        leftSection={<IconSearch size={16} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {rows.length === 0 && <Text>{t('rules.noneFound')}</Text>}
      <div ref={scroller} className={classes['list']}>
        <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const { line, lineIndex, kind } = rows[index]!;
            const isOn = kind === 'on';
            const rule = isOn ? line.trim() : switchOn(line);
            const error = isOn ? lineError(line) : undefined;
            return (
              <div
                key={lineIndex}
                ref={virtualizer.measureElement}
                data-index={index}
                data-off={isOn ? undefined : true}
                className={classes['row']}
                style={{ position: 'absolute', insetInline: 0, top: start }}
              >
                <Switch
                  size="sm"
                  checked={isOn}
                  disabled={isReadOnly}
                  aria-label={t('rules.switch', { rule })}
                  onChange={() => replace(lineIndex, isOn ? switchOff(line) : switchOn(line))}
                />
                <Stack gap={0} flex={1} miw={0}>
                  <RuleText rule={rule} />
                  {error && (
                    <Text size="xs" c="var(--mantine-color-error)">
                      {serviceMessage(error.reason)}
                    </Text>
                  )}
                </Stack>
                {!isReadOnly && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('rules.remove', { rule })}
                    onClick={() => remove(lineIndex)}
                  >
                    <IconTrash size={16} stroke={1.6} />
                  </ActionIcon>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </Stack>
  );
}
