import { Alert, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Draft } from './draft.ts';
import { hasHiddenFields, linesOf } from './simple-fields.ts';
import { TransformationFields } from './transformation-fields.tsx';

type Props = {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /** Marks missing fields, after an attempt to compile. */
  readonly showMissing: boolean;
};

const monospace = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };

export function SimpleForm({ draft, onChange, showMissing }: Props) {
  const { t } = useTranslation('compiler');
  const { fields, behindForm } = draft;
  const set = (change: Partial<typeof fields>): void => onChange({ ...draft, fields: { ...fields, ...change } });
  const isEmpty = fields.addresses.trim() === '' && fields.rules.trim() === '';
  const invalid = linesOf(fields.addresses).filter((line) => !/^https?:\/\/\S+$/i.test(line));
  return (
    <Stack>
      {hasHiddenFields(behindForm) && (
        <Alert color="water" variant="light">
          {t('simple.more')}
        </Alert>
      )}
      <TextInput
        label={t('simple.name')}
        maw={420}
        value={fields.name}
        error={showMissing && fields.name.trim() === '' && t('simple.nameMissing')}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Textarea
          label={t('simple.addresses')}
          description={t('simple.addressesHint')}
          placeholder="https://"
          autosize
          minRows={5}
          maxRows={14}
          dir="ltr"
          spellCheck={false}
          styles={monospace}
          value={fields.addresses}
          error={
            (invalid.length > 0 && t('simple.noAddress', { line: invalid[0] })) ||
            (showMissing && isEmpty && t('simple.nothing'))
          }
          onChange={(event) => set({ addresses: event.currentTarget.value })}
        />
        <Textarea
          label={t('simple.rules')}
          description={t('simple.rulesHint')}
          placeholder="||ads.example.com^"
          autosize
          minRows={5}
          maxRows={14}
          dir="ltr"
          spellCheck={false}
          styles={monospace}
          value={fields.rules}
          onChange={(event) => set({ rules: event.currentTarget.value })}
        />
      </SimpleGrid>
      <Textarea
        label={t('simple.exclusions')}
        description={t('simple.exclusionsHint')}
        placeholder="example.org"
        autosize
        minRows={2}
        maxRows={10}
        dir="ltr"
        spellCheck={false}
        styles={monospace}
        value={fields.exclusions}
        onChange={(event) => set({ exclusions: event.currentTarget.value })}
      />
      <TransformationFields value={fields.transformations} onChange={(transformations) => set({ transformations })} />
    </Stack>
  );
}

/** Whether the form is complete enough to compile. */
export const isFormComplete = ({ fields }: Draft): boolean =>
  fields.name.trim() !== '' &&
  (fields.addresses.trim() !== '' || fields.rules.trim() !== '') &&
  linesOf(fields.addresses).every((line) => /^https?:\/\/\S+$/i.test(line));
