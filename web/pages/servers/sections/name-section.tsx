import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/section.tsx';
import { useDraftPart } from '../draft/use-draft-part.ts';
import { useEditor } from '../draft/use-editor.ts';

export const MAX_NAME = 64;

export function NameSection() {
  const { t } = useTranslation('servers');
  const { server, canEdit, errorOf } = useEditor();
  const { value, change } = useDraftPart('name', server.name);
  return (
    <Section title={t('nameTitle')}>
      <TextInput
        aria-label={t('name')}
        required
        readOnly={!canEdit}
        maxLength={MAX_NAME}
        maw={420}
        autoComplete="off"
        value={value}
        error={errorOf('name')}
        onChange={(event) => change(event.currentTarget.value)}
      />
    </Section>
  );
}
