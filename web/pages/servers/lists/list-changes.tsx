import { Button, Loader, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type ListKind, listChangesQuery } from '../../../api/catalogue.ts';
import type { ListHealth } from '../../../api/wire.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { TimeText, useFormat } from '../../../components/format.tsx';
import { RuleText } from '../../../components/rule-text.tsx';

type Props = {
  readonly kind: ListKind;
  readonly id: string;
  readonly name: string;
  readonly health: Pick<ListHealth, 'added_count' | 'removed_count' | 'time_updated'>;
};

/** Number of rules that the last update has changed; opens examples of them. */
export function ListChanges({ kind, id, name, health }: Props) {
  const { t } = useTranslation('servers');
  const { number } = useFormat();
  const [isOpen, dialog] = useDisclosure(false);
  const { added_count: added, removed_count: removed, time_updated: version } = health;
  if (added === undefined || removed === undefined || added + removed === 0) return null;
  return (
    <div>
      <Button size="compact-sm" variant="subtle" ml={-8} onClick={dialog.open}>
        {t('changes.counts', { added: number(added), removed: number(removed) })}
      </Button>
      <Dialog opened={isOpen} onClose={dialog.close} title={t('changes.title', { name })} size="lg">
        {isOpen && <Examples kind={kind} id={id} version={version} />}
      </Dialog>
    </div>
  );
}

type ExamplesProps = { readonly kind: ListKind; readonly id: string; readonly version: string | undefined };

function Examples({ kind, id, version }: ExamplesProps) {
  const changes = useQuery(listChangesQuery(kind, id, version));
  if (changes.isPending) return <Loader size="sm" />;
  if (!changes.data) return <ErrorState error={changes.error} retry={changes.refetch} />;
  const { time_updated, added_count, removed_count, added, removed } = changes.data;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        <TimeText millis={Date.parse(time_updated)} />
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Rules side="added" count={added_count} rules={added} />
        <Rules side="removed" count={removed_count} rules={removed} />
      </SimpleGrid>
    </Stack>
  );
}

type RulesProps = { readonly side: 'added' | 'removed'; readonly count: number; readonly rules: readonly string[] };

function Rules({ side, count, rules }: RulesProps) {
  const { t } = useTranslation('servers');
  const { number } = useFormat();
  return (
    <Stack gap={4} miw={0}>
      <Title order={3} size="h5">
        {t(`changes.${side}`, { formatted: number(count) })}
      </Title>
      {count > rules.length && rules.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('changes.first', { formatted: number(rules.length) })}
        </Text>
      )}
      {rules.map((rule) => (
        <RuleText key={rule} rule={rule} />
      ))}
    </Stack>
  );
}
