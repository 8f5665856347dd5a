import { Box, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../components/format.tsx';
import { RuleText } from '../../components/rule-text.tsx';
import classes from './line-view.module.css';
import { useStepName } from './use-step-name.ts';
import type { DroppedRule } from './worker-messages.ts';

// As many as the service tells at most.
const MOST = 10_000;
const ROW_PX = 72;

/** Every rule that did not make it, and why; by the step that dropped it. */
export function DroppedRules({ rules }: { rules: readonly DroppedRule[] }) {
  const { t } = useTranslation('compiler');
  const stepName = useStepName();
  const { number } = useFormat();
  const [step, setStep] = useState('');
  if (rules.length === 0) return <Text size="sm">{t('dropped.none')}</Text>;
  const steps = Map.groupBy(rules, (rule) => rule.step);
  const shown = steps.get(step) ?? rules;
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label={t('dropped.step')}
          value={step}
          onChange={(event) => setStep(event.currentTarget.value)}
          data={[
            { value: '', label: t('dropped.all', { number: number(rules.length) }) },
            ...[...steps].map(([name, those]) => ({
              value: name,
              label: `${stepName(name)} (${number(those.length)})`,
            })),
          ]}
        />
        {rules.length >= MOST && (
          <Text size="sm" c="dimmed">
            {t('dropped.first', { number: number(MOST) })}
          </Text>
        )}
      </Group>
      <Rows key={step} rules={shown} />
    </Stack>
  );
}

function Rows({ rules }: { rules: readonly DroppedRule[] }) {
  const { t } = useTranslation('compiler');
  const stepName = useStepName();
  const frame = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: rules.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with the keyboard, too
    <section ref={frame} className={classes['frame']} aria-label={t('dropped.label')} tabIndex={0}>
      <Box pos="relative" h={rows.getTotalSize()}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const { rule, source, line, step, reason } = rules[index]!;
          return (
            <div
              key={index}
              ref={rows.measureElement}
              data-index={index}
              className={classes['reason']}
              style={{ transform: `translateY(${start}px)` }}
            >
              <RuleText rule={rule} />
              <Text size="sm" c="dimmed">
                {t('dropped.where', { step: stepName(step), source, line })}
              </Text>
              <Text size="sm">
                <bdi>{reason}</bdi>
              </Text>
            </div>
          );
        })}
      </Box>
    </section>
  );
}
