import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Explanation } from '../api/wire.ts';
import { RuleText } from './rule-text.tsx';

type Props = { readonly explanation: Pick<Explanation, 'local_names' | 'dns64' | 'target'> };

/** Local records, forwarding rules and DNS64 that apply to a query, and how the target of an alias is answered. */
export function LocalExplanation({ explanation: { local_names: names, dns64, target } }: Props) {
  const { t } = useTranslation('common');
  return (
    <>
      {names.map(({ kind, name, searched_name: searched, answer, upstreams }) => (
        <Stack key={`${kind} ${name} ${searched}`} gap={2}>
          <Text size="sm">
            {searched !== undefined && `${t('local.searched', { name: searched })} `}
            {t(`local.${kind}`, { name, upstreams: upstreams.join(', ') })}
          </Text>
          {answer.map((line) => (
            <RuleText key={line} rule={line} />
          ))}
        </Stack>
      ))}
      {target && (
        <Stack gap={2}>
          <Text size="sm">
            {t(`local.target.${target.kind}`, { name: target.name, upstreams: target.upstreams.join(', ') })}
          </Text>
          {target.answer.map((line) => (
            <RuleText key={line} rule={line} />
          ))}
        </Stack>
      )}
      {dns64 !== undefined && <Text size="sm">{t('local.dns64', { prefix: dns64 })}</Text>}
    </>
  );
}
