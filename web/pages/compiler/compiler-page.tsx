import { Alert, Button, Group, NativeSelect, SegmentedControl, Stack } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyWithUndo } from '../../components/notify.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { usePersistedState } from '../../components/use-persisted-state.ts';
import { AdvancedForm } from './advanced-form.tsx';
import { compile, useCompilation } from './compilation.ts';
import { type Format, formats } from './configuration.ts';
import { type Draft, draftOf, emptyConfiguration, readDraft, switchView, type View } from './draft.ts';
import type { examples } from './examples.ts';
import { ExamplesMenu } from './examples-menu.tsx';
import { ProgressSection } from './progress-section.tsx';
import { ResultSection } from './result-section.tsx';
import { isFormComplete, SimpleForm } from './simple-form.tsx';
import { validateText } from './validate-text.ts';

type FormError = 'none' | 'cannot switch' | 'cannot compile';

export function CompilerPage() {
  const { t } = useTranslation('compiler');
  const [draft, setDraft] = usePersistedState<Draft>('compiler draft', () => draftOf(emptyConfiguration, 'simple'));
  const [formError, setFormError] = useState<FormError>('none');
  const compilation = useCompilation();
  const { view } = draft;

  const change = (next: Draft): void => {
    setDraft(next);
    setFormError('none');
  };
  const show = (next: View): void => {
    const switched = switchView(draft, next);
    if (switched) change(switched);
    else setFormError('cannot switch');
  };
  const start = (): void => {
    const configuration = readDraft(draft);
    const isReady = configuration !== undefined && isComplete(draft);
    setFormError(isReady ? 'none' : 'cannot compile');
    if (isReady) compile({ configuration, format: draft.format });
  };
  const loadExample = ({ id, configuration, format }: (typeof examples)[number]): void => {
    change(draftOf(configuration, view, format));
    notifyWithUndo(t('examples.done', { name: t(`examples.${id}.title`) }), () => change(draft));
  };

  const outcome = compilation?.outcome;
  const serviceErrors =
    outcome?.kind === 'failed' && outcome.problem.kind === 'refused' ? outcome.problem.details : noDetails;
  return (
    <>
      <PageHeader title={t('title')} text={t('text')} actions={<ExamplesMenu onChoose={loadExample} />} />
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
            <SimpleForm draft={draft} onChange={change} showMissing={formError === 'cannot compile'} />
          ) : (
            <AdvancedForm draft={{ ...draft, view }} onChange={change} onView={show} serviceErrors={serviceErrors} />
          )}
          {formError !== 'none' && (
            <Alert color="orange" variant="light" role="alert">
              {formError === 'cannot switch' ? t('what.mendToSwitch') : t('what.mendToCompile')}
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
            job={compilation.job}
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
  draft.view === 'simple' ? isFormComplete(draft) : validateText(draft[draft.view], draft.view).errors.length === 0;
