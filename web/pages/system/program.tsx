import { Alert, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { System } from '../../api/system.ts';
import { TimeAgo } from '../../components/format.tsx';
import { Section } from '../../components/section.tsx';
import { Stats } from '../../components/stats.tsx';
import { useBytes } from '../../components/use-bytes.ts';

const databases = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/** Version, start time, memory and listeners. */
export function Program({ system }: { system: System }) {
  const { t } = useTranslation('system');
  const bytes = useBytes();
  const { version, update, node_version, database, time_started, memory_bytes, listeners, dns } = system;
  const isNewest = update?.time_checked !== undefined && update.version === undefined && update.problem === undefined;
  return (
    <Section title={t('program.title')}>
      {dns?.are_settings_current === false && (
        <Alert color="orange" role="alert" title={t('program.oldTitle')}>
          {t('program.oldText')}
        </Alert>
      )}
      {update?.version !== undefined && (
        <Alert color="water" role="status" title={t('program.newer', { version: update.version })}>
          {t('program.newerText')}
        </Alert>
      )}
      {update?.problem !== undefined && (
        <Text size="sm" c="dimmed">
          {t('program.updateFailed', { problem: update.problem })}
        </Text>
      )}
      <Stats
        stats={[
          { label: t(isNewest ? 'program.newest' : 'program.version'), value: `Weir ${version}` },
          { label: t('program.node'), value: node_version },
          { label: t('program.database'), value: databases[database as keyof typeof databases] ?? database },
          { label: t('program.started'), value: <TimeAgo millis={Date.parse(time_started)} /> },
          { label: t('program.memory'), value: bytes(memory_bytes) },
        ]}
      />
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('program.listener')}</Table.Th>
            <Table.Th>{t('program.address')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {listeners.map(({ name, host, port }) => (
            <Table.Tr key={`${name} ${host} ${port}`}>
              <Table.Td>{listenerText(name)}</Table.Td>
              <Table.Td className="untrusted-text" dir="ltr">
                {host.includes(':') ? `[${host}]` : host}
                {/* Keeps the port on one line. */}
                <wbr />
                <span style={{ whiteSpace: 'nowrap' }}>:{port}</span>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );

  function listenerText(name: string): string {
    switch (name) {
      case 'http':
      case 'dns':
      case 'dot':
      case 'doh':
        return t(`listeners.${name}`);
      default:
        return name;
    }
  }
}
