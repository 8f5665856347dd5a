import { Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../components/format.tsx';
import { Section } from '../../components/section.tsx';
import { serviceMessage } from '../../components/service-message.ts';
import { type Compilation, cancel } from './compilation.ts';
import { CompileErrorAlert } from './compile-error-alert.tsx';
import type { SourceState } from './progress.ts';
import { useStepName } from './use-step-name.ts';

/** Progress of a compilation: one bar per source, one line per transformation. */
export function ProgressSection({ compilation }: { compilation: Compilation }) {
  const { t } = useTranslation('compiler');
  const { number } = useFormat();
  const stepName = useStepName();
  const { outcome, sources, steps } = compilation;
  const isRunning = outcome.kind === 'running';
  return (
    <Section
      title={t('progress.title')}
      actions={
        isRunning && (
          <Button variant="default" size="xs" onClick={cancel}>
            {t('progress.cancel')}
          </Button>
        )
      }
    >
      <Stack gap="sm">
        {sources.map((source, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of sources does not change
          <SourceBar key={at} source={source} isRunning={isRunning} />
        ))}
      </Stack>
      {steps.length > 0 && (
        <List size="sm" spacing={2}>
          {steps.map(({ name, before, after }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added
            <List.Item key={at}>
              {t('progress.step', {
                name: stepName(name),
                before: number(before),
                after: after === undefined ? '…' : number(after),
              })}
            </List.Item>
          ))}
        </List>
      )}
      <Text size="sm" role="status">
        {t(`progress.${outcome.kind}`)}
      </Text>
      {outcome.kind === 'failed' && <CompileErrorAlert problem={outcome.problem} />}
    </Section>
  );
}

const colours = { waiting: 'gray', reading: 'water', unfinished: 'gray', done: 'teal', failed: 'red' } as const;

function SourceBar({ source, isRunning }: { source: SourceState; isRunning: boolean }) {
  const { t } = useTranslation('compiler');
  const { number } = useFormat();
  const { name, share, lines, error } = source;
  // After a cancellation or an error reading has stopped.
  const isUnfinished = !isRunning && (source.state === 'waiting' || source.state === 'reading');
  const state = isUnfinished ? 'unfinished' : source.state;
  const isUnclear = share === undefined && isRunning;
  return (
    <div>
      <Group justify="space-between" gap="sm" wrap="nowrap" mb={4}>
        <Text size="sm" className="untrusted-text" truncate dir="ltr">
          {name}
        </Text>
        <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {state === 'done' ? t('progress.lines', { count: lines, number: number(lines) }) : t(`progress.${state}`)}
        </Text>
      </Group>
      <Progress
        aria-label={name}
        value={100 * (share ?? (isRunning ? 1 : 0))}
        color={colours[state]}
        animated={isUnclear}
        striped={isUnclear}
      />
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" mt={4}>
          <bdi>{serviceMessage(error)}</bdi>
        </Text>
      )}
    </div>
  );
}
