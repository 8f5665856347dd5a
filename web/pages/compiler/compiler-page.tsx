import { Alert, Button, Group, NativeSelect, SegmentedControl, Stack } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyWithUndo } from '../../components/notify.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { useKept } from '../../components/use-persisted-state.ts';
import { AdvancedForm } from './advanced-form.tsx';
import { compile, useCompilation } from './compilation.ts';
import { type Format, formats } from './configuration.ts';
import { type Draft, draftOf, emptyConfiguration, readDraft, switchView, type View } from './draft.ts';
import type { examples } from './examples.ts';
import { ExamplesMenu } from './examples-menu.tsx';
import { ProgressSection } from './progress-section.tsx';
import { ResultSection } from './result-section.tsx';
import { isFormComplete, SimpleForm } from './simple-form.tsx';
import { checkText } from './validate-text.ts';

type Trouble = 'none' | 'cannot switch' | 'cannot compile';

export function CompilerPage() {
  const { t } = useTranslation('compiler');
  const [draft, setDraft] = useKept<Draft>('compiler draft', () => draftOf(emptyConfiguration, 'simple'));
  const [trouble, setTrouble] = useState<Trouble>('none');
  const compilation = useCompilation();
  const { view } = draft;

  const change = (next: Draft): void => {
    setDraft(next);
    setTrouble('none');
  };
  const show = (next: View): void => {
    const switched = switchView(draft, next);
    if (switched) change(switched);
    else setTrouble('cannot switch');
  };
  const start = (): void => {
    const configuration = readDraft(draft);
    const isReady = configuration !== undefined && isComplete(draft);
    setTrouble(isReady ? 'none' : 'cannot compile');
    if (isReady) compile({ configuration, format: draft.format });
  };
  const begin = ({ id, configuration, format }: (typeof examples)[number]): void => {
    change(draftOf(configuration, view, format));
    notifyWithUndo(t('examples.done', { name: t(`examples.${id}.title`) }), () => change(draft));
  };

  const outcome = compilation?.outcome;
  const told = outcome?.kind === 'failed' && outcome.problem.kind === 'refused' ? outcome.problem.details : noDetails;
  return (
    <>
      <PageHeader title={t('title')} text={t('text')} actions={<ExamplesMenu onChoose={begin} />} />
      <Stack>
        <Section
          title={t('what.title')}
          actions={
            <SegmentedControl
              aria-label={t('what.mode')}
              value={view === 'simple' ? 'simple' : 'advanced'}
              onChange={(mode) => show(mode === 'simple' ? 'simple' : 'yaml')}
              data={[
                { value: 'simple', label: t('what.simple') },
                { value: 'advanced', label: t('what.advanced') },
              ]}
            />
          }
        >
          {view === 'simple' ? (
            <SimpleForm draft={draft} onChange={change} isTried={trouble === 'cannot compile'} />
          ) : (
            <AdvancedForm draft={{ ...draft, view }} onChange={change} onView={show} told={told} />
          )}
          {trouble !== 'none' && (
            <Alert color="orange" variant="light" role="alert">
              {trouble === 'cannot switch' ? t('what.mendToSwitch') : t('what.mendToCompile')}
            </Alert>
          )}
          <Group align="flex-end">
            <NativeSelect
              label={t('what.format')}
              value={draft.format}
              onChange={(event) => change({ ...draft, format: event.currentTarget.value as Format })}
              data={formats.map((format) => ({ value: format, label: t(`formats.${format}`) }))}
            />
            <Button
              leftSection={<IconPlayerPlay size={18} stroke={1.6} />}
              loading={outcome?.kind === 'running'}
              onClick={start}
            >
              {t('what.compile')}
            </Button>
          </Group>
        </Section>
        {compilation && <ProgressSection compilation={compilation} />}
        {compilation && outcome?.kind === 'finished' && (
          <ResultSection
            key={compilation.number}
            order={compilation.order}
            summary={outcome.summary}
            version={String(compilation.number)}
          />
        )}
      </Stack>
    </>
  );
}

const noDetails: readonly never[] = [];

const isComplete = (draft: Draft): boolean =>
  draft.view === 'simple' ? isFormComplete(draft) : checkText(draft[draft.view], draft.view).faults.length === 0;
