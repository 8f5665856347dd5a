import { Alert, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { System } from '../../api/system.ts';
import { TimeAgo, useFormat } from '../../components/format.tsx';
import { Section } from '../../components/section.tsx';
import { Figures } from '../../components/stats.tsx';
import { useBytes } from '../../components/use-bytes.ts';

const databases = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;
const SOON_MS = 14 * 86_400_000;

/** Which program runs, since when, and where it listens. */
export function Program({ system }: { system: System }) {
  const { t } = useTranslation('system');
  const bytes = useBytes();
  const { time } = useFormat();
  const { version, node_version, database, time_started, memory_bytes, listeners, dns } = system;
  const ends = dns?.time_certificate_ends && Date.parse(dns.time_certificate_ends);
  return (
    <Section title={t('program.title')}>
      {dns?.are_settings_current === false && (
        <Alert color="orange" role="alert" title={t('program.oldTitle')}>
          {t('program.oldText')}
        </Alert>
      )}
      {typeof ends === 'number' && ends - Date.now() < SOON_MS && (
        <Alert color="orange" role="alert" title={t('program.certificateSoon')}>
          {t('program.certificateText')}
        </Alert>
      )}
      <Figures
        figures={[
          { label: t('program.version'), value: `Weir ${version}` },
          { label: t('program.node'), value: node_version },
          { label: t('program.database'), value: databases[database as keyof typeof databases] ?? database },
          { label: t('program.started'), value: <TimeAgo millis={Date.parse(time_started)} /> },
          { label: t('program.memory'), value: bytes(memory_bytes) },
          ...(typeof ends === 'number'
            ? [{ label: t('program.certificate'), value: time(ends, { dateStyle: 'medium' }) }]
            : []),
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
              <Table.Td>{wordsOf(name)}</Table.Td>
              <Table.Td className="foreign-text" dir="ltr">
                {host.includes(':') ? `[${host}]` : host}
                {/* A port is one word, on whatever line it stands. */}
                <wbr />
                <span style={{ whiteSpace: 'nowrap' }}>:{port}</span>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );

  function wordsOf(name: string): string {
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
