import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/section.tsx';
import { BlockedCategories } from './blocked-categories.tsx';
import { BlockedServices } from './blocked-services.tsx';
import { ParentalSwitch } from './parental-switch.tsx';

export function ServicesSection() {
  const { t } = useTranslation('servers');
  return (
    <>
      <Section title={t('parental.title')} text={t('parental.servicesText')}>
        <ParentalSwitch />
      </Section>
      <BlockedCategories />
      <BlockedServices />
    </>
  );
}
