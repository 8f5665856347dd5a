import { Box, Button, Collapse, Group, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '../../api/account-wire.ts';
import { TimeText } from '../../components/format.tsx';
import { changesOf, type ShownChange } from './audit-changes.ts';
import classes from './audit-row.module.css';
import { useAuditFields } from './use-audit-fields.ts';
import { useAuditText } from './use-audit-text.ts';

export function AuditRow({ entry, name }: { entry: AuditEntry; name: string }) {
  const { t } = useTranslation('account');
  const auditText = useAuditText();
  const id = useId();
  const [isOpen, { toggle }] = useDisclosure(false);
  const fields = useAuditFields();
  const changes = changesOf(entry.before, entry.after, fields.value);
  return (
    <Box component="li" className={classes['row'] ?? ''}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={0} miw={0}>
          <Text style={{ overflowWrap: 'anywhere' }}>
            {auditText.action(entry.action)}
            {name !== '' && (
              <>
                {': '}
                <Text span fw={500}>
                  <bdi>{name}</bdi>
                </Text>
              </>
            )}
          </Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{entry.by}</bdi> · <TimeText millis={entry.time_millis} />
            {entry.from !== undefined && (
              <>
                {' · '}
                <bdi className="untrusted-text">{entry.from}</bdi>
              </>
            )}
          </Text>
        </Stack>
        {changes.length > 0 && (
          <Button
            size="compact-sm"
            flex="none"
            variant="subtle"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={toggle}
          >
            {isOpen ? t('audit.hide') : t('audit.show')}
          </Button>
        )}
      </Group>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && <Changes changes={changes} pathText={fields.path} />}
      </Collapse>
    </Box>
  );
}

type ChangesProps = {
  readonly changes: readonly ShownChange[];
  readonly pathText: (path: readonly string[]) => string;
};

function Changes({ changes, pathText }: ChangesProps) {
  const { t } = useTranslation('account');
  const hasPaths = changes.some(({ path }) => path.length > 0);
  return (
    <Table withTableBorder mt="xs">
      <Table.Thead>
        <Table.Tr>
          {hasPaths && <Table.Th>{t('audit.field')}</Table.Th>}
          <Table.Th>{t('audit.before')}</Table.Th>
          <Table.Th>{t('audit.after')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map(({ path, before, after }) => (
          <Table.Tr key={path.join('.')}>
            {hasPaths && <Table.Td>{pathText(path)}</Table.Td>}
            <Value text={before} />
            <Value text={after} />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const Value = ({ text = '—' }: { text?: string | undefined }) => (
  <Table.Td>
    <bdi className={`untrusted-text ${classes['value'] ?? ''}`}>{text}</bdi>
  </Table.Td>
);
