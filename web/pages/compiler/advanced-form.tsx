import { SegmentedControl, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadingState } from '../../components/loading-state.tsx';
import { transformations } from './configuration.ts';
import type { Draft, View } from './draft.ts';
import type { Told } from './text-editor.tsx';
import type { Fault, Language } from './validate-text.ts';

const TextEditor = lazy(() => import('./text-editor.tsx').then((module) => ({ default: module.TextEditor })));

type Props = {
  readonly draft: Draft & { readonly view: Language };
  readonly onChange: (draft: Draft) => void;
  readonly onView: (view: View) => void;
  readonly told: readonly Told[];
};

export function AdvancedForm({ draft, onChange, onView, told }: Props) {
  const { t } = useTranslation('compiler');
  const { view } = draft;
  const words = useCallback(({ what, detail }: Fault): string => t(`faults.${what}`, { detail }), [t]);
  const describe = useCallback(
    (value: string): string | undefined => {
      const name = transformations.find((known) => known === value);
      return name && t(`transformations.${name}.text`);
    },
    [t],
  );
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label={t('advanced.language')}
        size="xs"
        w="fit-content"
        value={view}
        onChange={(language) => onView(language as Language)}
        data={[
          { value: 'yaml', label: 'YAML' },
          { value: 'json', label: 'JSON' },
        ]}
      />
      <Suspense fallback={<LoadingState rows={4} />}>
        <TextEditor
          text={draft[view]}
          language={view}
          label={t('advanced.label')}
          words={words}
          describe={describe}
          told={told}
          onChange={(text) => onChange({ ...draft, [view]: text })}
        />
      </Suspense>
      <Text size="sm" c="dimmed">
        {t('advanced.hint')}
      </Text>
    </Stack>
  );
}
