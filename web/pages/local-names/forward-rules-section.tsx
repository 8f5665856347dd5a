import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { removeForwardRule, saveForwardRule } from '../../api/local-names.ts';
import type { DnsServer, ForwardRule, ForwardRules } from '../../api/wire.ts';
import { notifyWithUndo } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';
import { useCanEdit } from '../../components/use-can-edit.ts';
import { EditForwardRule } from './edit-forward-rule.tsx';
import { EntryTable } from './entry-table.tsx';

type Props = { readonly rules: ForwardRules; readonly servers: readonly DnsServer[] };

export function ForwardRulesSection({ rules, servers }: Props) {
  const { t } = useTranslation('localNames');
  const canEdit = useCanEdit();
  const [editing, setEditing] = useState<ForwardRule | 'new'>();
  const restoring = useAction((rule: ForwardRule) => {
    const { id: _, ...input } = rule;
    return saveForwardRule(input);
  });
  const removing = useAction(({ id }: ForwardRule) => removeForwardRule(id), {
    onDone: (_, rule) => notifyWithUndo(t('removed', { name: rule.domain }), () => restoring.mutate(rule)),
  });
  const actions = canEdit && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEditing('new')}>
      {t('rules.add')}
    </Button>
  );
  return (
    <Section title={t('rules.title')} text={t('rules.text')} actions={actions}>
      {rules.forward_rules.length === 0 ? (
        <Text>{t('rules.none')}</Text>
      ) : (
        <EntryTable
          entries={rules.forward_rules}
          servers={servers}
          titles={{ name: t('rules.domain'), content: t('rules.upstreams') }}
          nameOf={({ domain }) => domain}
          contentOf={({ upstreams }) => <span className="untrusted-text">{upstreams.join(', ')}</span>}
          onEdit={setEditing}
          onRemove={removing.mutate}
        />
      )}
      <EditForwardRule
        rule={editing}
        servers={servers}
        mayBePrivate={rules.may_be_private}
        onClose={() => setEditing(undefined)}
      />
    </Section>
  );
}
