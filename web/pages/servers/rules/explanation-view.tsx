import { Alert, Badge, Group, Stack, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Explanation } from '../../../api/wire.ts';
import { sourceText } from '../../../components/decision-source.ts';
import { DomainName } from '../../../components/domain-name.tsx';
import { LocalExplanation } from '../../../components/local-explanation.tsx';
import { MissingLists } from '../../../components/missing-lists.tsx';
import { RuleText } from '../../../components/rule-text.tsx';
import { serviceMessage } from '../../../components/service-message.ts';
import { useListName } from '../../../components/use-list-name.ts';
import { ClientExplanation } from './client-explanation.tsx';
import classes from './rules.module.css';

const colours = { pass: 'gray', allow: 'green', block: 'red', rewrite: 'blue' } as const;

// Outcomes of rules as the service names them; unknown ones are shown unchanged.
const outcomeKeys = {
  won: 'outcomes.won',
  'lost to a stronger rule': 'outcomes.lost',
  'overruled by a later source': 'outcomes.overruled',
  'not asked': 'outcomes.notAsked',
  'an exception to rewrites': 'outcomes.exception',
  'switched off by an exception': 'outcomes.excepted',
  'switched off by $badfilter': 'outcomes.badfilter',
  'leads to the name itself': 'outcomes.itself',
  'not honoured in this source': 'outcomes.notHonoured',
  'does not apply': 'outcomes.notApplied',
} as const;

const isKnown = (outcome: string): outcome is keyof typeof outcomeKeys => Object.hasOwn(outcomeKeys, outcome);

const notFiltered = {
  'parental paused': 'test.parentalPaused',
  paused: 'test.filteringPaused',
  off: 'test.filteringOff',
} as const;

export function ExplanationView({ domain, explanation }: { domain: string; explanation: Explanation }) {
  const { t } = useTranslation(['servers', 'protection']);
  const outcomeText = (outcome: string): string => (isKnown(outcome) ? t(outcomeKeys[outcome]) : outcome);
  const nameOf = useListName();
  const whereOf = ({ source, list }: { source: string; list: string }): string =>
    list === 'custom' || nameOf(list) === list ? sourceText(source) : `${sourceText(source)}: ${nameOf(list)}`;
  const { verdict, answer, rules, filtering, missing_lists: missing, skipped_rules: skipped } = explanation;
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Badge size="lg" color={colours[verdict.kind]} variant="dot">
          {t(`verdicts.${verdict.kind}`)}
        </Badge>
        <DomainName name={domain} />
        {verdict.rewritten_to && (
          <Text span size="sm">
            → <span className="untrusted-text">{verdict.rewritten_to.join(', ')}</span>
          </Text>
        )}
      </Group>
      {verdict.source !== undefined ? (
        <Text size="sm">
          {t('test.by', { where: whereOf({ source: verdict.source, list: verdict.list ?? '' }) })}{' '}
          {verdict.rule !== undefined && <RuleText rule={verdict.rule} />}
        </Text>
      ) : (
        verdict.kind === 'pass' && <Text size="sm">{t('test.noRule')}</Text>
      )}
      {explanation.client && <ClientExplanation client={explanation.client} />}
      <LocalExplanation explanation={explanation} />
      {answer.filtered && (
        <Text size="sm" c="dimmed">
          {t('test.answerFiltered', {
            lists: [...new Set(answer.filtered_by.map(whereOf))].join(', '),
          })}
        </Text>
      )}
      {filtering !== 'full' && (
        <Alert color="orange" variant="light">
          {t(notFiltered[filtering])}
        </Alert>
      )}
      {skipped > 0 && (
        <Alert color="orange" variant="light">
          {t('test.skipped', { count: skipped })}
        </Alert>
      )}
      {missing.length > 0 && (
        <Alert color="orange" variant="light">
          {t('protection:missing.notChecked')}
          <MissingLists lists={missing} />
        </Alert>
      )}
      {rules.length > 0 && (
        <Table.ScrollContainer minWidth={440} type="native">
          <Table verticalSpacing={6}>
            <Table.Caption>{t('test.matching', { count: rules.length })}</Table.Caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('test.rule')}</Table.Th>
                <Table.Th>{t('test.where')}</Table.Th>
                <Table.Th>{t('test.outcome')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rules.map(({ source, list, rule, outcome, why }) => (
                <Table.Tr key={`${source} ${list} ${rule}`}>
                  <Table.Td>
                    <RuleText rule={rule} />
                  </Table.Td>
                  <Table.Td>{whereOf({ source, list })}</Table.Td>
                  <Table.Td>
                    <Text size="sm" fw={outcome === 'won' ? 650 : 400}>
                      {outcomeText(outcome)}
                    </Text>
                    <Text size="xs" c="dimmed" className={classes['reason']}>
                      {serviceMessage(why)}
                    </Text>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Stack>
  );
}
