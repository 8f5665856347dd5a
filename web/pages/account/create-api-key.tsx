import { useTranslation } from 'react-i18next';
import { createApiKey } from '../../api/members.ts';
import { CreateKeyDialog } from '../../components/create-key-dialog.tsx';

export function CreateApiKey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('account');
  return (
    <CreateKeyDialog
      isOpen={isOpen}
      onClose={onClose}
      create={async (wanted) => {
        const { name, api_key: key } = await createApiKey(wanted);
        return { name, key };
      }}
      texts={{
        create: t('keys.create'),
        name: t('keys.name'),
        nameHint: t('keys.nameHint'),
        made: (name) => t('keys.made', { name }),
        key: t('keys.key'),
        onlyNow: t('onlyNow'),
        done: t('kept'),
      }}
    />
  );
}
