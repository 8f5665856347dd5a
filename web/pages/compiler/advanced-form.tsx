import { SegmentedControl, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadingState } from '../../components/loading-state.tsx';
import { transformations } from './configuration.ts';
import type { Draft, View } from './draft.ts';
import type { ServiceError } from './text-editor.tsx';
import type { Language, TextError } from './validate-text.ts';

const TextEditor = lazy(() => import('./text-editor.tsx').then((module) => ({ default: module.TextEditor })));

type Props = {
  readonly draft: Draft & { readonly view: Language };
  readonly onChange: (draft: Draft) => void;
  readonly onView: (view: View) => void;
  readonly serviceErrors: readonly ServiceError[];
};

export function AdvancedForm({ draft, onChange, onView, serviceErrors }: Props) {
  const { t } = useTranslation('compiler');
  const { view } = draft;
  const errorText = useCallback(({ what, detail }: TextError): string => t(`faults.${what}`, { detail }), [t]);
  const describe = useCallback(
    (value: string): string | undefined => {
      const name = transformations.find((transformation) => transformation === value);
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
          errorText={errorText}
          describe={describe}
          serviceErrors={serviceErrors}
          onChange={(text) => onChange({ ...draft, [view]: text })}
        />
      </Suspense>
      <Text size="sm" c="dimmed">
        {t('advanced.hint')}
      </Text>
    </Stack>
  );
}
