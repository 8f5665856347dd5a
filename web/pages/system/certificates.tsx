import { Alert, Badge, Button, Code, Stack, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { reloadCertificates, type System } from '../../api/system.ts';
import { useFormat } from '../../components/format.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { Stats } from '../../components/stats.tsx';
import { useAction } from '../../components/use-action.ts';

type Dns = NonNullable<System['dns']>;
type Acme = NonNullable<System['acme']>;
type Certificate = Dns['certificates'][number];

const SOON_MS = 14 * 86_400_000;
// The orange of titles has too little contrast.

const colors = { valid: 'teal', soon: 'orange', selfSigned: 'orange', expired: 'red' } as const;
function stateOf({ time_ends, is_self_signed }: Certificate): keyof typeof colors {
  const left = Date.parse(time_ends) - Date.now();
  if (left < 0) return 'expired';
  if (is_self_signed) return 'selfSigned';
  return left < SOON_MS ? 'soon' : 'valid';
}

/** The certificates in use, and the state of the requests to a certificate authority. */
export function Certificates({ dns: { certificates }, acme }: { dns: Dns; acme: Acme | undefined }) {
  const { t } = useTranslation('system');
  const states = certificates.map(stateOf);
  if (certificates.length === 0) return null;
  return (
    <Section title={t('certificates.title')} text={t('certificates.text')} actions={<Reload />}>
      {(states.includes('soon') || states.includes('expired')) && (
        <Alert
          color="orange"
          role="alert"
          title={t(states.includes('expired') ? 'certificates.expired' : 'certificates.soon')}
        >
          {t('certificates.soonText')}
        </Alert>
      )}
      {acme?.last_error && <Failure error={acme.last_error} />}
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('certificates.domains')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('certificates.issuer')}</Table.Th>
            <Table.Th ta="end">{t('certificates.expires')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {certificates.map((certificate) => (
            <Row key={certificate.key_type} certificate={certificate} />
          ))}
        </Table.Tbody>
      </Table>
      {!acme && states.includes('selfSigned') && (
        <Text size="sm" c="dimmed">
          {t('certificates.selfSignedText')}
        </Text>
      )}
      {acme && <Requests acme={acme} />}
    </Section>
  );
}

function Reload() {
  const { t } = useTranslation('system');
  const reloading = useAction(reloadCertificates, { onDone: () => notifyDone(t('certificates.reloaded')) });
  return (
    <Button variant="default" loading={reloading.isPending} onClick={() => reloading.mutate()}>
      {t('certificates.reload')}
    </Button>
  );
}

function Row({ certificate }: { certificate: Certificate }) {
  const { t } = useTranslation('system');
  const { time } = useFormat();
  const { domains, issuer, key_type, time_ends, ocsp } = certificate;
  const state = stateOf(certificate);
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={2} align="flex-start">
          {domains.map((domain) => (
            <span key={domain} className="untrusted-text" dir="ltr">
              {domain}
            </span>
          ))}
          <Badge color={colors[state]} variant="dot" tt="none">
            {t(`certificates.${state}`)}
          </Badge>
          {ocsp && <Ocsp ocsp={ocsp} />}
          <Text size="sm" c="dimmed" hiddenFrom="sm">
            <bdi>{issuer}</bdi>, {key_type}
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <bdi>{issuer}</bdi>, {key_type}
      </Table.Td>
      <Table.Td ta="end" style={{ whiteSpace: 'nowrap' }}>
        {time(Date.parse(time_ends), { dateStyle: 'medium' })}
      </Table.Td>
    </Table.Tr>
  );
}

function Ocsp({ ocsp: { status, is_required, time_ends, problem } }: { ocsp: NonNullable<Certificate['ocsp']> }) {
  const { t } = useTranslation('system');
  const { time } = useFormat();
  const text =
    status === 'stapled' && time_ends !== undefined
      ? t('certificates.ocsp.stapled', {
          time: time(Date.parse(time_ends), { dateStyle: 'medium', timeStyle: 'short' }),
        })
      : t(`certificates.ocsp.${status === 'revoked' ? 'revoked' : is_required ? 'required' : 'missing'}`);
  return (
    <>
      <Text size="sm" {...(status === 'stapled' && { c: 'dimmed' })}>
        {text}
      </Text>
      {problem !== undefined && (
        <Text size="sm" c="dimmed" className="untrusted-text">
          <bdi>{problem}</bdi>
        </Text>
      )}
    </>
  );
}

function Requests({ acme }: { acme: Acme }) {
  const { t } = useTranslation('system');
  const { directory, challenge, has_certificate, last_error, time_last_attempt, time_next_attempt } = acme;
  const { time } = useFormat();
  const at = (text: string): string => time(Date.parse(text), { dateStyle: 'medium', timeStyle: 'short' });
  const isRenewal = has_certificate && !last_error;
  return (
    <Stats
      stats={[
        { label: t('certificates.authority'), value: URL.parse(directory)?.host ?? directory },
        { label: t('certificates.challenge'), value: challenge },
        {
          label: t(isRenewal ? 'certificates.next' : 'certificates.nextTry'),
          value: at(time_next_attempt),
        },
        ...(time_last_attempt === undefined ? [] : [{ label: t('certificates.last'), value: at(time_last_attempt) }]),
      ]}
    />
  );
}

function Failure({
  error: { text, domain, remedy, advice, records = [] },
}: {
  error: NonNullable<Acme['last_error']>;
}) {
  const { t, i18n } = useTranslation('system');
  const key = `certificates.remedies.${remedy}`;
  const translated = i18n.exists(key, { ns: 'system' }) ? t(key as 'certificates.remedies.port80', { domain }) : advice;
  return (
    <Alert
      color="orange"
      role="alert"
      title={domain === undefined ? t('certificates.failed') : t('certificates.failedFor', { domain })}
    >
      <Stack gap="xs">
        {translated !== undefined && <span>{translated}</span>}
        {records.length > 0 && (
          <Code block className="untrusted-text" dir="ltr" aria-label={t('certificates.records')}>
            {records.join('\n')}
          </Code>
        )}
        <Text size="sm" className="untrusted-text">
          <bdi>{text}</bdi>
        </Text>
      </Stack>
    </Alert>
  );
}
