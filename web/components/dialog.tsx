import { Modal, type ModalProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Centred dialog with a labelled close button. */
export function Dialog(props: ModalProps) {
  const { t } = useTranslation('common');
  return (
    <Modal
      centered
      styles={{ title: { fontWeight: 650, fontSize: '1.125rem' } }}
      closeButtonProps={{ 'aria-label': t('close') }}
      // The header of the dialog must not be a banner landmark of the page.
      attributes={{ header: { role: 'presentation' } }}
      {...props}
    />
  );
}
