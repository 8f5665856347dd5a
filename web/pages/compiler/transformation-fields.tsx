import { Checkbox, Fieldset, NativeSelect, SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isValidator, transformations, validators } from './configuration.ts';
import { type Fields, withTransformation } from './simple-fields.ts';

type Props = {
  readonly value: Fields['transformations'];
  readonly onChange: (value: Fields['transformations']) => void;
};

/** In execution order. Validators exclude each other: one choice in the place of the first. */
export function TransformationFields({ value, onChange }: Props) {
  const { t } = useTranslation('compiler');
  const shown = transformations.filter((name) => !isValidator(name) || name === validators[0]);
  return (
    <Fieldset legend={t('simple.transformations')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="sm">
        {shown.map((name) =>
          isValidator(name) ? (
            <Validation key={name} value={value} onChange={onChange} />
          ) : (
            <Checkbox
              key={name}
              label={t(`transformations.${name}.title`)}
              description={t(`transformations.${name}.text`)}
              checked={value.includes(name)}
              onChange={(event) => onChange(withTransformation(value, name, event.currentTarget.checked))}
            />
          ),
        )}
      </SimpleGrid>
    </Fieldset>
  );
}

function Validation({ value, onChange }: Props) {
  const { t } = useTranslation('compiler');
  const selected = value.find(isValidator);
  return (
    <NativeSelect
      label={t('simple.validation')}
      description={selected && t(`transformations.${selected}.text`)}
      inputWrapperOrder={['label', 'input', 'description']}
      value={selected ?? ''}
      data={[
        { value: '', label: t('simple.noValidation') },
        ...validators.map((name) => ({ value: name, label: t(`transformations.${name}.title`) })),
      ]}
      onChange={({ currentTarget }) => {
        const chosen = validators.find((name) => name === currentTarget.value);
        if (chosen) onChange(withTransformation(value, chosen, true));
        else onChange(value.filter((name) => !isValidator(name)));
      }}
    />
  );
}
