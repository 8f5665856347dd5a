import { Checkbox, Fieldset, SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { transformations } from './configuration.ts';
import { type Fields, withTransformation } from './simple-fields.ts';

type Props = {
  readonly value: Fields['transformations'];
  readonly onChange: (value: Fields['transformations']) => void;
};

/** Checkboxes in execution order. */
export function TransformationFields({ value, onChange }: Props) {
  const { t } = useTranslation('compiler');
  return (
    <Fieldset legend={t('simple.transformations')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="sm">
        {transformations.map((name) => (
          <Checkbox
            key={name}
            label={t(`transformations.${name}.title`)}
            description={t(`transformations.${name}.text`)}
            checked={value.includes(name)}
            onChange={(event) => onChange(withTransformation(value, name, event.currentTarget.checked))}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}
