import { useTranslation } from 'react-i18next';
import { createNode } from '../../api/nodes.ts';
import { CreateKeyDialog } from '../../components/create-key-dialog.tsx';

export function CreateNode({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('system');
  return (
    <CreateKeyDialog
      isOpen={isOpen}
      onClose={onClose}
      create={async (wanted) => {
        const { name, node_key: key } = await createNode(wanted);
        return { name, key };
      }}
      texts={{
        create: t('nodes.create'),
        name: t('nodes.name'),
        nameHint: t('nodes.nameHint'),
        made: (name) => t('nodes.made', { name }),
        key: t('nodes.key'),
        onlyNow: t('nodes.onlyNow'),
        done: t('nodes.done'),
      }}
    />
  );
}
