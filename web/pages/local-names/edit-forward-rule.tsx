import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveForwardRule } from '../../api/local-names.ts';
import { withStrategy } from '../../api/upstream-strategy.ts';
import type { DnsServer, ForwardRule, ForwardRuleInput } from '../../api/wire.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { notifyDone } from '../../components/notify.tsx';
import { StrategySelect } from '../../components/strategy-select.tsx';
import { LinesInput } from '../servers/sections/lines-input.tsx';
import { ServerSelect } from './server-select.tsx';

type Props = {
  readonly rule: ForwardRule | 'new' | undefined;
  readonly servers: readonly DnsServer[];
  readonly mayBePrivate: boolean;
  readonly onClose: () => void;
};

export function EditForwardRule({ rule, onClose, ...props }: Props) {
  const { t } = useTranslation('localNames');
  return (
    <Dialog opened={rule !== undefined} onClose={onClose} title={rule === 'new' ? t('rules.add') : t('rules.edit')}>
      {rule !== undefined && <Form rule={rule === 'new' ? undefined : rule} onClose={onClose} {...props} />}
    </Dialog>
  );
}

type FormProps = Omit<Props, 'rule'> & { readonly rule: ForwardRule | undefined };

function Form({ rule, servers, mayBePrivate, onClose }: FormProps) {
  const { t } = useTranslation(['localNames', 'common']);
  const { id, ...stored } = rule ?? { id: undefined, domain: '', upstreams: [] };
  const [input, setInput] = useState<ForwardRuleInput>(stored);
  const saving = useMutation({
    mutationFn: () => saveForwardRule(input, id),
    onSuccess: () => {
      notifyDone(t('saved'));
      onClose();
    },
  });
  const errors = fieldErrors(saving.error);
  const upstreamErrors = Object.entries(errors).filter(([field]) => field.startsWith('upstreams'));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack>
        <TextInput
          label={t('rules.domain')}
          description={t('rules.domainHint')}
          placeholder="lan"
          required
          data-autofocus
          autoComplete="off"
          dir="ltr"
          value={input.domain}
          error={errors['domain']}
          onChange={(event) => setInput({ ...input, domain: event.currentTarget.value })}
        />
        <LinesInput
          label={t('rules.upstreamLines')}
          hint={t(mayBePrivate ? 'rules.privateHint' : 'rules.publicHint')}
          example={mayBePrivate ? '192.168.1.1' : 'tls://dns.example'}
          lines={input.upstreams}
          isReadOnly={false}
          error={upstreamErrors.length === 0 ? undefined : upstreamErrors.map(([, message]) => message).join('; ')}
          onChange={(upstreams) => setInput({ ...input, upstreams })}
        />
        <StrategySelect
          upstreams={input.upstreams}
          strategy={input.strategy}
          isReadOnly={false}
          onChange={(strategy) => setInput(withStrategy(input, strategy))}
        />
        <ServerSelect
          servers={servers}
          server={input.dns_server_id}
          error={errors['dns_server_id']}
          onChange={(server) => {
            const { dns_server_id: _, ...rest } = input;
            setInput(server === undefined ? rest : { ...rest, dns_server_id: server });
          }}
        />
        {saving.isError && <ErrorAlert error={saving.error} except={Object.keys(errors)} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
