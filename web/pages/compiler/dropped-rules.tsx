import { Box, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../components/format.tsx';
import { RuleText } from '../../components/rule-text.tsx';
import { serviceMessage } from '../../components/service-message.ts';
import classes from './line-view.module.css';
import { useStepName } from './use-step-name.ts';
import type { DroppedRule } from './worker-messages.ts';

// Maximum number of dropped rules that the service reports.
const MAX_REPORTED = 10_000;
const ROW_PX = 72;

/** Rules that were dropped, filtered by transformation. */
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
            ...[...steps].map(([name, stepRules]) => ({
              value: name,
              label: `${stepName(name)} (${number(stepRules.length)})`,
            })),
          ]}
        />
        {rules.length >= MAX_REPORTED && (
          <Text size="sm" c="dimmed">
            {t('dropped.first', { number: number(MAX_REPORTED) })}
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
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({
    count: rules.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scroll containers must be focusable for keyboard users
    <section ref={scroller} className={classes['frame']} aria-label={t('dropped.label')} tabIndex={0}>
      <Box pos="relative" h={virtualizer.getTotalSize()}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const { rule, source, line, step, reason } = rules[index]!;
          return (
            <div
              key={index}
              ref={virtualizer.measureElement}
              data-index={index}
              className={classes['reason']}
              style={{ transform: `translateY(${start}px)` }}
            >
              <RuleText rule={rule} />
              <Text size="sm" c="dimmed">
                {t('dropped.where', { step: stepName(step), source, line })}
              </Text>
              <Text size="sm">
                <bdi>{serviceMessage(reason)}</bdi>
              </Text>
            </div>
          );
        })}
      </Box>
    </section>
  );
}
